/** Helpers of reducers: outcomes, and changes of the state that several tasks make. */
import type { Problem } from "@orrery/stdx";
import { blocksOfIndex, withIndexBlocks } from "./blocks.ts";
import type { ClusterState, IndexMetadata, IndexRoutingTable, Outcome } from "./types.ts";

export function updated(state: ClusterState): Outcome {
  return { kind: "updated", state };
}

/** The outcome of a task that is valid and changes nothing. */
export const unchanged: Outcome = { kind: "unchanged" };

export function rejected(error: Problem): Outcome {
  return { kind: "rejected", error };
}

/** The state with the index's metadata replaced, and the blocks that follow from it. */
export function withIndex(state: ClusterState, metadata: IndexMetadata): ClusterState {
  const indices = new Map(state.metadata.indices).set(metadata.name, metadata);
  const held = state.blocks.indices.get(metadata.name) ?? [];
  return {
    ...state,
    metadata: { ...state.metadata, indices },
    blocks: withIndexBlocks(state.blocks, metadata.name, blocksOfIndex(metadata, held)),
  };
}

/** The state with the routing row replaced. */
export function withRow(state: ClusterState, row: IndexRoutingTable): ClusterState {
  return { ...state, routingTable: new Map(state.routingTable).set(row.index, row) };
}

export function indexNotFound(name: string, resourceType = "index_or_alias"): Problem {
  return {
    type: "index_not_found_exception",
    reason: `no such index [${name}]`,
    status: 404,
    metadata: {
      index: name,
      "resource.id": name,
      "resource.type": resourceType,
      index_uuid: "_na_",
    },
  };
}
