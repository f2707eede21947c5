/**
 * The routing table by node, for one round: the copies that each node holds (`RoutingNodes`).
 *
 * Owned and mutated by that round. Copies are immutable values and identified by reference.
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

/** The copies of one node, by index and shard; at most one of each shard (INV-ALLOC-1). */
export interface NodeCopies {
  readonly byIndex: Map<string, Map<number, ShardRouting>>;
  count: number;
}

/** A live data node. */
export interface RoutingNode {
  readonly node: DiscoveryNode;
  readonly copies: NodeCopies;
}

/** The copies of a round, by node, by shard and by state. */
export interface RoutingNodes {
  readonly state: ClusterState;
  /** Live data nodes, in the order of the state. */
  readonly nodes: ReadonlyMap<NodeId, RoutingNode>;
  /** All nodes that hold a copy, including nodes that have left. */
  readonly copiesByNode: Map<NodeId, NodeCopies>;
  /** The copies of each shard, by `shardKey`: rows as in the state, without relocation targets. */
  readonly shards: Map<string, ShardRouting[]>;
  /** Indices whose rows may differ from the state. */
  readonly touched: Set<string>;
  /** Unassigned copies that may still be placed in this round. */
  readonly unassigned: Set<ShardRouting>;
  /** Unassigned copies that this round does not place (`ignoreCopy`). */
  readonly ignored: Set<ShardRouting>;
  /** Initializing copies, relocation targets included. */
  readonly initializing: Set<ShardRouting>;
  readonly relocating: Set<ShardRouting>;
  /** Cached verdicts (`verdict-cache.ts`), by kind of copy; cleared when a copy is assigned to a node or leaves one. */
  readonly verdicts: Map<string, Map<RoutingNode | "anywhere", Decisions>>;
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
    verdicts: new Map(),
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
  routing.verdicts.clear();
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
  routing.verdicts.clear();
  const copies = defined(routing.copiesByNode.get(copy.nodeId), "node of a copy");
  const ofIndex = copies.byIndex.get(copy.index);
  if (ofIndex?.get(copy.shard)?.allocationId !== copy.allocationId) return;
  ofIndex?.delete(copy.shard);
  if (ofIndex?.size === 0) copies.byIndex.delete(copy.index);
  copies.count -= 1;
}

/** Replaces a copy by its next state, and the relocation target of a RELOCATING copy as well. Returns the new copy. */
export function replaceCopy(
  routing: RoutingNodes,
  copy: ShardRouting,
  next: ShardRouting,
): ShardRouting {
  const row = defined(routing.shards.get(shardKey(copy.index, copy.shard)), "shard of a copy");
  row[detach(routing, copy)] = next;
  track(routing, next);
  return next;
}

/** Removes a copy from the round. */
export function removeCopy(routing: RoutingNodes, copy: ShardRouting): void {
  const row = defined(routing.shards.get(shardKey(copy.index, copy.shard)), "shard of a copy");
  row.splice(detach(routing, copy), 1);
}

/** Removes a copy and its relocation target from their nodes; the result is the row's position. */
function detach(routing: RoutingNodes, copy: ShardRouting): number {
  const at = rowOf(routing, copy.index, copy.shard).indexOf(copy);
  assert(at >= 0, `[${shardKey(copy.index, copy.shard)}] has no such copy`);
  const target = targetOf(routing, copy);
  if (target !== undefined) untrack(routing, target);
  untrack(routing, copy);
  routing.touched.add(copy.index);
  return at;
}

/** The relocation target of a RELOCATING copy. */
export function targetOf(routing: RoutingNodes, copy: ShardRouting): ShardRouting | undefined {
  if (copy.state !== "RELOCATING" || copy.relocatingNodeId === undefined) return undefined;
  return copyOn(routing, copy.relocatingNodeId, copy.index, copy.shard);
}

/** The copy of a shard that a node holds. */
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

/** The copies of a shard, without relocation targets; empty for an unknown shard. */
export function rowOf(
  routing: RoutingNodes,
  index: string,
  shard: number,
): readonly ShardRouting[] {
  return routing.shards.get(shardKey(index, shard)) ?? [];
}

/** Copies of a shard with a node, relocation targets included. */
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

/** The current copy with an allocation id, also a relocation target. */
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

/** The number of peer recoveries to the node: those of new indices' replicas (`initial`), or all others. */
export function incomingRecoveries(
  routing: RoutingNodes,
  nodeId: NodeId,
  kind: "initial" | "other",
): number {
  return countRecoveries(routing, (copy) => copy.nodeId === nodeId && isKind(copy, kind));
}

/** The number of peer recoveries whose source is a primary on the node; `kind` as for incoming ones. */
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

/** The number of primaries that the node recovers from its disk or a snapshot, or creates empty. */
export function initialPrimaries(routing: RoutingNodes, nodeId: NodeId): number {
  let count = 0;
  // The set is small compared with the copies of a node.
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

/** Whether a copy initializes other than by a relocation; with `primariesOnly`, whether a primary does. */
export function hasInactive(routing: RoutingNodes, primariesOnly: boolean): boolean {
  for (const copy of routing.initializing) {
    if (copy.relocatingNodeId === undefined && (copy.primary || !primariesOnly)) return true;
  }
  return false;
}

/** Whether a copy is unassigned; with `primariesOnly`, whether a primary is. */
export function hasUnassigned(routing: RoutingNodes, primariesOnly: boolean): boolean {
  for (const copies of [routing.unassigned, routing.ignored]) {
    for (const copy of copies) if (copy.primary || !primariesOnly) return true;
  }
  return false;
}
