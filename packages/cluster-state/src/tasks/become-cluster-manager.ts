/** A node won an election: the state names it, and nodes that are no longer what they were are trimmed. */
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { stateNotRecoveredBlock } from "../blocks.ts";
import { isDecommissioned } from "../decommission.ts";
import { withRaftIds } from "../raft-ids.ts";
import type { ClusterState, DiscoveryNode, Outcome } from "../types.ts";
import { updated } from "../updates.ts";
import { withJoinedExclusions } from "../voting-exclusions.ts";

export interface BecomeClusterManager {
  readonly kind: "become-cluster-manager";
  /** The elected node as it is now. */
  readonly node: DiscoveryNode;
  /** Other nodes known to be alive, as they are now: those who voted or whose follower check succeeded. */
  readonly joined: readonly DiscoveryNode[];
  /** Drawn by the proposer; used only when the cluster has none yet. */
  readonly clusterUuid: string;
  /** For the replicas that are added because of it. */
  readonly nowMs?: number;
}

/**
 * Existing nodes stay until fault detection finds them gone, except those whose id or address now belongs to another
 * incarnation. When none of the nodes known to be alive carries the state's incarnation, the whole cluster was
 * restarted: nothing of the routing table is true any more, and the state waits for recovery behind block 1.
 */
export function becomeClusterManager(state: ClusterState, task: BecomeClusterManager): Outcome {
  const alive = [task.node, ...task.joined.filter(({ id }) => id !== task.node.id)];
  const isRestart = state.nodes.size > 0 && !alive.some((node) => isKnown(state, node));
  const kept = isRestart ? [] : [...state.nodes.values()].filter((old) => !isReplaced(old, alive));
  const taken = alive.filter((node) => node === task.node || mayStay(state, node));
  const nodes = new Map([...kept, ...taken].map((node) => [node.id, node]));
  const { metadata } = state;
  const isFirst = metadata.clusterUuid === "_na_";
  const named = withJoinedExclusions(metadata.coordination, taken);
  const coordination = withRaftIds(named, [...nodes.keys()]);
  const voters = coordination.votingConfiguration;
  const next: ClusterState = {
    ...state,
    managerNodeId: task.node.id,
    nodes,
    metadata: {
      ...metadata,
      clusterUuid: isFirst ? task.clusterUuid : metadata.clusterUuid,
      isClusterUuidCommitted: true,
      coordination: {
        ...coordination,
        votingConfiguration: voters.length === 0 ? [task.node.id] : voters,
      },
    },
  };
  return updated(withAutoExpandedReplicas(isRestart ? unrecovered(next) : next, task.nowMs));
}

function isKnown(state: ClusterState, node: DiscoveryNode): boolean {
  return state.nodes.get(node.id)?.ephemeralId === node.ephemeralId;
}

/** Another incarnation joins, and a node of a zone that is taken out may not. */
function mayStay(state: ClusterState, node: DiscoveryNode): boolean {
  return isKnown(state, node) || !isDecommissioned(state, node);
}

function isReplaced(old: DiscoveryNode, alive: readonly DiscoveryNode[]): boolean {
  return alive.some(
    ({ id, ephemeralId, transportAddress }) =>
      ephemeralId !== old.ephemeralId &&
      (id === old.id || transportAddress === old.transportAddress),
  );
}

function unrecovered(state: ClusterState): ClusterState {
  const others = state.blocks.global.filter(({ id }) => id !== stateNotRecoveredBlock.id);
  return {
    ...state,
    routingTable: new Map(),
    blocks: { ...state.blocks, global: [stateNotRecoveredBlock, ...others] },
  };
}
