/** A program of shard threads that lacks the plugin and its opener. */
import { runInThread } from "@orrery/host-node";
import { coreShards, startShardWorker } from "@orrery/shard-worker";

runInThread((host) => void startShardWorker(host, coreShards));
