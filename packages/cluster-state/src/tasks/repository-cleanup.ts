/** Begins and ends a clean-up of a repository (`TransportCleanupRepositoryAction`), which excludes snapshots and deletions in the whole cluster. */
import type { Problem } from "@orrery/stdx";
import { repositoryMissing } from "../snapshots/problems.ts";
import {
  cleanupsOf,
  deletionsOf,
  repositoriesOf,
  snapshotsOf,
  withCleanups,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface StartRepositoryCleanup {
  readonly kind: "start-repository-cleanup";
  readonly uuid: string;
  readonly repository: string;
}

export interface FinishRepositoryCleanup {
  readonly kind: "finish-repository-cleanup";
  readonly uuid: string;
}

/**
 * Begins a clean-up of a repository. Unchanged when the clean-up of this request is running. Rejected while a snapshot,
 * a deletion or another clean-up is running in any repository.
 */
export function startRepositoryCleanup(
  state: ClusterState,
  { uuid, repository }: StartRepositoryCleanup,
): Outcome {
  if (cleanupsOf(state).some((cleanup) => cleanup.uuid === uuid)) return unchanged;
  if (!repositoriesOf(state).has(repository)) return rejected(repositoryMissing(repository));
  const why = obstacle(state);
  if (why !== undefined) return rejected(refused(`Cannot cleanup [${repository}] - ${why}`));
  return updated(withCleanups(state, [{ uuid, repository }]));
}

function obstacle(state: ClusterState): string | undefined {
  const names = (list: readonly string[]): string => list.join(",");
  const cleanups = cleanupsOf(state).map(({ repository }) => repository);
  if (cleanups.length > 0) {
    return `a repository cleanup is already in-progress in [${names(cleanups)}]`;
  }
  const deletions = deletionsOf(state).map(({ repository }) => repository);
  if (deletions.length > 0) return `a snapshot is currently being deleted in [${names(deletions)}]`;
  const running = snapshotsOf(state).map(({ snapshot }) => snapshot);
  if (running.length === 0) return undefined;
  return `a snapshot is currently running in [SnapshotsInProgress[${names(running)}]]`;
}

function refused(reason: string): Problem {
  return { type: "illegal_state_exception", reason, status: 500 };
}

/** Ends a clean-up of a repository. Unchanged when it has ended before. */
export function finishRepositoryCleanup(
  state: ClusterState,
  { uuid }: FinishRepositoryCleanup,
): Outcome {
  const left = cleanupsOf(state).filter((cleanup) => cleanup.uuid !== uuid);
  return left.length === cleanupsOf(state).length ? unchanged : updated(withCleanups(state, left));
}
