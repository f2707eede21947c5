/**
 * The interface of a decider: one rule about the places of copies (`AllocationDecider`). An absent method, or
 * `undefined`, is no objection and has no text.
 */
import type { IndexMetadata, ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import type { Verdict } from "../decision.ts";
import type { RoutingNode } from "../routing-nodes.ts";

type Answer = Verdict | undefined;

/** A rule of allocation. Each method answers one question; absent methods have no objection. */
export interface Decider {
  /** May the copy be assigned to this node, or remain initializing there? */
  readonly canAllocate?: (copy: ShardRouting, node: RoutingNode, allocation: Allocation) => Answer;
  /** May the copy be assigned to any node? */
  readonly canAllocateAnywhere?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May copies of the index be on this node? */
  readonly canHoldIndex?: (
    metadata: IndexMetadata,
    node: RoutingNode,
    allocation: Allocation,
  ) => Answer;
  /** May the started copy remain on its node? */
  readonly canRemain?: (copy: ShardRouting, node: RoutingNode, allocation: Allocation) => Answer;
  /** May the copy be moved for balance? */
  readonly canRebalance?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May any copy be moved for balance? */
  readonly canRebalanceCluster?: (allocation: Allocation) => Answer;
  /** May the primary be forced on this node, after all nodes with a copy were refused? Absent: a NO of `canAllocate` becomes YES. */
  readonly canForcePrimary?: (
    copy: ShardRouting,
    node: RoutingNode,
    allocation: Allocation,
  ) => Answer;
  /** May the copy leave its node now? */
  readonly canMoveAway?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May any copy leave its node now? */
  readonly canMoveAny?: (allocation: Allocation) => Answer;
  /** May the node accept any copy now? */
  readonly canTakeAny?: (node: RoutingNode, allocation: Allocation) => Answer;
}
