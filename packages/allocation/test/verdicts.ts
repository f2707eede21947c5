/** Verdicts of one decider on a cluster, as `TYPE explanation`. */
import type { ShardRouting } from "@orrery/cluster-state";
import { createAllocation, type Allocation } from "../src/allocation.ts";
import type { Verdict } from "../src/decision.ts";
import type { Decider } from "../src/deciders/decider.ts";
import { decidersByName, type DeciderName } from "../src/deciders/table.ts";
import { indexMetadataOf, type RoutingNode } from "../src/routing-nodes.ts";
import type { AllocationInputs } from "../src/types.ts";
import { copies, inputsOf, type World } from "./fixture.ts";

/** Questions to a decider; nodes are given by name. `undefined`: the decider has no objection and no text. */
interface Questions {
  readonly canAllocate: (copy: ShardRouting, node: string) => string | undefined;
  readonly canAllocateAnywhere: (copy: ShardRouting) => string | undefined;
  readonly canForcePrimary: (copy: ShardRouting, node: string) => string | undefined;
  readonly canHoldIndex: (index: string, node: string) => string | undefined;
  readonly canMoveAny: () => string | undefined;
  readonly canMoveAway: (copy: ShardRouting) => string | undefined;
  readonly canRebalance: (copy: ShardRouting) => string | undefined;
  readonly canRebalanceCluster: () => string | undefined;
  readonly canRemain: (copy: ShardRouting, node: string) => string | undefined;
  readonly canTakeAny: (node: string) => string | undefined;
}

export function questions(
  name: DeciderName,
  made: World,
  rest: Partial<AllocationInputs> = {},
  change: Partial<Allocation> = {},
): Questions {
  const allocation = { ...createAllocation(made.state, inputsOf(made, rest)), ...change };
  // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
  const decider: Decider = decidersByName[name];
  const nodeOf = (node: string): RoutingNode => {
    const routed = [...allocation.routing.nodes.values()].find((held) => held.node.name === node);
    if (routed === undefined) throw new Error(`no node ${node}`);
    return routed;
  };
  return {
    canAllocate: (copy, node) => print(decider.canAllocate?.(copy, nodeOf(node), allocation)),
    canAllocateAnywhere: (copy) => print(decider.canAllocateAnywhere?.(copy, allocation)),
    canForcePrimary: (copy, node) =>
      print(decider.canForcePrimary?.(copy, nodeOf(node), allocation)),
    canHoldIndex: (index, node) =>
      print(
        decider.canHoldIndex?.(
          indexMetadataOf(allocation.routing, index),
          nodeOf(node),
          allocation,
        ),
      ),
    canMoveAny: () => print(decider.canMoveAny?.(allocation)),
    canMoveAway: (copy) => print(decider.canMoveAway?.(copy, allocation)),
    canRebalance: (copy) => print(decider.canRebalance?.(copy, allocation)),
    canRebalanceCluster: () => print(decider.canRebalanceCluster?.(allocation)),
    canRemain: (copy, node) => print(decider.canRemain?.(copy, nodeOf(node), allocation)),
    canTakeAny: (node) => print(decider.canTakeAny?.(nodeOf(node), allocation)),
  };
}

function print(verdict: Verdict | undefined): string | undefined {
  return verdict === undefined ? undefined : `${verdict.type} ${verdict.explain()}`;
}

/** The primary of a shard. */
export function primaryOf(made: World, index: string, shard = 0): ShardRouting {
  return found(made, index, shard, true);
}

/** The first replica of a shard. */
export function replicaOf(made: World, index: string, shard = 0): ShardRouting {
  return found(made, index, shard, false);
}

function found(made: World, index: string, shard: number, isPrimary: boolean): ShardRouting {
  const copy = copies(made).find(
    (one) => one.index === index && one.shard === shard && one.primary === isPrimary,
  );
  if (copy === undefined) throw new Error(`no such copy of ${index}/${shard}`);
  return copy;
}

/** Name of the node of a copy. */
export function nodeNameOf(made: World, { nodeId }: ShardRouting): string {
  const name = nodeId === undefined ? undefined : made.state.nodes.get(nodeId)?.name;
  if (name === undefined) throw new Error("the copy has no node");
  return name;
}
