/**
 * Where a node stands, from what Raft, its links and its peers tell: who is elected, whether this node is a member, and which node it
 * asks to become one. Functions of plain data: the role asks them again whenever some of that has changed.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import type { Peer } from "./discovery-step.ts";

export interface ClusterView {
  readonly localNode: DiscoveryNode;
  /** This node has taken up its term as the elected cluster manager. */
  readonly isElected: boolean;
  /** The node that Raft follows; undefined while it follows none, or this node is elected and has not taken up its term. */
  readonly followedId: NodeId | undefined;
  /** This node cannot keep or apply the log. */
  readonly isHalted: boolean;
  /** Nodes of the applied state. */
  readonly nodes: ClusterState["nodes"];
  readonly connected: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly peers: ReadonlyMap<NodeId, Peer>;
}

/** The elected cluster manager as far as Raft tells; undefined while it has not taken up its term. */
export function managerIdOf({ isElected, followedId, localNode }: ClusterView): NodeId | undefined {
  return isElected ? localNode.id : followedId;
}

export function managerNodeOf(view: ClusterView): DiscoveryNode | undefined {
  const id = managerIdOf(view);
  if (id === undefined) return undefined;
  if (id === view.localNode.id) return view.localNode;
  return view.connected.get(id) ?? view.nodes.get(id);
}

/** This process, not an earlier one of the same node, is in the state. */
export function containsProcess(
  { nodes }: Pick<ClusterState, "nodes">,
  localNode: DiscoveryNode,
): boolean {
  return nodes.get(localNode.id)?.ephemeralId === localNode.ephemeralId;
}

export function isMember(view: ClusterView): boolean {
  return managerIdOf(view) !== undefined && containsProcess(view, view.localNode);
}

/** The node to ask for membership: the one that Raft names, else the one that peers name in the highest term. */
export function managerToAsk(view: ClusterView): DiscoveryNode | undefined {
  if (view.isElected || isMember(view) || view.isHalted) return undefined;
  const { connected } = view;
  const known = managerNodeOf(view);
  if (known !== undefined && connected.has(known.id)) return known;
  const named = [...view.peers.values()]
    .filter(({ managerNode: node }) => node !== undefined && connected.has(node.id))
    .toSorted((a, b) => b.term - a.term);
  const id = named[0]?.managerNode?.id;
  return id === undefined ? undefined : connected.get(id);
}
