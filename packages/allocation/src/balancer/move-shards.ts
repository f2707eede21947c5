/** Moves of copies that may not remain on their nodes, one node after the other (`LocalShardsBalancer.moveShards`). */
import { greatest } from "@orrery/stdx";
import { clusterSetting, type ShardRouting } from "@orrery/cluster-state";
import { canAllocate, canMoveAny, canMoveAway, canRemain, canTakeAny } from "../deciders/ask.ts";
import { isHigher, type Decisions } from "../decision.ts";
import { relocateCopy } from "../moves.ts";
import { copiesHeld, type RoutingNode, type RoutingNodes } from "../routing-nodes.ts";
import type { DecisionType } from "../types.ts";
import { nodeResult, type NodeResult } from "../unassigned-decision.ts";
import { addToModel, removeFromModel, sortedByWeight, type Model } from "./model.ts";

export function moveShards(model: Model): void {
  const { allocation, nodes } = model;
  for (const copy of movable(model)) {
    if (canMoveAny(allocation).type !== "YES") return;
    const source = copy.nodeId === undefined ? undefined : nodes.get(copy.nodeId);
    if (source === undefined || canRemain(allocation, copy, source.routingNode).type !== "NO") {
      continue;
    }
    if (canMoveAway(allocation, copy).type !== "YES") continue;
    const target = decideMove(model, copy)?.target;
    const targetNode = target === undefined ? undefined : nodes.get(target.node.id);
    if (target === undefined || targetNode === undefined) continue;
    removeFromModel(source, copy);
    addToModel(targetNode, relocateCopy(allocation, copy, target.node.id));
  }
}

/**
 * Started copies in the order in which they may move: one of each node in turn; with a movement strategy, primaries
 * or replicas first.
 */
function movable({ allocation }: Model): readonly ShardRouting[] {
  const strategy = clusterSetting(
    allocation.state,
    "cluster.routing.allocation.shard_movement_strategy",
  ).toUpperCase();
  const all = roundRobin(allocation.routing);
  if (strategy !== "PRIMARY_FIRST" && strategy !== "REPLICA_FIRST") return all;
  const isFirst = (copy: ShardRouting): boolean => copy.primary === (strategy === "PRIMARY_FIRST");
  return [...all.filter(isFirst), ...all.filter((copy) => !isFirst(copy))];
}

function roundRobin(routing: RoutingNodes): readonly ShardRouting[] {
  const queues = [...routing.nodes.values()].map(({ copies }) =>
    copiesHeld(copies).filter(({ state }) => state === "STARTED"),
  );
  const longest = Math.max(0, greatest(queues.map(({ length }) => length)));
  const turns = Array.from({ length: longest }, (_, turn) => turn);
  return turns.flatMap((turn) => queues.flatMap((queue) => queue[turn] ?? []));
}

/** The decision about a started copy. */
export interface MoveDecision {
  readonly canRemain: Decisions;
  /** The best verdict of any other node; NO without one, and if the copy may remain. */
  readonly type: DecisionType;
  readonly target: RoutingNode | undefined;
  readonly nodeResults: readonly NodeResult[];
}

/**
 * The decision whether a started copy may remain on its node, and where to it moves otherwise; `undefined` for a copy
 * that is not started.
 */
export function decideMove(model: Model, copy: ShardRouting): MoveDecision | undefined {
  const { allocation, nodes } = model;
  const source = copy.nodeId === undefined ? undefined : nodes.get(copy.nodeId);
  if (copy.state !== "STARTED" || source === undefined) return undefined;
  const remain = canRemain(allocation, copy, source.routingNode);
  if (remain.type !== "NO") {
    return { canRemain: remain, type: "NO", target: undefined, nodeResults: [] };
  }
  let type: DecisionType = "NO";
  let target: RoutingNode | undefined;
  const nodeResults: NodeResult[] = [];
  for (const node of sortedByWeight(model, copy.index)) {
    if (node === source) continue;
    const { routingNode } = node;
    if (!allocation.explains && canTakeAny(allocation, routingNode).type !== "YES") continue;
    const decisions = canAllocate(allocation, copy, routingNode);
    if (allocation.explains) {
      nodeResults.push(nodeResult(routingNode, decisions, nodeResults.length + 1));
    }
    if (!isHigher(decisions.type, type)) continue;
    type = decisions.type;
    if (type !== "YES") continue;
    target = routingNode;
    if (!allocation.explains) break;
  }
  return { canRemain: remain, type, target, nodeResults };
}
