/** Problems of repositories and snapshots that reducers find, in the product's words. */
import type { Problem } from "@orrery/stdx";

export function repositoryMissing(name: string): Problem {
  return { type: "repository_missing_exception", reason: `[${name}] missing`, status: 404 };
}

export function snapshotMissing(repository: string, snapshot: string): Problem {
  const reason = `[${repository}:${snapshot}] is missing`;
  return { type: "snapshot_missing_exception", reason, status: 404 };
}

export function snapshotProblem(snapshot: string, what: string): Problem {
  return { type: "snapshot_exception", reason: `[${snapshot}] ${what}`, status: 500 };
}

export function invalidSnapshotName(repository: string, name: string, what: string): Problem {
  return {
    type: "invalid_snapshot_name_exception",
    reason: `[${repository}:${name}] Invalid snapshot name [${name}], ${what}`,
    status: 400,
  };
}

export function concurrentSnapshot(repository: string, name: string, what: string): Problem {
  return {
    type: "concurrent_snapshot_execution_exception",
    reason: `[${repository}:${name}] ${what}`,
    status: 503,
  };
}

/** The problem of changing or unregistering a repository with a running operation. */
export function repositoryInUse(): Problem {
  return {
    type: "illegal_state_exception",
    reason: "trying to modify or unregister repository that is currently used",
    status: 500,
  };
}

/** The repository has another generation than the task expects. Internal: services of the cluster manager read it again and retry. */
export const repositoryChanged: Problem = {
  type: "repository_changed",
  reason: "the repository has another generation than the one this was decided on",
  status: 500,
};
