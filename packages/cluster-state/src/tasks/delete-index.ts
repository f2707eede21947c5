/** Removes an index and remembers it as a tombstone, so that a node which was away does not bring it back. */
import type { IndexUuid } from "@orrery/stdx";
import { withIndexBlocks } from "../blocks.ts";
import { withTombstone } from "../graveyard.ts";
import { snapshotGuard } from "../snapshots/guard.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { indexNotFound, rejected, updated } from "../updates.ts";

export interface DeleteIndex {
  readonly kind: "delete-index";
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly nowMs: number;
  /** The proposer's `cluster.indices.tombstones.size`, which is a node's setting. */
  readonly maxTombstones?: number;
}

export function deleteIndex(state: ClusterState, task: DeleteIndex): Outcome {
  const metadata = state.metadata.indices.get(task.index);
  if (metadata?.uuid !== task.uuid) return rejected(indexNotFound(task.index));
  const problem = snapshotGuard(state, [task.index], "delete");
  if (problem !== undefined) return rejected(problem);
  const next = withTombstone(withoutIndex(state, task.index), task);
  return updated(next);
}

/** The index gone from metadata, routing table and blocks. */
export function withoutIndex(state: ClusterState, name: string): ClusterState {
  const indices = new Map(state.metadata.indices);
  const routingTable = new Map(state.routingTable);
  indices.delete(name);
  routingTable.delete(name);
  return {
    ...state,
    metadata: { ...state.metadata, indices },
    routingTable,
    blocks: withIndexBlocks(state.blocks, name, []),
  };
}
