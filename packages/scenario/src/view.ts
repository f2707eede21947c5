/** View of a node's cluster state, for checkers, conditions and selectors. */
import type { Simulation } from "@orrery/simulator";
import type { ClusterView, IndexView, ShardView } from "./world.ts";

type ClusterState = ReturnType<NonNullable<ReturnType<Simulation["cluster"]>>["state"]>;

/** Views by state, cached: states are read often and change rarely. */
const known = new WeakMap<ClusterState, ClusterView>();

/** View of a cluster state; the same state gives the same object. */
export function viewOf(state: ClusterState): ClusterView {
  const view = known.get(state) ?? makeView(state);
  known.set(state, view);
  return view;
}

function makeView(state: ClusterState): ClusterView {
  const nodeIds = new Map([...state.nodes].map(([id, { name }]) => [String(id), name]));
  const indices = [...state.metadata.indices.values()].map((index): [string, IndexView] => [
    index.name,
    {
      uuid: index.uuid,
      state: index.state,
      numberOfShards: index.numberOfShards,
      routingNumShards: index.routingNumShards,
      numberOfReplicas: index.numberOfReplicas,
      primaryTerms: index.primaryTerms,
      inSync: index.inSyncAllocationIds,
    },
  ]);
  const shards = [...state.routingTable.values()].flatMap((table) =>
    table.shards.flat().map((copy): ShardView => ({
      index: copy.index,
      shard: copy.shard,
      isPrimary: copy.primary,
      state: copy.state,
      node: copy.nodeId === undefined ? undefined : nodeIds.get(copy.nodeId),
      movesTo: copy.relocatingNodeId === undefined ? undefined : nodeIds.get(copy.relocatingNodeId),
      isNew: copy.unassignedInfo?.reason === "INDEX_CREATED",
      allocationId: copy.allocationId,
    })),
  );
  const { managerNodeId } = state;
  return {
    clusterManager: managerNodeId === undefined ? undefined : nodeIds.get(managerNodeId),
    term: state.term,
    version: state.version,
    stateUuid: state.stateUuid,
    nodes: [...nodeIds.values()],
    nodeIds,
    indices: new Map(indices),
    shards,
  };
}
