/** Lookups in the routing table, and the shard number of a document (`OperationRouting`). */
import { hashRouting, type AllocationId, type NodeId } from "@orrery/stdx";
import { indexSetting } from "./settings/registry.ts";
import type { ClusterState, IndexMetadata, ShardRouting } from "./types.ts";

/** Whether the copy serves requests: STARTED or RELOCATING. */
export function isActive(routing: ShardRouting): boolean {
  return routing.state === "STARTED" || routing.state === "RELOCATING";
}

/** Whether the copy has a node: any state but UNASSIGNED. */
export function isAssigned(routing: ShardRouting): boolean {
  return routing.nodeId !== undefined;
}

/** The INITIALIZING target of a RELOCATING copy, derived from it; its `relocatingNodeId` is the source. Undefined for other copies. */
export function relocationTarget(routing: ShardRouting): ShardRouting | undefined {
  if (routing.state !== "RELOCATING") return undefined;
  return {
    index: routing.index,
    shard: routing.shard,
    primary: routing.primary,
    state: "INITIALIZING",
    nodeId: routing.relocatingNodeId,
    relocatingNodeId: routing.nodeId,
    allocationId: routing.relocationId,
    relocationId: routing.allocationId,
    recoverySource: { type: "PEER" },
    unassignedInfo: undefined,
  };
}

/** Whether the copy is the target of a relocation. */
export function isRelocationTarget(routing: ShardRouting): boolean {
  return routing.state === "INITIALIZING" && routing.relocatingNodeId !== undefined;
}

/** Every copy, relocation targets included, by index name in the state's order, then shard. */
export function* allCopies(state: ClusterState): Iterable<ShardRouting> {
  for (const { shards } of state.routingTable.values()) {
    for (const copies of shards) {
      for (const copy of copies) {
        yield copy;
        const target = relocationTarget(copy);
        if (target !== undefined) yield target;
      }
    }
  }
}

/** Every copy on the node, relocation targets included, in order of the routing table. */
export function copiesOn(
  state: Pick<ClusterState, "routingTable">,
  nodeId: NodeId,
): readonly ShardRouting[] {
  const found: ShardRouting[] = [];
  for (const { shards } of state.routingTable.values()) {
    for (const copies of shards) {
      for (const copy of copies) {
        if (copy.nodeId === nodeId) found.push(copy);
        const target = copy.relocatingNodeId === nodeId ? relocationTarget(copy) : undefined;
        if (target !== undefined) found.push(target);
      }
    }
  }
  return found;
}

/** Names of the indices that have a copy on the node, relocation targets included, in order of the routing table. */
export function indicesOn(state: ClusterState, nodeId: NodeId): ReadonlySet<string> {
  const names = new Set<string>();
  for (const [name, { shards }] of state.routingTable) {
    if (shards.some((copies) => copies.some((copy) => isOn(copy, nodeId)))) names.add(name);
  }
  return names;
}

function isOn({ nodeId, relocatingNodeId, state }: ShardRouting, wanted: NodeId): boolean {
  return nodeId === wanted || (state === "RELOCATING" && relocatingNodeId === wanted);
}

/** All copies of a shard without relocation targets; empty when the shard does not exist. */
export function copiesOf(
  state: ClusterState,
  index: string,
  shard: number,
): readonly ShardRouting[] {
  return state.routingTable.get(index)?.shards[shard] ?? [];
}

/** All copies of a shard, relocation targets included. */
export function copiesWithTargets(
  state: ClusterState,
  index: string,
  shard: number,
): readonly ShardRouting[] {
  const copies = copiesOf(state, index, shard);
  let all = withTargets.get(copies);
  if (all === undefined) {
    all = copies.flatMap((copy) => {
      const target = relocationTarget(copy);
      return target === undefined ? [copy] : [copy, target];
    });
    withTargets.set(copies, all);
  }
  return all;
}

/** Results by the list of copies, for each write request. Lists are replaced, never mutated. */
const withTargets = new WeakMap<readonly ShardRouting[], readonly ShardRouting[]>();

/** The primary in any state; undefined when the shard does not exist. */
export function primaryOf(
  state: ClusterState,
  index: string,
  shard: number,
): ShardRouting | undefined {
  return copiesOf(state, index, shard).find((copy) => copy.primary);
}

/** The primary if it is active; undefined otherwise. */
export function activePrimary(
  state: ClusterState,
  index: string,
  shard: number,
): ShardRouting | undefined {
  const primary = primaryOf(state, index, shard);
  return primary !== undefined && isActive(primary) ? primary : undefined;
}

/** The copy with the allocation id, relocation targets included; undefined when the shard has none. */
export function copyByAllocationId(
  state: ClusterState,
  index: string,
  shard: number,
  allocationId: AllocationId,
): ShardRouting | undefined {
  return copiesWithTargets(state, index, shard).find((copy) => copy.allocationId === allocationId);
}

/** The shard number of a document: by its routing value, or by its id when it has none. */
export function shardFor(index: IndexMetadata, id: string, routing?: string): number {
  const partition = partitionSize(index);
  const offset = partition === 1 ? 0 : floorMod(hashRouting(id), partition);
  return shardOfHash(index, hashRouting(routing ?? id) + offset);
}

/** Shard numbers that a search with this routing value must visit, ascending: several in a partitioned index. */
export function shardsForRouting(index: IndexMetadata, routing: string): readonly number[] {
  const hash = hashRouting(routing);
  const offsets = Array.from({ length: partitionSize(index) }, (_, offset) => offset);
  const shards = new Set(offsets.map((offset) => shardOfHash(index, hash + offset)));
  return [...shards].toSorted((a, b) => a - b);
}

function shardOfHash(index: IndexMetadata, hash: number): number {
  const factor = Math.floor(index.routingNumShards / index.numberOfShards);
  return Math.floor(floorMod(hash | 0, index.routingNumShards) / factor);
}

function partitionSize(index: IndexMetadata): number {
  if (index.settings["index.routing_partition_size"] === undefined) return 1;
  return indexSetting(index, "index.routing_partition_size");
}

function floorMod(value: number, modulus: number): number {
  return ((value % modulus) + modulus) % modulus;
}
