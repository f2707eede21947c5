/** What a shard worker's thread runs. */
import { startShardWorker } from "@orrery/shard-worker";
import { runInThread } from "./thread-host.ts";

runInThread(startShardWorker);
