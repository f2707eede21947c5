/**
 * What an applied state asks the elected cluster manager to do for snapshots, deletions and restores: a function of the state alone, so
 * that the next one asked finds the same (INV-SNAP-6).
 *
 * In a repository one thing at a time is written, in the order in which shards were: a snapshot is finalized when no earlier entry of its
 * repository has a shard in common with it.
 */
import {
  cleanupsOf,
  deletionsOf,
  followed,
  isRestoreOver,
  restoresOf,
  snapshotsOf,
  type ClusterState,
  type RestoreEntry,
  type ShardSnapshotEntry,
  type SnapshotDeletion,
  type SnapshotEntry,
} from "@orrery/cluster-state";

/** A shard of a snapshot, as the state that asked for the work had it. */
export interface ShardOfSnapshot {
  readonly entry: SnapshotEntry;
  readonly shard: ShardSnapshotEntry;
}

export type SnapshotWork =
  | { readonly kind: "follow-repositories" }
  | ({ readonly kind: "snapshot-shard" | "clone-shard" | "abort-shard" } & ShardOfSnapshot)
  | { readonly kind: "finalize"; readonly entry: SnapshotEntry }
  | { readonly kind: "delete"; readonly deletion: SnapshotDeletion }
  | { readonly kind: "finish-restore"; readonly entry: RestoreEntry }
  | { readonly kind: "finish-cleanup"; readonly uuid: string };

/** Work of one key is done once at a time. */
export function keyOf(work: SnapshotWork): string {
  switch (work.kind) {
    case "follow-repositories":
      return "follow";
    case "abort-shard":
      return `abort/${shardKeyOf(work)}`;
    case "snapshot-shard":
    case "clone-shard":
      return `shard/${shardKeyOf(work)}`;
    case "finalize":
      return `repository/${work.entry.repository}`;
    case "delete":
      return `repository/${work.deletion.repository}`;
    case "finish-restore":
      return `restore/${work.entry.uuid}`;
    case "finish-cleanup":
      return `cleanup/${work.uuid}`;
  }
}

function shardKeyOf({ entry: { uuid }, shard: { id, shard, node } }: ShardOfSnapshot): string {
  return `${uuid}/${id}/${shard}/${node ?? ""}`;
}

/** In the order in which it is begun. */
export function dueWork(state: ClusterState): readonly SnapshotWork[] {
  return [
    ...(followed(state) === state ? [] : [{ kind: "follow-repositories" } as const]),
    ...snapshotsOf(state).flatMap(shardWork),
    ...repositoryWork(state),
    ...restoresOf(state)
      .filter(isRestoreOver)
      .map((entry) => ({ kind: "finish-restore", entry }) as const),
  ];
}

function shardWork(entry: SnapshotEntry): readonly SnapshotWork[] {
  const take = entry.clone_source === undefined ? "snapshot-shard" : "clone-shard";
  return entry.shards.flatMap((shard): readonly SnapshotWork[] => {
    if (shard.state === "ABORTED") return [{ kind: "abort-shard", entry, shard }];
    return shard.state === "INIT" ? [{ kind: take, entry, shard }] : [];
  });
}

function repositoryWork(state: ClusterState): readonly SnapshotWork[] {
  const works: SnapshotWork[] = [];
  const blocked = new Set<string>();
  for (const entry of snapshotsOf(state)) {
    const keys = entry.shards.map(({ id, shard }) => `${entry.repository}/${id}/${shard}`);
    const isFirst = keys.every((key) => !blocked.has(key));
    for (const key of keys) blocked.add(key);
    if (entry.state === "SUCCESS" && isFirst) works.push({ kind: "finalize", entry });
  }
  for (const deletion of deletionsOf(state))
    if (deletion.state === "STARTED") works.push({ kind: "delete", deletion });
  return works;
}

/** Clean-ups of a cluster manager before this one: nobody works on them any more. */
export function abandonedCleanups(state: ClusterState): readonly SnapshotWork[] {
  return cleanupsOf(state).map(({ uuid }) => ({ kind: "finish-cleanup", uuid }));
}
