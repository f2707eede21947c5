/**
 * The cluster as one node sees it, from Raft, its connections and its peers: the elected cluster manager, its own
 * membership, and the node to send a join request to. Pure functions of plain data; the reconcile loop evaluates them
 * after every change.
 */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import type { Peer } from "./discovery-step.ts";

/** Inputs of the view; a snapshot of the moment, never kept. */
export interface ClusterView {
  readonly localNode: DiscoveryNode;
  /** Whether this node's own term has begun: its first entry is applied here. */
  readonly isElected: boolean;
  /** The elected node that Raft follows. Undefined while it follows none, and between this node's election and the beginning of its term. */
  readonly followedId: NodeId | undefined;
  /** Whether this node stopped taking part, because it cannot store or apply the log. */
  readonly isHalted: boolean;
  /** Nodes of the applied state. */
  readonly nodes: ClusterState["nodes"];
  readonly connected: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly peers: ReadonlyMap<NodeId, Peer>;
}

/** Id of the elected cluster manager, by Raft. Undefined while none is known, and until this node's own term has begun. */
export function managerIdOf({ isElected, followedId, localNode }: ClusterView): NodeId | undefined {
  return isElected ? localNode.id : followedId;
}

/** The elected cluster manager as it is connected now, else as the applied state has it; undefined when neither is known. */
export function managerNodeOf(view: ClusterView): DiscoveryNode | undefined {
  const id = managerIdOf(view);
  if (id === undefined) return undefined;
  if (id === view.localNode.id) return view.localNode;
  return view.connected.get(id) ?? view.nodes.get(id);
}

/** Whether the state contains this process of the node, and not an earlier one (another ephemeral id). */
export function containsProcess(
  { nodes }: Pick<ClusterState, "nodes">,
  localNode: DiscoveryNode,
): boolean {
  return nodes.get(localNode.id)?.ephemeralId === localNode.ephemeralId;
}

/** Whether this process is in the applied state, and an elected cluster manager is known. */
export function isMember(view: ClusterView): boolean {
  return managerIdOf(view) !== undefined && containsProcess(view, view.localNode);
}

/**
 * The node to send a join request to: the elected cluster manager that Raft names, else the one that a peer of the
 * highest term names. Undefined for a member, an elected or a halted node, and while no candidate is connected.
 */
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
