/** First task of a term: names the elected cluster manager in the state, and replaces nodes whose process has changed (`JoinTaskExecutor`). */
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { stateNotRecoveredBlock } from "../blocks.ts";
import { isDecommissioned } from "../decommission.ts";
import { withRaftIds } from "../raft-ids.ts";
import type { ClusterState, DiscoveryNode, Outcome } from "../types.ts";
import { updated } from "../updates.ts";
import { withJoinedExclusions } from "../voting-exclusions.ts";

export interface BecomeClusterManager {
  readonly kind: "become-cluster-manager";
  /** The elected node, as its current process. */
  readonly node: DiscoveryNode;
  /** Other nodes of the state that it is connected to, as their current processes. */
  readonly joined: readonly DiscoveryNode[];
  /** A new cluster uuid, drawn by the proposer; used only when the cluster has none. */
  readonly clusterUuid: string;
  /** Time in the unassigned info of replicas that are added for these nodes. */
  readonly nowMs?: number;
}

/**
 * Names a new cluster manager. Nodes of the state stay until fault detection removes them, except those whose id or
 * address belongs to another process now. If no live node is the process that the state has, the whole cluster was
 * restarted: no copy is assigned any more, so the routing table is dropped, and the state waits for recovery behind
 * block 1.
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

/** Whether a live node may be in the state: it is already, or its zone is not decommissioned, which a new process counts as joining. */
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
