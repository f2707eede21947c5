/** A thread that runs the contract's program in place of the shard worker. */
import { echoWorker } from "../../ports/contract/echo-worker.ts";
import { runInThread } from "../src/thread-host.ts";

runInThread(echoWorker);
