/** Adds a node that was validated and has caught up with the log (`JoinTaskExecutor`). */
import type { Problem } from "@orrery/stdx";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { decommissionOf, describeZone, isDecommissioned } from "../decommission.ts";
import { compareVersions, describeNode } from "../nodes.ts";
import { withRaftIds } from "../raft-ids.ts";
import type { ClusterState, DiscoveryNode, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import { withJoinedExclusions } from "../voting-exclusions.ts";

export interface NodeJoin {
  readonly kind: "node-join";
  readonly node: DiscoveryNode;
  /** Cluster uuid of the joining node's own log; undefined when it belongs to no cluster. */
  readonly clusterUuid?: string;
  /** Time in the unassigned info of replicas that are added for the node. */
  readonly nowMs?: number;
}

/** Adds a node. Unchanged when the state has this process of the node; rejected for the reasons of `joinProblem`. */
export function nodeJoin(state: ClusterState, task: NodeJoin): Outcome {
  const { node } = task;
  const error = joinProblem(state, node, task.clusterUuid);
  if (error !== undefined) return rejected(error);
  const known = state.nodes.get(node.id);
  if (known !== undefined && JSON.stringify(known) === JSON.stringify(node)) return unchanged;
  const named = withJoinedExclusions(state.metadata.coordination, [node]);
  const coordination = withRaftIds(named, [node.id]);
  const next: ClusterState = {
    ...state,
    nodes: new Map(state.nodes).set(node.id, node),
    metadata: { ...state.metadata, coordination },
  };
  return updated(withAutoExpandedReplicas(next, task.nowMs));
}

/** Why a node may not join, in the product's order of checks; undefined when it may. Also checked before the node becomes a learner. */
export function joinProblem(
  state: ClusterState,
  node: DiscoveryNode,
  clusterUuid: string | undefined,
): Problem | undefined {
  return (
    versionProblem(state, node) ??
    clusterUuidProblem(state, clusterUuid) ??
    decommissionProblem(state, node) ??
    duplicateProblem(state, node)
  );
}

function versionProblem(state: ClusterState, node: DiscoveryNode): Problem | undefined {
  const others = [...state.nodes.values()].filter(({ id }) => id !== node.id);
  const versions = others.map(({ version }) => version).toSorted(compareVersions);
  const [oldest] = versions;
  if (oldest === undefined || compareVersions(node.version, oldest) >= 0) return undefined;
  return {
    type: "illegal_state_exception",
    reason: `node version [${node.version}] may not join a cluster comprising only nodes of version [${oldest}] or greater`,
    status: 500,
  };
}

function clusterUuidProblem(state: ClusterState, joining: string | undefined): Problem | undefined {
  const { clusterUuid } = state.metadata;
  if (joining === undefined || clusterUuid === "_na_" || joining === clusterUuid) return undefined;
  return {
    type: "coordination_state_rejected_exception",
    reason: `join validation on cluster state with a different cluster uuid ${clusterUuid} than local cluster uuid ${joining}, rejecting`,
    status: 500,
  };
}

/** The problem of a node whose zone drains or was removed. Before the drain, and after a failure, it may join. */
function decommissionProblem(state: ClusterState, node: DiscoveryNode): Problem | undefined {
  const decommission = decommissionOf(state);
  if (decommission === undefined || !isDecommissioned(state, node)) return undefined;
  return {
    type: "node_decommissioned_exception",
    reason: `node [${describeNode(node)}] has decommissioned attribute [${describeZone(decommission)}] with current status of decommissioning [${decommission.status}]`,
    status: 424,
  };
}

/** The problem of a node whose id or address another node of the state has. Retryable: fault detection removes a former process, then the join succeeds. */
function duplicateProblem(state: ClusterState, node: DiscoveryNode): Problem | undefined {
  for (const existing of state.nodes.values()) {
    if (existing.id !== node.id && existing.transportAddress === node.transportAddress) {
      return duplicate(node, existing, "with same address");
    }
    if (existing.id === node.id && existing.ephemeralId !== node.ephemeralId)
      return sameIdProblem(node, existing);
  }
  return undefined;
}

/** The problem of two processes with the same node id. */
export function sameIdProblem(node: DiscoveryNode, existing: DiscoveryNode): Problem {
  return duplicate(node, existing, "with the same id but is a different node instance");
}

function duplicate(node: DiscoveryNode, existing: DiscoveryNode, how: string): Problem {
  return {
    type: "illegal_argument_exception",
    reason: `can't add node ${describeNode(node)}, found existing node ${describeNode(existing)} ${how}`,
    status: 400,
    isRetryable: true,
  };
}
