/** The program of a shard worker's thread. */
import { startShardWorker } from "@orrery/shard-worker";
import { runInThread } from "./thread-host.ts";

runInThread(startShardWorker);
