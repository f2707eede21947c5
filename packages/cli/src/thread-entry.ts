/** Entry point of a shard worker's thread. */
import { runInThread } from "@orrery/host-node";
import { blobOpeners, threadProgram } from "./thread-program.ts";

runInThread(threadProgram, { blobOpeners });
