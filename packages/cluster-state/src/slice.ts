/** Slices of the cluster state for shard workers: nodes, cluster manager, repositories, and the indices of which the node holds copies. */
import { snapshotSections } from "./snapshots/sections.ts";
import type { ClusterState } from "./types.ts";

/** The slice of a state with these indices; of the custom sections it has only that of repositories. */
export function sliceState(state: ClusterState, indexNames: ReadonlySet<string>): ClusterState {
  const only = <Value>(map: ReadonlyMap<string, Value>): ReadonlyMap<string, Value> =>
    new Map([...map].filter(([name]) => indexNames.has(name)));
  return {
    ...state,
    metadata: {
      ...state.metadata,
      indices: only(state.metadata.indices),
      customs: new Map(
        [...state.metadata.customs].filter(([name]) => name === snapshotSections.repositories),
      ),
    },
    routingTable: only(state.routingTable),
    blocks: { ...state.blocks, indices: only(state.blocks.indices) },
  };
}
