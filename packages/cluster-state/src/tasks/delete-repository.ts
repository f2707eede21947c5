/** Unregisters repositories; their contents stay. */
import { matchesGlob } from "@orrery/stdx";
import { repositoryInUse, repositoryMissing } from "../snapshots/problems.ts";
import { repositoriesOf, withRepositories } from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import { isRepositoryUsed } from "./put-repository.ts";

export interface DeleteRepository {
  readonly kind: "delete-repository";
  /** A name, or a pattern with `*`. */
  readonly name: string;
}

/**
 * Unregisters the repositories that a pattern matches. Rejected when none does, unless the pattern is `*`, and while
 * one of them is in use.
 */
export function deleteRepository(state: ClusterState, { name }: DeleteRepository): Outcome {
  const repositories = repositoriesOf(state);
  const gone = [...repositories.keys()].filter((other) => matchesGlob(name, other));
  if (gone.length === 0) {
    return name === "*" ? unchanged : rejected(repositoryMissing(name));
  }
  if (gone.some((other) => isRepositoryUsed(state, other))) return rejected(repositoryInUse());
  const left = new Map([...repositories].filter(([other]) => !gone.includes(other)));
  return updated(withRepositories(state, left));
}
