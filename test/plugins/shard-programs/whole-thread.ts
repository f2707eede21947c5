/** The program of shard threads with all that the plugin has. */
import { runInThread } from "@orrery/host-node";
import { composeShards, startShardWorker } from "@orrery/shard-worker";
import { openers, whole } from "./plugin.ts";

const shards = composeShards([whole]);
runInThread((host) => void startShardWorker(host, shards), { blobOpeners: openers });
