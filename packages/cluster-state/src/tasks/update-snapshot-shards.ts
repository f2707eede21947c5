/** What became of shards of running snapshots. A report about a shard that is over, or gone, changes nothing. */
import { advanceSnapshots, repositoryShardKey } from "../snapshots/progress.ts";
import {
  snapshotsOf,
  withSnapshots,
  type ShardSnapshotEntry,
  type SnapshotEntry,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface UpdateSnapshotShards {
  readonly kind: "update-snapshot-shards";
  readonly updates: readonly ShardSnapshotUpdate[];
}

export interface ShardSnapshotUpdate {
  /** Of the snapshot. */
  readonly uuid: string;
  /** Of the index inside the repository. */
  readonly id: string;
  readonly shard: number;
  readonly result:
    | { readonly kind: "success"; readonly generation: string }
    | { readonly kind: "failed"; readonly reason: string };
}

export function updateSnapshotShards(state: ClusterState, task: UpdateSnapshotShards): Outcome {
  const next = task.updates.reduce(withUpdate, state);
  return next === state ? unchanged : updated(advanceSnapshots(next));
}

function withUpdate(state: ClusterState, update: ShardSnapshotUpdate): ClusterState {
  const entries = snapshotsOf(state);
  const key = repositoryShardKey(update);
  const isMeant = (shard: ShardSnapshotEntry): boolean =>
    repositoryShardKey(shard) === key && (shard.state === "INIT" || shard.state === "ABORTED");
  const meant = entries.find((entry) => entry.uuid === update.uuid && entry.shards.some(isMeant));
  if (meant === undefined) return state;
  const next = entries.map((entry): SnapshotEntry => {
    if (entry === meant) {
      const shards = entry.shards.map((shard) => (isMeant(shard) ? ended(shard, update) : shard));
      return { ...entry, shards };
    }
    return entry.repository === meant.repository ? withBase(entry, update) : entry;
  });
  return withSnapshots(state, next);
}

function ended(shard: ShardSnapshotEntry, { result }: ShardSnapshotUpdate): ShardSnapshotEntry {
  if (result.kind === "failed") return { ...shard, state: "FAILED", reason: result.reason };
  return { ...shard, state: "SUCCESS", generation: result.generation };
}

/** Snapshots that wait for this shard start from what it has become. */
function withBase(entry: SnapshotEntry, { id, shard, result }: ShardSnapshotUpdate): SnapshotEntry {
  if (result.kind === "failed") return entry;
  const key = repositoryShardKey({ id, shard });
  const isWaiting = (other: ShardSnapshotEntry): boolean =>
    other.state === "QUEUED" && repositoryShardKey(other) === key;
  if (!entry.shards.some(isWaiting)) return entry;
  const shards = entry.shards.map((other) =>
    isWaiting(other) ? { ...other, generation: result.generation } : other,
  );
  return { ...entry, shards };
}
