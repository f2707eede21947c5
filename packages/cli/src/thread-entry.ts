/** What a shard worker's thread runs. */
import { runInThread } from "@orrery/host-node";
import { blobOpeners, threadProgram } from "./thread-program.ts";

runInThread(threadProgram, { blobOpeners });
