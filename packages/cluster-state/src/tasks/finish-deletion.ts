/** Ends a deletion, successful or not: snapshots that waited for it start, from the shard generations that it has written. */
import { lookup } from "@orrery/stdx";
import { advanceSnapshots } from "../snapshots/progress.ts";
import {
  deletionsOf,
  snapshotsOf,
  withDeletions,
  withSnapshots,
  type SnapshotEntry,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { unchanged, updated } from "../updates.ts";

export interface FinishDeletion {
  readonly kind: "finish-deletion";
  readonly uuid: string;
  /** Shard generations of all remaining indices by index id; undefined when the deletion failed and changed nothing. */
  readonly shardGenerations?: Readonly<Record<string, readonly (string | null)[]>>;
}

/** Ends a deletion of snapshots. Unchanged when it has ended already. */
export function finishDeletion(state: ClusterState, task: FinishDeletion): Outcome {
  const { uuid, shardGenerations } = task;
  const deletions = deletionsOf(state);
  const deletion = deletions.find((other) => other.uuid === uuid);
  if (deletion === undefined) return unchanged;
  const next = withDeletions(
    state,
    deletions.filter((other) => other !== deletion),
  );
  if (shardGenerations === undefined) return updated(advanceSnapshots(next));
  const entries = snapshotsOf(next).map((entry) =>
    entry.repository === deletion.repository ? rebased(entry, shardGenerations) : entry,
  );
  return updated(advanceSnapshots(withSnapshots(next, entries)));
}

/** The entry with its queued shards on the generations that the deletion has written; the former ones are stale now. */
function rebased(
  entry: SnapshotEntry,
  generations: Readonly<Record<string, readonly (string | null)[]>>,
): SnapshotEntry {
  const shards = entry.shards.map((shard) =>
    shard.state === "QUEUED"
      ? { ...shard, generation: lookup(generations, shard.id)?.[shard.shard] ?? null }
      : shard,
  );
  return { ...entry, shards };
}
