/**
 * The plugins of this program, each listed once. A process loads the whole of each; a thread of a shard worker loads the half that it
 * runs, and no module of the rest. Checkers are loaded by commands that judge runs.
 */
import type { Plugin } from "@orrery/node";
import type { BlobOpeners } from "@orrery/ports";
import type { Checker } from "@orrery/scenario";
import type { ShardPlugin } from "@orrery/shard-worker";

export interface ListedPlugin {
  readonly node: () => Promise<Plugin>;
  /** The half for shard workers: the same value as `shards` of the whole. */
  readonly shards?: () => Promise<ShardPlugin>;
  /** The adapter half: how this machine opens the addresses of the plugin's repository types. */
  readonly blobOpeners?: () => Promise<BlobOpeners>;
  /** Judges of what the plugin promises. */
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
];

/** Of a node, and of a shard worker in a thread. */
export async function loadBlobOpeners(): Promise<BlobOpeners> {
  const openers = await Promise.all(plugins.map(async ({ blobOpeners }) => blobOpeners?.()));
  return Object.fromEntries(openers.flatMap((more) => Object.entries(more ?? {})));
}
