/**
 * Allocation of unassigned copies to the lightest node that deciders allow
 * (`LocalShardsBalancer.allocateUnassigned`).
 */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { canAllocate, canAllocateAnywhere } from "../deciders/ask.ts";
import { NEVER, type Decisions } from "../decision.ts";
import { ignoreCopy, initializeCopy } from "../moves.ts";
import { byPriority } from "../priority.ts";
import {
  fromType,
  nodeResult,
  statusOf,
  type NodeResult,
  type UnassignedDecision,
} from "../unassigned-decision.ts";
import {
  addToModel,
  highestPrimary,
  holds,
  weightForAllocation,
  type Model,
  type ModelNode,
} from "./model.ts";

/**
 * Places copies in order: primaries first, then by index and shard. Of a shard's replicas one is placed per pass, so
 * that shards get their first replicas before any gets a second one. If one cannot be placed, its equals are skipped:
 * deciders treat them alike.
 */
export function allocateUnassigned(model: Model): void {
  const { allocation } = model;
  const compare = unassignedOrder(allocation);
  let round = [...allocation.routing.unassigned].toSorted(compare);
  while (round.length > 0) {
    const later: ShardRouting[] = [];
    for (let i = 0; i < round.length; i += 1) {
      const copy = round[i];
      if (copy === undefined) break;
      const made = decideUnassigned(model, copy);
      const isPlaced = place(model, copy, made);
      if (copy.primary) continue;
      for (let twin = round[i + 1]; twin !== undefined; twin = round[i + 1]) {
        if (compare(copy, twin) !== 0) break;
        i += 1;
        if (isPlaced) later.push(twin);
        else ignoreCopy(allocation, twin, statusOf(made.decision));
      }
    }
    round = later;
  }
}

function unassignedOrder({ state }: Allocation): (a: ShardRouting, b: ShardRouting) => number {
  const secondary = byPriority(state);
  return (a, b) => {
    if (a.primary !== b.primary) return a.primary ? -1 : 1;
    return a.index === b.index ? a.shard - b.shard : secondary(a, b);
  };
}

/**
 * Places a copy or ignores it. A throttled copy counts in the model as if it were placed, so that later copies see
 * its weight.
 */
function place(
  { allocation, nodes }: Model,
  copy: ShardRouting,
  made: UnassignedDecision,
): boolean {
  const target = made.node === undefined ? undefined : nodes.get(made.node.node.id);
  if (made.decision === "yes" && target !== undefined) {
    addToModel(target, initializeCopy(allocation, copy, target.routingNode.node.id));
    return true;
  }
  if (target !== undefined) addToModel(target, copy);
  ignoreCopy(allocation, copy, statusOf(made.decision));
  return false;
}

/** The best node for a copy, or the best refusal. */
export function decideUnassigned(model: Model, copy: ShardRouting): UnassignedDecision {
  const { allocation } = model;
  const anywhere = canAllocateAnywhere(allocation, copy);
  if (anywhere.type === "NO" && !allocation.explains) return { decision: "no", nodeResults: [] };
  let best: { node: ModelNode; weight: number; decisions: Decisions } | undefined;
  const explained: { result: NodeResult; weight: number }[] = [];
  for (const node of model.nodes.values()) {
    if (!allocation.explains && holds(node, copy)) continue;
    const weight = weightForAllocation(model, node, copy.index);
    if (!allocation.explains && best !== undefined && weight > best.weight) continue;
    const decisions = canAllocate(allocation, copy, node.routingNode);
    if (allocation.explains) {
      explained.push({ result: nodeResult(node.routingNode, decisions), weight });
    }
    if (decisions.type === "NO") continue;
    const candidate = { node, weight, decisions };
    if (best === undefined || isBetter(candidate, best, copy)) best = candidate;
  }
  const nodeResults = explained
    .toSorted((a, b) => a.weight - b.weight)
    .map(({ result }, i) => ({ ...result, weightRanking: i + 1 }));
  const { type } = best?.decisions ?? NEVER;
  return { decision: fromType(type), node: best?.node.routingNode, nodeResults };
}

interface Weighed {
  readonly node: ModelNode;
  readonly weight: number;
  readonly decisions: Decisions;
}

/**
 * Whether `a` is better than `b`: lighter; with equal weights YES before THROTTLE, then the node whose highest
 * primary of the index comes next after the copy's shard number, in circular order.
 */
function isBetter(a: Weighed, b: Weighed, copy: ShardRouting): boolean {
  if (a.weight !== b.weight) return a.weight < b.weight;
  if (a.decisions.type !== b.decisions.type) return a.decisions.type === "YES";
  const high = highestPrimary(a.node, copy.index);
  const bestHigh = highestPrimary(b.node, copy.index);
  const { shard } = copy;
  const areBothAbove = high > shard && bestHigh > shard;
  const areBothBelow = high < shard && bestHigh < shard;
  if ((areBothAbove || areBothBelow) && high < bestHigh) return true;
  return high > shard && bestHigh < shard;
}
