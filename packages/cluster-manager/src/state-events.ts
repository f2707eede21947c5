/** Trace events for changes of the shown state: status of a decommission, imports of dangling indices. */
import { decommissionOf, type ClusterState } from "@orrery/cluster-state";
import type { Trace } from "@orrery/ports";
import type { NodeId } from "@orrery/stdx";

/** Returns a listener for `onApplied` that traces the changes of each applied state. */
export function traceStateChanges(
  trace: Trace,
  nodeId: NodeId,
): (state: ClusterState, previous: ClusterState) => void {
  return (state, previous) => {
    if (state.metadata === previous.metadata) return;
    traceDecommission(trace, nodeId, state, previous);
    traceImports(trace, nodeId, state, previous);
  };
}

function traceDecommission(
  trace: Trace,
  nodeId: NodeId,
  state: ClusterState,
  previous: ClusterState,
): void {
  if (state.metadata.customs === previous.metadata.customs) return;
  const held = decommissionOf(previous);
  const now = decommissionOf(state);
  const kind = "decommission-status-changed";
  if (held !== undefined && held.requestId !== now?.requestId) {
    trace({ kind, nodeId, ...held, status: "none" });
  }
  if (now === undefined) return;
  if (held?.requestId === now.requestId && held.status === now.status) return;
  trace({ kind, nodeId, ...now });
}

function traceImports(
  trace: Trace,
  nodeId: NodeId,
  state: ClusterState,
  previous: ClusterState,
): void {
  const { clusterUuid, indices } = state.metadata;
  const before = previous.metadata;
  // The first state of a cluster that a node shows contains imports of the past.
  if (indices === before.indices || before.clusterUuid !== clusterUuid) return;
  for (const [index, { uuid: indexUuid }] of indices) {
    if (before.indices.get(index)?.uuid === indexUuid) continue;
    const copies = state.routingTable.get(index)?.shards.flat() ?? [];
    const isImported = copies.some(
      ({ unassignedInfo }) => unassignedInfo?.reason === "DANGLING_INDEX_IMPORTED",
    );
    if (isImported) trace({ kind: "dangling-index-imported", nodeId, index, indexUuid });
  }
}
