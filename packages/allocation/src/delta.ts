/** The changes of a round as data: routing rows, primary terms, in-sync sets (`IndexMetadataUpdater`). */
import {
  isActive,
  type IndexMetadata,
  type IndexRoutingTable,
  type RoutingDelta,
  type ShardRow,
} from "@orrery/cluster-state";
import { appendAll, assert, defined, type AllocationId } from "@orrery/stdx";
import type { Allocation, ShardChanges } from "./allocation.ts";
import { FORCED_ALLOCATION_ID } from "./moves.ts";
import { indexMetadataOf, rowOf } from "./routing-nodes.ts";

/** The delta to apply to the state before the round; `undefined` when the round has changed nothing. */
export function deltaOf(allocation: Allocation): RoutingDelta | undefined {
  const indices: IndexRoutingTable[] = [];
  const shards: ShardRow[] = [];
  for (const index of allocation.routing.touched) {
    const table = tableOf(allocation, index);
    const rows = changedRows(allocation, table);
    if (rows.length === table.shards.length) {
      indices.push({ ...table, shards: rows.map(({ copies }) => copies) });
    } else appendAll(shards, rows);
  }
  const terms: RoutingDelta["terms"][number][] = [];
  const inSync: RoutingDelta["inSync"][number][] = [];
  for (const [key, changes] of allocation.changes) {
    const at = key.lastIndexOf("/");
    const index = key.slice(0, at);
    const shard = Number(key.slice(at + 1));
    const metadata = indexMetadataOf(allocation.routing, index);
    if (changes.increasesTerm) {
      const term = defined(metadata.primaryTerms[shard], "primary term");
      terms.push({ index, shard, primaryTerm: term + 1 });
    }
    const before = metadata.inSyncAllocationIds[shard] ?? [];
    const allocationIds = inSyncAfter(allocation, metadata, shard, changes);
    if (!isSameSet(before, allocationIds)) inSync.push({ index, shard, allocationIds });
  }
  const isSame = [indices, shards, terms, inSync].every((changes) => changes.length === 0);
  if (isSame) return undefined;
  return { indices, ...(shards.length === 0 ? {} : { shards }), terms, inSync };
}

function tableOf({ state }: Allocation, index: string): IndexRoutingTable {
  return defined(state.routingTable.get(index), `routing table of [${index}]`);
}

function changedRows(
  { routing }: Allocation,
  { index, uuid, shards }: IndexRoutingTable,
): readonly ShardRow[] {
  return shards.flatMap((before, shard) => {
    const row = rowOf(routing, index, shard);
    const isSame = row.length === before.length && row.every((copy, i) => copy === before[i]);
    if (isSame) return [];
    const primary = row.filter((copy) => copy.primary);
    assert(primary.length === 1, `INV-ALLOC-2: [${index}][${shard}] has one primary`);
    const copies = [...primary, ...row.filter((copy) => !copy.primary)];
    return [{ index, uuid, shard, copies }];
  });
}

/**
 * The in-sync set of a shard after the round (`IndexMetadataUpdater.updateInSyncAllocations`):
 *
 * 1. A primary that initializes with an allocation id outside the set was forced: it replaces the set.
 * 2. Otherwise started copies are added, stale ones removed. A set that has grown beyond the number of copies is
 *    trimmed.
 * 3. When no copy is active any more, the primary that failed first stays in the set: it had all acknowledged writes.
 * 4. The set never becomes empty: then it stays as it was (INV-ALLOC-4).
 */
function inSyncAfter(
  allocation: Allocation,
  metadata: IndexMetadata,
  shard: number,
  changes: ShardChanges,
): readonly AllocationId[] {
  const before = metadata.inSyncAllocationIds[shard] ?? [];
  const { initializedPrimary } = changes;
  const id = initializedPrimary?.allocationId;
  if (id !== undefined && before.length > 0 && !before.includes(id)) {
    assert(changes.addedIds.size === 0, "a forced primary starts in a later round");
    return forcedInSync(initializedPrimary?.recoverySource?.type, id);
  }
  const next = new Set(before);
  for (const added of changes.addedIds) next.add(added);
  for (const removed of changes.removedIds) next.delete(removed);
  const most = metadata.numberOfReplicas + 1;
  const copies = rowOf(allocation.routing, metadata.name, shard);
  const kept =
    next.size > before.length && next.size > most
      ? trimmed([...next], most, new Set(copies.map(({ allocationId }) => allocationId)))
      : [...next];
  const failed = changes.firstFailedPrimary?.allocationId;
  if (failed !== undefined && !copies.some(isActive) && !kept.includes(failed)) kept.push(failed);
  return kept.length === 0 ? before : kept;
}

/** An empty primary clears the set. A stale one is represented by a placeholder until it has started. */
function forcedInSync(source: string | undefined, id: AllocationId): readonly AllocationId[] {
  if (source === "EMPTY_STORE") return [];
  return source === "EXISTING_STORE" ? [FORCED_ALLOCATION_ID] : [id];
}

/** Allocation ids of copies with a node are kept before those without. */
function trimmed(
  ids: readonly AllocationId[],
  most: number,
  assigned: ReadonlySet<AllocationId | undefined>,
): AllocationId[] {
  const rank = (id: AllocationId): number => (assigned.has(id) ? 0 : 1);
  return ids.toSorted((a, b) => rank(a) - rank(b)).slice(0, most);
}

function isSameSet(a: readonly AllocationId[], b: readonly AllocationId[]): boolean {
  return a.length === b.length && a.every((id) => b.includes(id));
}
