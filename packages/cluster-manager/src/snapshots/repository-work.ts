/** Work that writes repository data: finalization of snapshots and deletions. Its outcome, failures included, is a task. */
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

/**
 * Context of finalizations and deletions. A failure is recorded before the task that removes the entry, so that waiting
 * clients find it.
 */
export interface RepositoryWorkContext extends WorkContext {
  /** Records why a snapshot failed. */
  readonly rememberFailure: (uuid: string, problem: Problem) => void;
  /** Records why the deletion of a snapshot failed; `undefined` removes the record, when an attempt begins. */
  readonly rememberDeletion: (uuid: string, problem: Problem | undefined) => void;
}

/** Finalizes a snapshot. A failure removes its entry, unless the error is one that the driver retries. */
export async function finalize(
  context: RepositoryWorkContext,
  entry: SnapshotEntry,
): Promise<void> {
  const { deps, rememberFailure } = context;
  const { log } = deps.host;
  const isGone = (): boolean =>
    snapshotsOf(deps.applied()).every(({ uuid }) => uuid !== entry.uuid);
  // Ended by an earlier attempt, whose task was applied after this work became due.
  if (isGone()) return;
  const place = `${entry.repository}:${entry.snapshot}/${entry.uuid}`;
  const broken = entry.shards.find(({ state }) => state === "FAILED");
  if (entry.clone_source !== undefined && broken !== undefined) {
    // A clone is complete or fails. The product's answer does not contain the reason either.
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
      // The snapshot is in the repository; only the removal of replaced blobs has failed.
      log("warn", `${problem.reason}: ${problem.causedBy?.reason}`);
      return;
    }
    rememberFailure(entry.uuid, problem);
    await deps.submit({ kind: "finish-snapshot", uuid: entry.uuid });
  }
}

/** Runs a deletion. A failure removes its entry, unless the error is one that the driver retries. */
export async function carryOut(
  context: RepositoryWorkContext,
  deletion: SnapshotDeletion,
): Promise<void> {
  const { deps } = context;
  if (deletionsOf(deps.applied()).every(({ uuid }) => uuid !== deletion.uuid)) return;
  // A client that waits for this attempt must not find the failure of an earlier one.
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

/** Whether the error concerns the cluster state and not the repository: another generation, or a lost term. The work is then begun again. */
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
