/**
 * Changes the generations of a repository (`BlobStoreRepository.writeIndexGen`). The cluster state has two: the one in
 * force, and the greatest that was ever reserved. A number is reserved once, so that data which a crashed cluster manager
 * wrote is never taken for the generation in force (INV-SNAP-5).
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
  /** The generation in force that the proposer has seen; the task is rejected when it is another one. */
  readonly expected: number;
  readonly change:
    | { readonly kind: "reserve"; readonly pending: number }
    /** Puts data that was written under a reserved number in force. */
    | { readonly kind: "written"; readonly generation: number }
    /** Disables the repository, whose contents do not match the cluster state, until it is registered anew. */
    | { readonly kind: "corrupted" };
}

/**
 * Reserves a generation of a repository, puts one in force, or marks the repository as corrupted. Rejected as
 * `repositoryChanged` when another generation is in force than expected, and for a number that was reserved before.
 */
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
