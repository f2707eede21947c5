/** The initial state, before the first log entry: no nodes, no indices, and block 1 ("state not recovered"). */
import { stateNotRecoveredBlock } from "./blocks.ts";
import type { ClusterState } from "./types.ts";

/** The initial state of a cluster of this name. */
export function initialState(clusterName: string): ClusterState {
  return {
    clusterName,
    version: 0,
    stateUuid: "_na_",
    term: 0,
    managerNodeId: undefined,
    nodes: new Map(),
    metadata: {
      clusterUuid: "_na_",
      isClusterUuidCommitted: false,
      version: 0,
      coordination: {
        votingConfiguration: [],
        votingConfigExclusions: [],
        raftIds: new Map(),
        nextRaftId: 1,
      },
      persistentSettings: {},
      transientSettings: {},
      indices: new Map(),
      customs: new Map(),
    },
    routingTable: new Map(),
    blocks: { global: [stateNotRecoveredBlock], indices: new Map() },
  };
}
