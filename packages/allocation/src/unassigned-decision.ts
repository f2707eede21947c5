/** The decision about an unassigned copy, with the result for each node (`AllocateUnassignedDecision`). */
import type { AllocationStatus, DiscoveryNode } from "@orrery/cluster-state";
import type { AllocationId } from "@orrery/stdx";
import type { Decisions } from "./decision.ts";
import type { RoutingNode } from "./routing-nodes.ts";
import type { DecisionType } from "./types.ts";

export type AllocationDecision =
  | "yes"
  | "throttled"
  | "no"
  | "worse_balance"
  | "awaiting_info"
  | "allocation_delayed"
  | "no_valid_shard_copy"
  | "no_attempt";

export interface UnassignedDecision {
  readonly decision: AllocationDecision;
  readonly node?: RoutingNode | undefined;
  /** Allocation id of the copy on disk to recover from. */
  readonly existingId?: AllocationId | undefined;
  /** Nodes hold in-sync copies, but deciders refuse all of them. */
  readonly hasInSyncCopies?: boolean;
  readonly delay?: { readonly configuredMs: number; readonly remainingMs: number };
  /** Filled only for explanations. */
  readonly nodeResults: readonly NodeResult[];
}

export interface NodeResult {
  readonly node: DiscoveryNode;
  readonly decision: AllocationDecision;
  readonly decisions: Decisions | undefined;
  readonly weightRanking: number;
  readonly store?: StoreResult;
}

/** The result of examining the copy on a node's disk, for an explanation. */
export type StoreResult =
  | { readonly kind: "none" }
  | {
      readonly kind: "primary";
      readonly allocationId: AllocationId | undefined;
      readonly isInSync: boolean;
      readonly exception: string | undefined;
    }
  | { readonly kind: "replica"; readonly matchingBytes: number; readonly hasSyncId: boolean };

export function fromType(type: DecisionType): AllocationDecision {
  switch (type) {
    case "YES":
      return "yes";
    case "NO":
      return "no";
    case "THROTTLE":
      return "throttled";
  }
}

export function statusOf(decision: AllocationDecision): AllocationStatus {
  switch (decision) {
    case "throttled":
      return "deciders_throttled";
    case "awaiting_info":
      return "fetching_shard_data";
    case "allocation_delayed":
      return "delayed_allocation";
    case "no_valid_shard_copy":
      return "no_valid_shard_copy";
    case "no_attempt":
      return "no_attempt";
    case "yes":
    case "no":
    case "worse_balance":
      return "deciders_no";
  }
}

export function fromStatus(status: AllocationStatus): AllocationDecision {
  switch (status) {
    case "deciders_no":
      return "no";
    case "deciders_throttled":
      return "throttled";
    case "fetching_shard_data":
      return "awaiting_info";
    case "delayed_allocation":
      return "allocation_delayed";
    case "no_valid_shard_copy":
      return "no_valid_shard_copy";
    case "no_attempt":
      return "no_attempt";
  }
}

export function nodeResult(
  { node }: RoutingNode,
  decisions: Decisions,
  weightRanking = 0,
): NodeResult {
  return { node, decision: fromType(decisions.type), decisions, weightRanking };
}
