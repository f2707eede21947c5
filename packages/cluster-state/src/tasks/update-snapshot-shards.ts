/** Records the outcomes of shards of running snapshots. One about a shard that has ended, or is gone, has no effect. */
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

/** The outcome of one shard of a running snapshot. */
export interface ShardSnapshotUpdate {
  /** Uuid of the snapshot. */
  readonly uuid: string;
  /** Id of the index inside the repository. */
  readonly id: string;
  readonly shard: number;
  readonly result:
    | { readonly kind: "success"; readonly generation: string }
    | { readonly kind: "failed"; readonly reason: string };
}

/**
 * Records outcomes of shards. Later snapshots of the same shards start in the same state version, from the new shard
 * generations.
 */
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

/** An entry whose queued snapshot of the shard builds on the new generation. */
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
