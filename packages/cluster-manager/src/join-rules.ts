/**
 * Rules for joining nodes: those of the product (`joinProblem`: version, cluster uuid, decommissioned zone, address),
 * and unique node names, which scenarios and the command line use to address nodes. Pure.
 */
import {
  describeNode,
  joinProblem,
  type ClusterState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import type { NodeId, Problem } from "@orrery/stdx";

/** A node that asks to join. */
export interface Joiner {
  readonly node: DiscoveryNode;
  /** Cluster uuid of its own log; empty when it belongs to no cluster yet. */
  readonly clusterUuid: string;
}

/** Why the node may not join `state`; undefined when it may. */
export function refuseJoin(
  state: ClusterState,
  { node, clusterUuid }: Joiner,
  isConnected: (nodeId: NodeId) => boolean,
): Problem | undefined {
  const problem = joinProblem(state, node, clusterUuid === "" ? undefined : clusterUuid);
  if (problem !== undefined) return problem;
  // A namesake that is not connected is about to be removed: it may be the same node before it lost its disk.
  const namesake = [...state.nodes.values()].find(
    ({ id, name }) => id !== node.id && name === node.name && isConnected(id),
  );
  if (namesake === undefined) return undefined;
  const reason = `can't add node ${describeNode(node)}, found existing node ${describeNode(namesake)} with the same name`;
  return { type: "illegal_argument_exception", reason, status: 400 };
}
