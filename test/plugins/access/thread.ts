/** A thread of a shard worker with this plugin. */
import { runInThread } from "@orrery/host-node";
import { composeShards, startShardWorker } from "@orrery/shard-worker";
import { accessOnShards } from "./plugin.ts";

const shards = composeShards([accessOnShards]);

runInThread((host) => void startShardWorker(host, shards));
