/** Decisions as JSON for explain and reroute (`AbstractAllocationDecision`, `NodeAllocationResult`). */
import type { DiscoveryNode } from "@orrery/cluster-state";
import { compareText, formatDuration, type JsonObject } from "@orrery/stdx";
import type { MoveDecision } from "./balancer/move-shards.ts";
import type { RebalanceDecision } from "./balancer/rebalance.ts";
import { toDecisions, type Decisions } from "./decision.ts";
import {
  fromType,
  type AllocationDecision,
  type NodeResult,
  type StoreResult,
  type UnassignedDecision,
} from "./unassigned-decision.ts";

export function printDeciders(decisions: Decisions, includeYes: boolean): readonly JsonObject[] {
  return toDecisions(decisions, includeYes).map(({ type, label, explanation }) => ({
    decider: label,
    decision: type,
    explanation,
  }));
}

/** Prints a node as `{id, name, transport_address, attributes}`. */
export function printNode({ id, name, transportAddress, attributes }: DiscoveryNode): JsonObject {
  return { id, name, transport_address: transportAddress, attributes: { ...attributes } };
}

export function printUnassigned(made: UnassignedDecision, includeYes: boolean): JsonObject {
  const { delay, existingId, node, nodeResults } = made;
  return {
    can_allocate: made.decision,
    allocate_explanation: explainUnassigned(made),
    ...(node === undefined ? {} : { target_node: printNode(node.node) }),
    ...(existingId === undefined ? {} : { allocation_id: existingId }),
    ...(delay === undefined
      ? {}
      : {
          configured_delay_in_millis: delay.configuredMs,
          remaining_delay_in_millis: delay.remainingMs,
        }),
    ...printNodeResults(nodeResults, includeYes),
  };
}

function explainUnassigned({
  decision,
  delay,
  hasInSyncCopies,
  nodeResults,
}: UnassignedDecision): string {
  switch (decision) {
    case "yes":
      return "can allocate the shard";
    case "throttled":
      return "allocation temporarily throttled";
    case "awaiting_info":
      return "cannot allocate because information about existing shard data is still being retrieved from some of the nodes";
    case "no_valid_shard_copy":
      return nodeResults.some(({ store }) => store?.kind === "primary")
        ? "cannot allocate because all found copies of the shard are either stale or corrupt"
        : "cannot allocate because a previous copy of the primary shard existed but can no longer be found on the nodes in the cluster";
    case "allocation_delayed": {
      const isAllowed = nodeResults.some((result) => result.decision === "yes");
      const despite = ", despite being allowed to allocate the shard to at least one other node";
      return `cannot allocate because the cluster is still waiting ${formatDuration(delay?.remainingMs ?? 0)} for the departed node holding a replica to rejoin${isAllowed ? despite : ""}`;
    }
    case "no":
    case "no_attempt":
    case "worse_balance":
      return hasInSyncCopies === true
        ? "cannot allocate because allocation is not permitted to any of the nodes that hold an in-sync shard copy"
        : "cannot allocate because allocation is not permitted to any of the nodes";
  }
}

export function printMove(made: MoveDecision, includeYes: boolean): JsonObject {
  const isForced = made.type === "YES";
  const explanation = isForced
    ? "shard cannot remain on this node and is force-moved to another node"
    : made.type === "THROTTLE"
      ? "shard cannot remain on this node but is throttled on moving to another node"
      : "cannot move shard to another node, even though it is not allowed to remain on its current node";
  const { target } = made;
  return {
    ...(target === undefined ? {} : { target_node: printNode(target.node) }),
    can_remain_on_current_node: "no",
    ...nonEmpty("can_remain_decisions", printDeciders(made.canRemain, includeYes)),
    can_move_to_other_node: isForced ? "yes" : "no",
    move_explanation: explanation,
    ...printNodeResults(made.nodeResults, includeYes),
  };
}

export function printRebalance(made: RebalanceDecision, includeYes: boolean): JsonObject {
  const { target, canRebalance, decision, nodeResults } = made;
  const cluster = fromType(canRebalance.type);
  return {
    ...(target === undefined ? {} : { target_node: printNode(target.node) }),
    can_remain_on_current_node: "yes",
    can_rebalance_cluster: cluster,
    ...(cluster === "yes"
      ? {}
      : nonEmpty("can_rebalance_cluster_decisions", printDeciders(canRebalance, includeYes))),
    can_rebalance_to_other_node: decision,
    rebalance_explanation: explainRebalance(made),
    ...printNodeResults(nodeResults, includeYes),
  };
}

function explainRebalance({
  canRebalance,
  decision,
  target,
  nodeResults,
}: RebalanceDecision): string {
  if (decision === "awaiting_info") {
    return "cannot rebalance as information about existing copies of this shard in the cluster is still being gathered";
  }
  if (canRebalance.type === "NO") {
    const isAllowed = nodeResults.some((result) => result.decision === "yes");
    const even = ", even though there is at least one node on which the shard can be allocated";
    return `rebalancing is not allowed${isAllowed ? even : ""}`;
  }
  if (canRebalance.type === "THROTTLE") return "rebalancing is throttled";
  if (target === undefined) {
    return "cannot rebalance as no target node exists that can both allocate this shard and improve the cluster balance";
  }
  return decision === "throttled" ? "shard rebalancing throttled" : "can rebalance shard";
}

function nonEmpty(key: string, values: readonly JsonObject[]): JsonObject {
  return values.length === 0 ? {} : { [key]: values };
}

const ORDER: readonly AllocationDecision[] = [
  "yes",
  "throttled",
  "no",
  "worse_balance",
  "awaiting_info",
  "allocation_delayed",
  "no_valid_shard_copy",
  "no_attempt",
];

function printNodeResults(results: readonly NodeResult[], includeYes: boolean): JsonObject {
  const sorted = results.toSorted(
    (a, b) =>
      ORDER.indexOf(a.decision) - ORDER.indexOf(b.decision) ||
      a.weightRanking - b.weightRanking ||
      compareText(a.node.id, b.node.id),
  );
  return nonEmpty(
    "node_allocation_decisions",
    sorted.map((result) => printNodeResult(result, includeYes)),
  );
}

function printNodeResult(result: NodeResult, includeYes: boolean): JsonObject {
  const { node, decision, decisions, store, weightRanking } = result;
  const deciders = decisions === undefined ? [] : printDeciders(decisions, includeYes);
  return {
    node_id: node.id,
    node_name: node.name,
    transport_address: node.transportAddress,
    node_attributes: { ...node.attributes },
    node_decision: decision,
    ...(store === undefined ? {} : { store: printStore(store) }),
    ...(weightRanking > 0 ? { weight_ranking: weightRanking } : {}),
    ...nonEmpty("deciders", deciders),
  };
}

function printStore(store: StoreResult): JsonObject {
  switch (store.kind) {
    case "none":
      return { found: false };
    case "replica":
      return store.hasSyncId
        ? { matching_sync_id: true }
        : { matching_size_in_bytes: store.matchingBytes };
    case "primary":
      return {
        in_sync: store.isInSync,
        ...(store.allocationId === undefined ? {} : { allocation_id: store.allocationId }),
        ...(store.exception === undefined
          ? {}
          : { store_exception: { type: "corrupt_index_exception", reason: store.exception } }),
      };
  }
}
