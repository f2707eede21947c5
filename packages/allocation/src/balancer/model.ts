/** Nodes and their weights in the balancer (`LocalShardsBalancer`, `BalancedShardsAllocator.WeightFunction`). */
import { clusterSetting, type ShardRouting } from "@orrery/cluster-state";
import type { NodeId } from "@orrery/stdx";
import type { Allocation } from "../allocation.ts";
import { copiesHeld, type RoutingNode } from "../routing-nodes.ts";

/** The copies of a node after all moves under way: arriving copies included, leaving ones excluded. */
export interface ModelNode {
  readonly routingNode: RoutingNode;
  readonly byIndex: Map<string, Map<number, ShardRouting>>;
  count: number;
}

/** The nodes of a round and the factors of the weight function. */
export interface Model {
  readonly allocation: Allocation;
  readonly nodes: ReadonlyMap<NodeId, ModelNode>;
  /**
   * Weight of a node's copies of all indices; `indexFactor` weighs those of one index. Their sum is 1, or both are 0.
   */
  readonly shardFactor: number;
  readonly indexFactor: number;
  /** Difference of weights up to which two nodes count as balanced. */
  readonly threshold: number;
  readonly averageCount: number;
}

export function createModel(allocation: Allocation): Model {
  const { routing, state } = allocation;
  const nodes = new Map([...routing.nodes].map(([id, node]) => [id, modelNode(node)]));
  const index = clusterSetting(state, "cluster.routing.allocation.balance.index");
  const shard = clusterSetting(state, "cluster.routing.allocation.balance.shard");
  const sum = index + shard;
  const total = [...routing.shards.values()].reduce((count, copies) => count + copies.length, 0);
  return {
    allocation,
    nodes,
    shardFactor: sum === 0 ? 0 : shard / sum,
    indexFactor: sum === 0 ? 0 : index / sum,
    threshold: clusterSetting(state, "cluster.routing.allocation.balance.threshold"),
    averageCount: nodes.size === 0 ? 0 : total / nodes.size,
  };
}

function modelNode(routingNode: RoutingNode): ModelNode {
  const node: ModelNode = { routingNode, byIndex: new Map(), count: 0 };
  for (const copy of copiesHeld(routingNode.copies)) {
    if (copy.state !== "RELOCATING") addToModel(node, copy);
  }
  return node;
}

export function addToModel(node: ModelNode, copy: ShardRouting): void {
  const copies = node.byIndex.get(copy.index) ?? new Map<number, ShardRouting>();
  node.byIndex.set(copy.index, copies.set(copy.shard, copy));
  node.count += 1;
}

export function removeFromModel(node: ModelNode, copy: ShardRouting): void {
  if (node.byIndex.get(copy.index)?.delete(copy.shard) === true) node.count -= 1;
}

export function countOf(node: ModelNode, index: string): number {
  return node.byIndex.get(index)?.size ?? 0;
}

export function holds(node: ModelNode, copy: ShardRouting): boolean {
  return node.byIndex.get(copy.index)?.has(copy.shard) === true;
}

function averageOf({ allocation, nodes }: Model, index: string): number {
  const metadata = allocation.state.metadata.indices.get(index);
  if (metadata === undefined || nodes.size === 0) return 0;
  return (metadata.numberOfShards * (1 + metadata.numberOfReplicas)) / nodes.size;
}

/**
 * The weighted excess of a node's copies over the average, overall and of one index: lighter is better. Rounded to
 * single precision, as in the product.
 */
export function weightOf(model: Model, node: ModelNode, index: string): number {
  const overall = Math.fround(node.count - model.averageCount);
  const ofIndex = Math.fround(countOf(node, index) - averageOf(model, index));
  return Math.fround(model.shardFactor * overall + model.indexFactor * ofIndex);
}

/** The weight for a new copy: a node that has its share of the index is chosen only if all others have theirs. */
export function weightForAllocation(model: Model, node: ModelNode, index: string): number {
  const share = Math.ceil(averageOf(model, index));
  const penalty = countOf(node, index) >= share ? 1_000_000 : 0;
  return Math.fround(penalty + weightOf(model, node, index));
}

/** Whether a difference counts as balanced; the product's tolerance for rounding is 0.001. */
export function isBelow(delta: number, threshold: number): boolean {
  return delta <= Math.fround(threshold + 0.001);
}

/** The highest shard number of which the node holds the primary; -1 without one. */
export function highestPrimary(node: ModelNode, index: string): number {
  let highest = -1;
  for (const copy of node.byIndex.get(index)?.values() ?? []) {
    if (copy.primary) highest = Math.max(highest, copy.shard);
  }
  return highest;
}

/** Lightest first; nodes of equal weight in the order of the state. */
export function sortedByWeight(model: Model, index: string): readonly ModelNode[] {
  const weights = new Map(
    [...model.nodes.values()].map((node) => [node, weightOf(model, node, index)]),
  );
  return [...weights].toSorted((a, b) => a[1] - b[1]).map(([node]) => node);
}
