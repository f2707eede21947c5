/**
 * The generations of a repository, of which the cluster state has two: the one in force, and the highest that anybody was ever
 * allowed to write. A number is given out once, so that what a manager that died wrote is never taken for what is in force.
 */
import { repositoryChanged, repositoryMissing } from "../snapshots/problems.ts";
import {
  CORRUPTED_GENERATION,
  repositoriesOf,
  withRepositories,
  type RepositoryMetadata,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, updated } from "../updates.ts";

export interface SetRepositoryGeneration {
  readonly kind: "set-repository-generation";
  readonly repository: string;
  /** The one in force, as the proposer knows it. */
  readonly expected: number;
  readonly change:
    | { readonly kind: "reserve"; readonly pending: number }
    /** What was written under a reserved number is in force. */
    | { readonly kind: "written"; readonly generation: number }
    /** Its contents are not what the cluster state says: nothing is written until it is registered anew. */
    | { readonly kind: "corrupted" };
}

export function setRepositoryGeneration(
  state: ClusterState,
  { repository, expected, change }: SetRepositoryGeneration,
): Outcome {
  const repositories = repositoriesOf(state);
  const before = repositories.get(repository);
  if (before === undefined) return rejected(repositoryMissing(repository));
  if (before.generation !== expected) return rejected(repositoryChanged);
  if (change.kind === "reserve" && change.pending <= before.pending_generation) {
    return rejected(repositoryChanged);
  }
  const next = changed(before, change);
  return updated(withRepositories(state, new Map(repositories).set(repository, next)));
}

function changed(
  before: RepositoryMetadata,
  change: SetRepositoryGeneration["change"],
): RepositoryMetadata {
  switch (change.kind) {
    case "reserve":
      return { ...before, pending_generation: change.pending };
    case "written":
      return { ...before, generation: change.generation };
    default:
      return { ...before, generation: CORRUPTED_GENERATION };
  }
}
