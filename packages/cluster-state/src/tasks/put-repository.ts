/** Registers a repository, or changes its definition. While it is in use, only its rate limits may change. */
import { isSameJson } from "../same-json.ts";
import { repositoryInUse } from "../snapshots/problems.ts";
import {
  cleanupsOf,
  deletionsOf,
  repositoriesOf,
  restoresOf,
  snapshotsOf,
  UNKNOWN_GENERATION,
  withRepositories,
  type RepositoryMetadata,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome, SettingsChange } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface PutRepository {
  readonly kind: "put-repository";
  readonly name: string;
  readonly type: string;
  readonly settings: SettingsChange;
}

/** Settings that may change while the repository is in use. */
const reloadable: ReadonlySet<string> = new Set([
  "max_snapshot_bytes_per_sec",
  "max_restore_bytes_per_sec",
]);

/**
 * Registers a repository, or changes its definition. A change of more than rate limits is rejected while the repository
 * is in use; it sets the generation to unknown, and keeps the record of reserved generations.
 */
export function putRepository(state: ClusterState, task: PutRepository): Outcome {
  const repositories = repositoriesOf(state);
  const before = repositories.get(task.name);
  const { type, settings } = task;
  if (before?.type === type && isSameJson(before.settings, settings)) return unchanged;
  const isSamePlace = before?.type === type && isSameJson(fixed(before.settings), fixed(settings));
  if (before !== undefined && !isSamePlace && isRepositoryUsed(state, task.name)) {
    return rejected(repositoryInUse());
  }
  const next: RepositoryMetadata =
    before !== undefined && isSamePlace
      ? { ...before, settings }
      : {
          type,
          settings,
          generation: UNKNOWN_GENERATION,
          pending_generation: before?.pending_generation ?? -1,
        };
  return updated(withRepositories(state, new Map(repositories).set(task.name, next)));
}

function fixed(settings: PutRepository["settings"]): PutRepository["settings"] {
  return Object.fromEntries(Object.entries(settings).filter(([key]) => !reloadable.has(key)));
}

/** Whether a snapshot, deletion, restore or clean-up is running on the repository. */
export function isRepositoryUsed(state: ClusterState, name: string): boolean {
  const work: readonly { readonly repository: string }[] = [
    ...snapshotsOf(state),
    ...deletionsOf(state),
    ...restoresOf(state),
    ...cleanupsOf(state),
  ];
  return work.some(({ repository }) => repository === name);
}
