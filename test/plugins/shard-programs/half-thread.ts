/** A program of shard threads whose half of the plugin restricts nothing. */
import { runInThread } from "@orrery/host-node";
import { composeShards, startShardWorker } from "@orrery/shard-worker";
import { half, openers } from "./plugin.ts";

const shards = composeShards([half]);
runInThread((host) => void startShardWorker(host, shards), { blobOpeners: openers });
