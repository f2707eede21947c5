/** Whether a node may join: the product's rules (`joinProblem`), and that names tell nodes apart. Pure. */
import {
  describeNode,
  joinProblem,
  type ClusterState,
  type DiscoveryNode,
} from "@orrery/cluster-state";
import type { NodeId, Problem } from "@orrery/stdx";

export interface Joiner {
  readonly node: DiscoveryNode;
  /** Of its own log; empty when it belongs to no cluster yet. */
  readonly clusterUuid: string;
}

export function refuseJoin(
  state: ClusterState,
  { node, clusterUuid }: Joiner,
  isConnected: (nodeId: NodeId) => boolean,
): Problem | undefined {
  const problem = joinProblem(state, node, clusterUuid === "" ? undefined : clusterUuid);
  if (problem !== undefined) return problem;
  // One that is not connected is about to leave: it may be the same node with an empty disk.
  const namesake = [...state.nodes.values()].find(
    ({ id, name }) => id !== node.id && name === node.name && isConnected(id),
  );
  if (namesake === undefined) return undefined;
  const reason = `can't add node ${describeNode(node)}, found existing node ${describeNode(namesake)} with the same name`;
  return { type: "illegal_argument_exception", reason, status: 400 };
}
