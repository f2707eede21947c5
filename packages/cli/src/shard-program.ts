/**
 * The shard worker of this program, in the node's own thread or in threads of its own. It names the plugins' parts for shards
 * alone: a thread loads nothing that it does not run.
 */
import { composeShards, startShardWorker } from "@orrery/node";
import { crossClusterReplicationOnShards } from "@orrery/plugin-cross-cluster-replication";
import type { WorkerHost } from "@orrery/ports";

export function shardProgram(host: WorkerHost): void {
  startShardWorker(host, composeShards([{ shards: crossClusterReplicationOnShards }]));
}

const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";

/** The module that runs it in a thread. */
export const threadEntry: URL = new URL(`./thread-entry.${extension}`, import.meta.url);
