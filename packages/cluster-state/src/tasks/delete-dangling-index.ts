/** Deletes a dangling index: adds its tombstone, by which nodes remove their copies. */
import { hasTombstone, withTombstone, type DeletedIndex } from "../graveyard.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";

export interface DeleteDanglingIndex extends DeletedIndex {
  readonly kind: "delete-dangling-index";
}

/**
 * Adds the tombstone of a dangling index. Unchanged when the tombstone exists; rejected for an index that is in the
 * state.
 */
export function deleteDanglingIndex(state: ClusterState, task: DeleteDanglingIndex): Outcome {
  const { index, uuid } = task;
  if ([...state.metadata.indices.values()].some((live) => live.uuid === uuid)) {
    const reason = `Refusing to delete dangling index [${index}/${uuid}] as an index with UUID [${uuid}] already exists in the cluster state`;
    return rejected({ type: "illegal_argument_exception", reason, status: 400 });
  }
  return hasTombstone(state, uuid) ? unchanged : updated(withTombstone(state, task));
}
