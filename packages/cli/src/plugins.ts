/**
 * Plugins of this program, each listed once. A node's process loads the whole plugin; a shard worker's thread loads
 * only the part that it runs. Checkers are loaded by commands that judge runs.
 */
import type { Plugin } from "@orrery/node";
import type { BlobOpeners } from "@orrery/ports";
import type { Checker } from "@orrery/scenario";
import type { ShardPlugin } from "@orrery/shard-worker";

/** Plugin with the parts that processes load on demand. */
export interface ListedPlugin {
  readonly node: () => Promise<Plugin>;
  /** Part for shard workers, equal to `shards` of the whole plugin. */
  readonly shards?: () => Promise<ShardPlugin>;
  /** Adapters that open the addresses of the plugin's repository types on this machine. */
  readonly blobOpeners?: () => Promise<BlobOpeners>;
  /** Checkers of the plugin's invariants. */
  readonly checkers?: () => Promise<readonly Checker[]>;
}

export const plugins: readonly ListedPlugin[] = [
  {
    node: async () =>
      (await import("@orrery/plugin-cross-cluster-replication")).crossClusterReplication,
    shards: async () =>
      (await import("@orrery/plugin-cross-cluster-replication/shards"))
        .crossClusterReplicationOnShards,
    checkers: async () =>
      (await import("@orrery/plugin-cross-cluster-replication/checkers"))
        .crossClusterReplicationCheckers,
  },
  { node: async () => (await import("@orrery/plugin-prometheus")).prometheusExporter },
  { node: async () => (await import("@orrery/plugin-telemetry")).telemetry },
];

/** Openers for a node, and for a shard worker's thread. */
export async function loadBlobOpeners(): Promise<BlobOpeners> {
  const openers = await Promise.all(plugins.map(async ({ blobOpeners }) => blobOpeners?.()));
  return Object.fromEntries(openers.flatMap((more) => Object.entries(more ?? {})));
}
