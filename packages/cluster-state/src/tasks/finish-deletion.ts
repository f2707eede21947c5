/** A deletion is done, or given up: what waited for it starts, from the shards' generations as it left them. */
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
  /** Of every index that is left, by its id; without, the repository is as it was. */
  readonly shardGenerations?: Readonly<Record<string, readonly (string | null)[]>>;
}

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
