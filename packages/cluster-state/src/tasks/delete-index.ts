/** Deletes an index and adds its tombstone, so that a node that missed the deletion does not import its copies. */
import { illegalArgument, type IndexUuid, type Problem } from "@orrery/stdx";
import { withIndexBlocks } from "../blocks.ts";
import { dataStreamOf, withDataStream, writeIndexOf } from "../data-streams.ts";
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

/**
 * Deletes an index. Rejected when no index has this uuid, when the index is the write index of a data stream, or when a
 * running snapshot that is not partial contains it.
 */
export function deleteIndex(state: ClusterState, task: DeleteIndex): Outcome {
  const metadata = state.metadata.indices.get(task.index);
  if (metadata?.uuid !== task.uuid) return rejected(indexNotFound(task.index));
  const problem =
    writeIndexProblem(state, task.index) ?? snapshotGuard(state, [task.index], "delete");
  if (problem !== undefined) return rejected(problem);
  const next = withTombstone(withoutIndex(state, task.index), task);
  return updated(withoutBackingIndex(next, task.index));
}

/**
 * The problem of deleting the write index of a data stream, since a stream always has one; undefined for any other
 * index.
 */
export function writeIndexProblem(state: ClusterState, index: string): Problem | undefined {
  const stream = dataStreamOf(state, index);
  if (stream === undefined || writeIndexOf(stream) !== index) return undefined;
  return illegalArgument(
    `index [${index}] is the write index for data stream [${stream.name}] and cannot be deleted`,
  ).problem;
}

/** The state with a deleted index removed from its data stream. */
export function withoutBackingIndex(state: ClusterState, index: string): ClusterState {
  const stream = dataStreamOf(state, index);
  if (stream === undefined) return state;
  const indices = stream.indices.filter(({ index_name: name }) => name !== index);
  return withDataStream(state, { ...stream, indices });
}

/** The state without the index in metadata, routing table and blocks. */
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
