/**
 * Work on snapshots, deletions and restores that is due in an applied state: a function of the state alone, so that every
 * elected cluster manager derives the same (INV-SNAP-6).
 *
 * Order within a repository: shard generations form a chain, so snapshots that share a shard are finalized in the order
 * of their entries; others may overtake. Finalizations and deletions of one repository have one key, hence run one at a
 * time, because each writes a new generation of the repository data.
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

/** A shard of a running snapshot, as of the state that made work on it due. */
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

/** The key of a piece of work. Of two with the same key, only one runs at a time. */
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

/** Due work, in the order in which it is begun. */
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

/** Shards to snapshot, clone or abort. Shards that wait for their primary, or behind another snapshot, are not due. */
function shardWork(entry: SnapshotEntry): readonly SnapshotWork[] {
  const take = entry.clone_source === undefined ? "snapshot-shard" : "clone-shard";
  return entry.shards.flatMap((shard): readonly SnapshotWork[] => {
    if (shard.state === "ABORTED") return [{ kind: "abort-shard", entry, shard }];
    return shard.state === "INIT" ? [{ kind: take, entry, shard }] : [];
  });
}

/** Finalizations and deletions: snapshots whose shards have all ended and that no earlier entry blocks, and started deletions. */
function repositoryWork(state: ClusterState): readonly SnapshotWork[] {
  const works: SnapshotWork[] = [];
  const blocked = new Set<string>();
  // Entries in order: one that shares a shard with an earlier, unfinished entry waits, even when all its shards have ended.
  // Its repository data would reference a shard generation that contains the earlier snapshot, which is not listed yet.
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

/**
 * Clean-ups that a former cluster manager began. They are not continued; their entries are removed, so that the
 * repository is free.
 */
export function abandonedCleanups(state: ClusterState): readonly SnapshotWork[] {
  return cleanupsOf(state).map(({ uuid }) => ({ kind: "finish-cleanup", uuid }));
}
