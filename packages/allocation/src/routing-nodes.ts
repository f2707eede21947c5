/**
 * The routing table turned around for one reroute: which copies each node holds. Owned and mutated by that reroute;
 * copies themselves are immutable and known by identity. Source: `RoutingNodes`.
 */
import {
  isActive,
  relocationTarget,
  type ClusterState,
  type DiscoveryNode,
  type IndexMetadata,
  type ShardRouting,
} from "@orrery/cluster-state";
import { assert, defined, type AllocationId, type NodeId } from "@orrery/stdx";
import type { Decisions } from "./decision.ts";
import { shardKey } from "./keys.ts";

/** What one node holds: by index, then by shard. A node never holds two copies of a shard. */
export interface NodeCopies {
  readonly byIndex: Map<string, Map<number, ShardRouting>>;
  count: number;
}

/** A live data node. */
export interface RoutingNode {
  readonly node: DiscoveryNode;
  readonly copies: NodeCopies;
}

export interface RoutingNodes {
  readonly state: ClusterState;
  /** Live data nodes, in order of the state. */
  readonly nodes: ReadonlyMap<NodeId, RoutingNode>;
  /** Every node that holds something, gone ones too. */
  readonly copiesByNode: Map<NodeId, NodeCopies>;
  /** By shard: copies without relocation targets, as in the state. */
  readonly shards: Map<string, ShardRouting[]>;
  /** Rows that differ from the state. */
  readonly touched: Set<string>;
  readonly unassigned: Set<ShardRouting>;
  /** Unassigned, and given up on in this round. */
  readonly ignored: Set<ShardRouting>;
  /** Relocation targets included. */
  readonly initializing: Set<ShardRouting>;
  readonly relocating: Set<ShardRouting>;
  /** Verdicts of deciders on copies that they do not tell apart, by kind; only while no copy comes to a node or leaves one. */
  readonly answers: Map<string, Map<RoutingNode | "anywhere", Decisions>>;
}

export function createRoutingNodes(state: ClusterState): RoutingNodes {
  const copiesByNode = new Map<NodeId, NodeCopies>();
  const nodes = new Map<NodeId, RoutingNode>();
  for (const node of state.nodes.values()) {
    if (!node.roles.includes("data")) continue;
    const copies: NodeCopies = { byIndex: new Map(), count: 0 };
    copiesByNode.set(node.id, copies);
    nodes.set(node.id, { node, copies });
  }
  const routing: RoutingNodes = {
    state,
    nodes,
    copiesByNode,
    shards: new Map(),
    touched: new Set(),
    unassigned: new Set(),
    ignored: new Set(),
    initializing: new Set(),
    relocating: new Set(),
    answers: new Map(),
  };
  for (const { index, shards } of state.routingTable.values()) {
    for (const [shard, copies] of shards.entries()) {
      routing.shards.set(shardKey(index, shard), [...copies]);
      for (const copy of copies) track(routing, copy);
    }
  }
  return routing;
}

function track(routing: RoutingNodes, copy: ShardRouting): void {
  if (copy.state === "UNASSIGNED") routing.unassigned.add(copy);
  if (copy.state === "INITIALIZING") routing.initializing.add(copy);
  if (copy.state === "RELOCATING") routing.relocating.add(copy);
  if (copy.nodeId === undefined) return;
  routing.answers.clear();
  const copies = routing.copiesByNode.get(copy.nodeId) ?? { byIndex: new Map(), count: 0 };
  routing.copiesByNode.set(copy.nodeId, copies);
  const ofIndex = copies.byIndex.get(copy.index) ?? new Map<number, ShardRouting>();
  copies.byIndex.set(copy.index, ofIndex);
  assert(!ofIndex.has(copy.shard), `two copies of [${copy.index}][${copy.shard}] on a node`);
  ofIndex.set(copy.shard, copy);
  copies.count += 1;
  const target = relocationTarget(copy);
  if (target !== undefined) track(routing, target);
}

function untrack(routing: RoutingNodes, copy: ShardRouting): void {
  routing.unassigned.delete(copy);
  routing.ignored.delete(copy);
  routing.initializing.delete(copy);
  routing.relocating.delete(copy);
  if (copy.nodeId === undefined) return;
  routing.answers.clear();
  const copies = defined(routing.copiesByNode.get(copy.nodeId), "node of a copy");
  const ofIndex = copies.byIndex.get(copy.index);
  if (ofIndex?.get(copy.shard)?.allocationId !== copy.allocationId) return;
  ofIndex?.delete(copy.shard);
  if (ofIndex?.size === 0) copies.byIndex.delete(copy.index);
  copies.count -= 1;
}

/** Puts `next` in the place of a copy that the state would list; a RELOCATING copy's target goes and comes with it. */
export function replaceCopy(
  routing: RoutingNodes,
  copy: ShardRouting,
  next: ShardRouting,
): ShardRouting {
  const row = defined(routing.shards.get(shardKey(copy.index, copy.shard)), "shard of a copy");
  row[takeOut(routing, copy)] = next;
  track(routing, next);
  return next;
}

/** The shard has one copy less. */
export function removeCopy(routing: RoutingNodes, copy: ShardRouting): void {
  const row = defined(routing.shards.get(shardKey(copy.index, copy.shard)), "shard of a copy");
  row.splice(takeOut(routing, copy), 1);
}

/** No node holds the copy any more, nor its relocation target; where it stands in its row. */
function takeOut(routing: RoutingNodes, copy: ShardRouting): number {
  const at = rowOf(routing, copy.index, copy.shard).indexOf(copy);
  assert(at >= 0, `[${shardKey(copy.index, copy.shard)}] has no such copy`);
  const target = targetOf(routing, copy);
  if (target !== undefined) untrack(routing, target);
  untrack(routing, copy);
  routing.touched.add(copy.index);
  return at;
}

/** The tracked target of a RELOCATING copy. */
export function targetOf(routing: RoutingNodes, copy: ShardRouting): ShardRouting | undefined {
  if (copy.state !== "RELOCATING" || copy.relocatingNodeId === undefined) return undefined;
  return copyOn(routing, copy.relocatingNodeId, copy.index, copy.shard);
}

export function copyOn(
  routing: RoutingNodes,
  nodeId: NodeId,
  index: string,
  shard: number,
): ShardRouting | undefined {
  return routing.copiesByNode.get(nodeId)?.byIndex.get(index)?.get(shard);
}

export function copiesHeld({ byIndex }: NodeCopies): readonly ShardRouting[] {
  return [...byIndex.values()].flatMap((copies) => [...copies.values()]);
}

/** Copies of a shard as the state lists them. */
export function rowOf(
  routing: RoutingNodes,
  index: string,
  shard: number,
): readonly ShardRouting[] {
  return routing.shards.get(shardKey(index, shard)) ?? [];
}

/** Copies with a node, relocation targets included. */
export function assignedCopies(
  routing: RoutingNodes,
  index: string,
  shard: number,
): readonly ShardRouting[] {
  return rowOf(routing, index, shard).flatMap((copy) => {
    if (copy.nodeId === undefined) return [];
    const target = targetOf(routing, copy);
    return target === undefined ? [copy] : [copy, target];
  });
}

/** As it is now; also finds relocation targets. */
export function byAllocationId(
  routing: RoutingNodes,
  index: string,
  shard: number,
  allocationId: AllocationId | undefined,
): ShardRouting | undefined {
  if (allocationId === undefined) return undefined;
  return assignedCopies(routing, index, shard).find((copy) => copy.allocationId === allocationId);
}

export function activePrimaryOf(
  routing: RoutingNodes,
  index: string,
  shard: number,
): ShardRouting | undefined {
  return rowOf(routing, index, shard).find((copy) => copy.primary && isActive(copy));
}

/** Peer recoveries that arrive at the node, and its initial replicas apart from the others. */
export function incomingRecoveries(
  routing: RoutingNodes,
  nodeId: NodeId,
  kind: "initial" | "other",
): number {
  return countRecoveries(routing, (copy) => copy.nodeId === nodeId && isKind(copy, kind));
}

/** Peer recoveries that a primary on the node feeds. */
export function outgoingRecoveries(
  routing: RoutingNodes,
  nodeId: NodeId,
  kind: "initial" | "other",
): number {
  return countRecoveries(
    routing,
    (copy) => isKind(copy, kind) && sourceNodeOf(routing, copy) === nodeId,
  );
}

/** Primaries that the node builds from what it has, or from nothing. */
export function initialPrimaries(routing: RoutingNodes, nodeId: NodeId): number {
  let count = 0;
  // Few are initializing, however many a node holds.
  for (const copy of routing.initializing) {
    if (copy.nodeId === nodeId && !isPeerRecovery(copy)) count += 1;
  }
  return count;
}

function countRecoveries(routing: RoutingNodes, counts: (copy: ShardRouting) => boolean): number {
  let count = 0;
  for (const copy of routing.initializing) {
    if (isPeerRecovery(copy) && counts(copy)) count += 1;
  }
  return count;
}

function isPeerRecovery(copy: ShardRouting): boolean {
  return !copy.primary || copy.relocatingNodeId !== undefined;
}

function isKind(copy: ShardRouting, kind: "initial" | "other"): boolean {
  return (copy.unassignedInfo?.reason === "INDEX_CREATED") === (kind === "initial");
}

function sourceNodeOf(routing: RoutingNodes, copy: ShardRouting): NodeId | undefined {
  const assigned = assignedCopies(routing, copy.index, copy.shard);
  const primaries = assigned.filter(({ primary }) => primary);
  return (primaries.find(isActive) ?? primaries[0])?.nodeId;
}

export function indexMetadataOf(routing: RoutingNodes, index: string): IndexMetadata {
  return defined(routing.state.metadata.indices.get(index), `metadata of index [${index}]`);
}

/** Unassigned or initializing primaries, or copies of any kind. */
export function hasInactive(routing: RoutingNodes, primariesOnly: boolean): boolean {
  for (const copy of routing.initializing) {
    if (copy.relocatingNodeId === undefined && (copy.primary || !primariesOnly)) return true;
  }
  return false;
}

export function hasUnassigned(routing: RoutingNodes, primariesOnly: boolean): boolean {
  for (const copies of [routing.unassigned, routing.ignored]) {
    for (const copy of copies) if (copy.primary || !primariesOnly) return true;
  }
  return false;
}
