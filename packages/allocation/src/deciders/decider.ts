/** One rule about where copies may be. Absent methods, and `undefined`, mean: nothing against it, and nothing to say. */
import type { IndexMetadata, ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import type { Verdict } from "../decision.ts";
import type { RoutingNode } from "../routing-nodes.ts";

type Answer = Verdict | undefined;

export interface Decider {
  /** May the copy go to (or stay being built on) this node? */
  readonly canAllocate?: (copy: ShardRouting, node: RoutingNode, allocation: Allocation) => Answer;
  /** May the copy go anywhere at all? */
  readonly canAllocateAnywhere?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May any copy of the index be on this node? */
  readonly canHoldIndex?: (
    metadata: IndexMetadata,
    node: RoutingNode,
    allocation: Allocation,
  ) => Answer;
  /** May the started copy stay where it is? */
  readonly canRemain?: (copy: ShardRouting, node: RoutingNode, allocation: Allocation) => Answer;
  /** May the copy be moved for balance? */
  readonly canRebalance?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May anything be moved for balance? */
  readonly canRebalanceCluster?: (allocation: Allocation) => Answer;
  /** When every node with a copy said NO: is that NO hard? Absent means it is not. */
  readonly canForcePrimary?: (
    copy: ShardRouting,
    node: RoutingNode,
    allocation: Allocation,
  ) => Answer;
  /** May the copy be moved off its node now? */
  readonly canMoveAway?: (copy: ShardRouting, allocation: Allocation) => Answer;
  /** May any copy be moved off its node now? */
  readonly canMoveAny?: (allocation: Allocation) => Answer;
  /** Can the node take anything now? */
  readonly canTakeAny?: (node: RoutingNode, allocation: Allocation) => Answer;
}
