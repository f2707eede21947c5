/**
 * Rebalancing: started copies move from heavy to light nodes while that lowers the difference of weights
 * (`LocalShardsBalancer.balanceByWeights`).
 */
import { greatest, least } from "@orrery/stdx";
import type { ShardRouting } from "@orrery/cluster-state";
import { canAllocate, canHoldIndex, canRebalance, canRebalanceCluster } from "../deciders/ask.ts";
import { isHigher, worst, type Decisions } from "../decision.ts";
import { relocateCopy } from "../moves.ts";
import { indexMetadataOf, type RoutingNode } from "../routing-nodes.ts";
import type { DecisionType } from "../types.ts";
import { fromType, type AllocationDecision, type NodeResult } from "../unassigned-decision.ts";
import {
  addToModel,
  countOf,
  isBelow,
  removeFromModel,
  sortedByWeight,
  weightOf,
  type Model,
  type ModelNode,
} from "./model.ts";

/** Rebalances all indices, unless store data is pending or a decider forbids it. */
export function rebalance(model: Model): void {
  const { allocation, nodes } = model;
  if (allocation.hasPendingFetch || nodes.size < 2) return;
  if (canRebalanceCluster(allocation).type !== "YES") return;
  for (const index of indicesByImbalance(model)) balanceIndex(model, index);
}

/** The most uneven index first: limits of concurrent moves then serve it before the others. */
function indicesByImbalance(model: Model): readonly string[] {
  const indices = [...model.allocation.state.routingTable.keys()].map((index) => {
    const weights = [...model.nodes.values()].map((node) => weightOf(model, node, index));
    return { index, delta: greatest(weights) - least(weights) };
  });
  return indices.toSorted((a, b) => b.delta - a.delta).map(({ index }) => index);
}

/**
 * Balances one index. The lightest and the heaviest node are tried first; after a move the nodes are sorted anew. If
 * no copy can move between them, the light node is replaced by the next one, and then the heavy one.
 */
function balanceIndex(model: Model, index: string): void {
  const { allocation } = model;
  const metadata = indexMetadataOf(allocation.routing, index);
  const isRelevant = (node: ModelNode): boolean =>
    node.byIndex.has(index) || canHoldIndex(allocation, metadata, node.routingNode).type !== "NO";
  const relevant = new Set([...model.nodes.values()].filter(isRelevant));
  if (relevant.size < 2) return;
  const sorted = (): readonly ModelNode[] =>
    sortedByWeight(model, index).filter((node) => relevant.has(node));
  let ordered = sorted();
  let low = 0;
  let high = ordered.length - 1;
  for (;;) {
    const step = balanceStep(model, index, ordered, low, high);
    if (step === "balanced") return;
    if (step === "moved") {
      ordered = sorted();
      low = 0;
      high = ordered.length - 1;
    } else if (low < high - 1) {
      low += 1;
    } else if (low > 0) {
      low = 0;
      high -= 1;
    } else {
      return;
    }
  }
}

/** `stuck`: no copy may move from the heavy to the light node; another pair is tried. */
function balanceStep(
  model: Model,
  index: string,
  ordered: readonly ModelNode[],
  low: number,
  high: number,
): "moved" | "balanced" | "stuck" {
  const light = ordered[low];
  const heavy = ordered[high];
  if (light === undefined || heavy === undefined || low >= high) return "balanced";
  if (countOf(heavy, index) === 0) return "stuck";
  const delta = (a: ModelNode, b: ModelNode): number =>
    Math.abs(Math.fround(weightOf(model, b, index) - weightOf(model, a, index)));
  if (isBelow(delta(light, heavy), model.threshold)) {
    const lightest = ordered[0];
    const next = ordered[high - 1];
    const canShrinkFromAbove =
      low > 0 &&
      high - 1 > 0 &&
      lightest !== undefined &&
      next !== undefined &&
      delta(lightest, next) > model.threshold;
    return canShrinkFromAbove ? "stuck" : "balanced";
  }
  return tryRelocate(model, index, light, heavy) ? "moved" : "stuck";
}

/**
 * Moves one copy, the highest shard number first. A throttled move is made in the model only, so that the round
 * continues as if it had taken place and does not move another copy instead.
 */
function tryRelocate(model: Model, index: string, light: ModelNode, heavy: ModelNode): boolean {
  const { allocation } = model;
  const copies = [...(heavy.byIndex.get(index)?.values() ?? [])]
    .filter(({ state }) => state === "STARTED")
    .toSorted((a, b) => b.shard - a.shard);
  for (const copy of copies) {
    const mayMove = canRebalance(allocation, copy);
    if (mayMove.type === "NO") continue;
    const mayGo = canAllocate(allocation, copy, light.routingNode);
    if (mayGo.type === "NO") continue;
    removeFromModel(heavy, copy);
    const toNode = light.routingNode.node.id;
    const isNow = worst(mayMove.type, mayGo.type) === "YES";
    addToModel(light, isNow ? relocateCopy(allocation, copy, toNode) : simulated(copy, toNode));
    return true;
  }
  return false;
}

function simulated(copy: ShardRouting, nodeId: NonNullable<ShardRouting["nodeId"]>): ShardRouting {
  return { ...copy, state: "INITIALIZING", nodeId, relocatingNodeId: copy.nodeId };
}

/** The decision about one started copy, for explanations. */
export interface RebalanceDecision {
  readonly canRebalance: Decisions;
  readonly decision: AllocationDecision;
  readonly target: RoutingNode | undefined;
  readonly currentRanking: number;
  readonly nodeResults: readonly NodeResult[];
}

/** The move that rebalancing would make with this copy; `undefined` for a copy that is not started. */
export function decideRebalance(model: Model, copy: ShardRouting): RebalanceDecision | undefined {
  const { allocation, nodes, threshold } = model;
  const current = copy.nodeId === undefined ? undefined : nodes.get(copy.nodeId);
  if (copy.state !== "STARTED" || current === undefined) return undefined;
  const mayMove = canRebalance(allocation, copy);
  const currentWeight = weightOf(model, current, copy.index);
  let type: DecisionType = "NO";
  let target: RoutingNode | undefined;
  const judged = sortedByWeight(model, copy.index)
    .filter((node) => node !== current)
    .map((node) => {
      const decisions = canAllocate(allocation, copy, node.routingNode);
      const weight = weightOf(model, node, copy.index);
      const delta = Math.abs(weight - currentWeight);
      const isLighter = weight <= currentWeight;
      const isBetter =
        isLighter && !isBelow(delta, threshold) && 2 + weight - currentWeight < delta;
      if (isBetter && isHigher(decisions.type, type)) {
        type = decisions.type;
        target = node.routingNode;
      }
      return { node, decisions, rank: isBetter ? 0 : isLighter ? 1 : 2 };
    });
  const better = judged.filter(({ rank }) => rank === 0);
  const currentRanking = better.length + 1;
  const nodeResults = [0, 1, 2].flatMap((group) =>
    judged
      .filter(({ rank }) => rank === group)
      .map(({ node, decisions }, i): NodeResult => {
        const ranks = [i + 1, currentRanking, currentRanking + i + 1];
        const decision =
          group === 0 || decisions.type === "NO" ? fromType(decisions.type) : "worse_balance";
        const weightRanking = ranks[group] ?? 0;
        return { node: node.routingNode.node, decision, decisions, weightRanking };
      }),
  );
  const base = { canRebalance: mayMove, currentRanking, nodeResults };
  if (allocation.hasPendingFetch) return { ...base, decision: "awaiting_info", target: undefined };
  if (mayMove.type !== "YES") {
    return { ...base, decision: fromType(mayMove.type), target: undefined };
  }
  return { ...base, decision: fromType(type), target };
}
