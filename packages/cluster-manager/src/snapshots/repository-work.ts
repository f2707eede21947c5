/** The work that writes to a repository as a whole: the end of a snapshot, and deletions. What comes of it is a task. */
import {
  deletionsOf,
  snapshotProblem,
  snapshotsOf,
  type SnapshotDeletion,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import { blobProblem } from "@orrery/repository";
import { OperationError, type Problem } from "@orrery/stdx";
import { runDeletion } from "./delete.ts";
import { finalizeSnapshot } from "./finalize.ts";
import type { WorkContext } from "./shard-work.ts";

/** `rememberFailure` is told why a snapshot came to nothing, before the task that ends it is proposed. */
export interface RepositoryWorkContext extends WorkContext {
  readonly rememberFailure: (uuid: string, problem: Problem) => void;
  /** Told how each attempt to delete a snapshot went, before the task that ends it is proposed; `undefined`: it has begun. */
  readonly rememberDeletion: (uuid: string, problem: Problem | undefined) => void;
}

export async function finalize(
  context: RepositoryWorkContext,
  entry: SnapshotEntry,
): Promise<void> {
  const { deps, rememberFailure } = context;
  const { log } = deps.host;
  const isGone = (): boolean =>
    snapshotsOf(deps.applied()).every(({ uuid }) => uuid !== entry.uuid);
  if (isGone()) return;
  const place = `${entry.repository}:${entry.snapshot}/${entry.uuid}`;
  const broken = entry.shards.find(({ state }) => state === "FAILED");
  if (entry.clone_source !== undefined && broken !== undefined) {
    // All of it or nothing. The product does not say why, either.
    log("warn", `[${place}] removing failed snapshot clone: ${broken.reason}`);
    rememberFailure(entry.uuid, snapshotProblem(place, "null"));
    await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid });
    return;
  }
  try {
    await finalizeSnapshot(deps, entry);
  } catch (error) {
    if (context.isEnded() || isRetried(error)) throw error;
    const problem = failed(place, "failed to update snapshot in repository", error);
    if (isGone()) {
      // It is in the repository; what could not be removed is cleaned up another time.
      log("warn", `${problem.reason}: ${problem.causedBy?.reason}`);
      return;
    }
    rememberFailure(entry.uuid, problem);
    await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid });
  }
}

export async function carryOut(
  context: RepositoryWorkContext,
  deletion: SnapshotDeletion,
): Promise<void> {
  const { deps } = context;
  if (deletionsOf(deps.applied()).every(({ uuid }) => uuid !== deletion.uuid)) return;
  for (const { uuid } of deletion.snapshots) context.rememberDeletion(uuid, undefined);
  try {
    await runDeletion(deps, deletion);
  } catch (error) {
    if (context.isEnded() || isRetried(error)) throw error;
    const names = deletion.snapshots.map(({ name }) => name).join(", ");
    const place = `${deletion.repository}:${names}`;
    const problem = failed(place, "failed to delete snapshots", error);
    for (const { uuid } of deletion.snapshots) context.rememberDeletion(uuid, problem);
    await deps.submit({ kind: "finish-deletion", uuid: deletion.uuid });
  }
}

/** The cluster state moved on meanwhile, or did not take it: not the repository's fault. */
function isRetried(error: unknown): boolean {
  if (!(error instanceof OperationError)) return false;
  const { type } = error.problem;
  return (
    type === "repository_changed" ||
    type === "not_cluster_manager_exception" ||
    type === "failed_to_commit_cluster_state_exception"
  );
}

function failed(place: string, what: string, error: unknown): Problem {
  return {
    type: "snapshot_exception",
    reason: `[${place}] ${what}`,
    status: 500,
    causedBy: blobProblem(error),
  };
}
