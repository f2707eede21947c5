/** Resolution of node expressions (`DiscoveryNodes.resolveNodes`): `_all`, `_local`, `_cluster_manager`, ids, names with wildcards, `data:true`, `zone:z1`. */
import { matchesGlob, type NodeId } from "@orrery/stdx";
import { isDataNode } from "../nodes.ts";
import type { ClusterState, DiscoveryNode } from "../types.ts";

/**
 * Ids of the nodes that expressions match, in the order of the state. An empty list of expressions stands for all
 * nodes; `data:false` removes data nodes that earlier expressions have matched.
 */
export function resolveNodes(
  state: ClusterState,
  expressions: readonly string[],
  local?: NodeId,
): readonly NodeId[] {
  const nodes = [...state.nodes.values()];
  if (expressions.length === 0) return nodes.map(({ id }) => id);
  const chosen = new Set<NodeId>();
  for (const expression of expressions) {
    apply(state, nodes, chosen, expression, local);
  }
  return nodes.map(({ id }) => id).filter((id) => chosen.has(id));
}

function apply(
  state: ClusterState,
  nodes: readonly DiscoveryNode[],
  chosen: Set<NodeId>,
  expression: string,
  local: NodeId | undefined,
): void {
  const addAll = (matches: (node: DiscoveryNode) => boolean): void => {
    for (const node of nodes) if (matches(node)) chosen.add(node.id);
  };
  if (expression === "_all") return addAll(() => true);
  if (expression === "_local") return addAll(({ id }) => id === local);
  if (expression === "_master" || expression === "_cluster_manager") {
    return addAll(({ id }) => id === state.managerNodeId);
  }
  addAll((node) => isNamed(node, expression));
  const colon = expression.indexOf(":");
  if (colon < 0) return;
  const attribute = expression.slice(0, colon);
  const value = expression.slice(colon + 1);
  const role = roleTest(attribute);
  if (role === undefined) addAll((node) => hasAttribute(node, attribute, value));
  else if (value === "true") addAll(role);
  else if (value === "false") {
    for (const node of nodes) if (role(node)) chosen.delete(node.id);
  } else addAll((node) => hasAttribute(node, attribute, value));
}

function isNamed(node: DiscoveryNode, expression: string): boolean {
  return (
    node.id === expression ||
    matchesGlob(expression, node.name) ||
    matchesGlob(expression, node.hostAddress) ||
    matchesGlob(expression, node.hostName) ||
    matchesGlob(expression, node.transportAddress)
  );
}

function roleTest(role: string): ((node: DiscoveryNode) => boolean) | undefined {
  switch (role) {
    case "data":
      return isDataNode;
    case "master":
    case "cluster_manager":
      return ({ roles }) => roles.includes("cluster_manager");
    case "ingest":
    case "search":
    case "warm":
    case "remote_cluster_client":
      return ({ roles }) => roles.includes(role);
    case "coordinating_only":
      return ({ roles }) => roles.length === 0;
    default:
      return undefined;
  }
}

function hasAttribute(node: DiscoveryNode, attribute: string, value: string): boolean {
  return Object.entries(node.attributes).some(
    ([key, held]) => matchesGlob(attribute, key) && matchesGlob(value, held),
  );
}
