/** Begins a deletion, or adds to one that waits in the repository; running snapshots among the named ones are aborted in the same version. */
import type { Problem } from "@orrery/stdx";
import { concurrentSnapshot, repositoryChanged, repositoryMissing } from "../snapshots/problems.ts";
import { advanceSnapshots, isShardCompleted, isSnapshotComplete } from "../snapshots/progress.ts";
import {
  cleanupsOf,
  deletionsOf,
  repositoriesOf,
  restoresOf,
  snapshotsOf,
  withDeletions,
  withSnapshots,
  type ShardSnapshotEntry,
  type SnapshotDeletion,
  type SnapshotEntry,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface DeleteSnapshots {
  readonly kind: "delete-snapshots";
  readonly uuid: string;
  readonly repository: string;
  /** Generation of the repository that the proposer has read. */
  readonly repositoryGeneration: number;
  /** Snapshots in the repository, or running. */
  readonly snapshots: readonly { readonly name: string; readonly uuid: string }[];
  readonly nowMs: number;
}

/**
 * Begins a deletion of snapshots. Unchanged when all of them are being deleted. Rejected while one of them is being
 * restored or cloned, during a clean-up, and when another repository generation is in force.
 */
export function deleteSnapshots(state: ClusterState, task: DeleteSnapshots): Outcome {
  if (task.snapshots.length === 0) return nothingToDelete(state, task);
  const problem = problemWith(state, task);
  if (problem !== undefined) return rejected(problem);
  const aborted = withAborted(state, task);
  const next = advanceSnapshots(withDeletion(aborted, task));
  // Unchanged: all of them are being deleted already, by an earlier attempt or another client.
  return next === state ? unchanged : updated(next);
}

/** Outcome without snapshots. Rejected when the repository was read in an older generation: one of them may be in it by now. */
function nothingToDelete(state: ClusterState, task: DeleteSnapshots): Outcome {
  const metadata = repositoriesOf(state).get(task.repository);
  const isOld = metadata !== undefined && metadata.generation !== task.repositoryGeneration;
  return isOld ? rejected(repositoryChanged) : unchanged;
}

function problemWith(state: ClusterState, task: DeleteSnapshots): Problem | undefined {
  const { repository, snapshots } = task;
  const metadata = repositoriesOf(state).get(repository);
  if (metadata === undefined) return repositoryMissing(repository);
  const uuids = new Set(snapshots.map(({ uuid }) => uuid));
  const [first] = snapshots;
  const refused = (what: string): Problem =>
    concurrentSnapshot(repository, first?.name ?? "", what);
  const restored = restoresOf(state).find(({ snapshot_uuid }) => uuids.has(snapshot_uuid));
  if (restored !== undefined) {
    return refused(
      `cannot delete snapshot during a restore in progress in [RestoreInProgress[${restored.snapshot}]]`,
    );
  }
  if (cleanupsOf(state).length > 0) {
    const names = cleanupsOf(state).map((cleanup) => cleanup.repository);
    return refused(
      `cannot delete snapshots [${snapshots.map(({ name }) => name).join(", ")}] while a repository cleanup is in-progress in [${names.join(", ")}]`,
    );
  }
  const isCloned = snapshotsOf(state).some(
    ({ clone_source: source }) => source !== undefined && uuids.has(source.uuid),
  );
  if (isCloned) return refused("cannot delete snapshot while it is being cloned");
  return metadata.generation === task.repositoryGeneration ? undefined : repositoryChanged;
}

/** The state with the running snapshots aborted; those without a started shard are removed at once. */
function withAborted(
  state: ClusterState,
  { repository, snapshots }: DeleteSnapshots,
): ClusterState {
  const uuids = new Set(snapshots.map(({ uuid }) => uuid));
  const entries = snapshotsOf(state);
  const next = entries.flatMap((entry): SnapshotEntry[] => {
    if (entry.repository !== repository || !uuids.has(entry.uuid)) return [entry];
    const aborted: SnapshotEntry = {
      ...entry,
      state: "ABORTED",
      shards: entry.shards.map(abortedShard),
    };
    return isSnapshotComplete(aborted) ? [] : [aborted];
  });
  return next.every((entry, i) => entry === entries[i]) && next.length === entries.length
    ? state
    : withSnapshots(state, next);
}

function abortedShard(shard: ShardSnapshotEntry): ShardSnapshotEntry {
  if (isShardCompleted(shard)) return shard;
  const reason = "aborted by snapshot deletion";
  if (shard.state === "INIT" || shard.state === "ABORTED") {
    return { ...shard, state: "ABORTED", reason };
  }
  return { ...shard, state: "FAILED", reason };
}

function withDeletion(state: ClusterState, task: DeleteSnapshots): ClusterState {
  const deletions = deletionsOf(state);
  const known = new Set(
    deletions.flatMap((deletion) =>
      deletion.repository === task.repository ? deletion.snapshots.map(({ uuid }) => uuid) : [],
    ),
  );
  const added = task.snapshots.filter(({ uuid }) => !known.has(uuid));
  if (added.length === 0) return state;
  const waiting = deletions.find(
    (deletion) => deletion.repository === task.repository && deletion.state === "WAITING",
  );
  const next: SnapshotDeletion =
    waiting === undefined
      ? {
          uuid: task.uuid,
          repository: task.repository,
          snapshots: added,
          start_time_millis: task.nowMs,
          state: "WAITING",
        }
      : { ...waiting, snapshots: [...waiting.snapshots, ...added] };
  return withDeletions(state, [...deletions.filter((one) => one !== waiting), next]);
}
