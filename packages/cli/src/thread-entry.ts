/** What a shard worker's thread runs. */
import { runInThread } from "@orrery/host-node";
import { shardProgram } from "./shard-program.ts";

runInThread(shardProgram);
