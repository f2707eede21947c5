/** Targets of a search: each shard with its copies in the order of attempts. */
import {
  aliasFilter,
  checkBlock,
  resolveIndices,
  resolveSearchRouting,
  shardsForRouting,
  type ClusterState,
  type IndexMetadata,
  type ShardRouting,
} from "@orrery/cluster-state";
import { searchRequestOf, sliceMeets, type Slice } from "@orrery/query";
import {
  compareText,
  isJsonObject,
  OperationError,
  type Json,
  type JsonObject,
} from "@orrery/stdx";
import { copyOrder, type CopyOrder } from "../copy-order.ts";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import type { SearchRequest } from "../types.ts";

/** One shard of a search. */
export interface SearchTarget {
  /** Position in the search's list of shards: the tie-break of equal hits. */
  readonly position: number;
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
  readonly aliasFilter: JsonObject | undefined;
  readonly indexBoost: number;
  /** Context of a point in time to search in; `undefined`: a new reader of the copy. */
  readonly contextId?: string;
  /** New keep-alive of that context, from now on. */
  readonly keepAliveMs?: number;
  /** Position among the searched shards of its index, for `slice`; `undefined`: the search has no slice. */
  readonly slicing?: Slicing;
}

/** Ordinal of a shard among the searched shards of its index, and their number. */
export interface Slicing {
  readonly shard: number;
  readonly shards: number;
}

/**
 * All targets of a search, by shard number, then index name, as `ShardId.compareTo` orders them. Throws for
 * unresolvable expressions and read blocks.
 */
export function searchTargets(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  request: SearchRequest,
): readonly SearchTarget[] {
  const state = deps.state();
  const nowMs = deps.clock.nowMs();
  refuseBlocked(state);
  const indices = resolveIndices(state, request.indices, request.indicesOptions, nowMs);
  const routing = resolveSearchRouting(state, request.routing, request.indices, nowMs);
  const order = copyOrder(deps, selection, request.preference);
  const boosts = indexBoosts(deps, request);
  const { slice } = searchRequestOf(deps.language, request.body);
  const targets = indices.flatMap(({ metadata }) => {
    refuseBlocked(state, metadata.name);
    const filter = aliasFilter(state, metadata.name, request.indices, nowMs)?.filter;
    const shards = shardsOf(metadata, routing?.get(metadata.name), order);
    return sliced(shards, slice).map(({ shard, slicing }) => ({
      index: metadata,
      shard,
      copies: order.copies(metadata.name, shard),
      aliasFilter: filter,
      indexBoost: boosts.get(metadata.name) ?? 1,
      ...(slicing === undefined ? {} : { slicing }),
    }));
  });
  return inOrder(targets);
}

/** Leaves out shards that can hold no document of the slice. Source: `OperationRouting.searchShards`. */
function sliced(
  shards: readonly number[],
  slice: Slice | undefined,
): readonly { readonly shard: number; readonly slicing: Slicing | undefined }[] {
  if (slice === undefined) return shards.map((shard) => ({ shard, slicing: undefined }));
  return shards
    .toSorted((a, b) => a - b)
    .map((shard, ordinal) => ({ shard, slicing: { shard: ordinal, shards: shards.length } }))
    .filter(({ slicing }) => sliceMeets(slice, slicing));
}

/** Sorts targets by shard number, then index name, and assigns their positions. */
export function inOrder(
  targets: readonly Omit<SearchTarget, "position">[],
): readonly SearchTarget[] {
  return targets
    .toSorted((a, b) => a.shard - b.shard || compareText(a.index.name, b.index.name))
    .map((target, position) => ({ ...target, position }));
}

/**
 * Checks that no block of the cluster, or of the index, forbids reads.
 * @throws OperationError `cluster_block_exception`
 */
export function refuseBlocked(state: ClusterState, index?: string): void {
  const block = checkBlock(state, "read", index);
  if (block) throw new OperationError(block);
}

function shardsOf(
  index: IndexMetadata,
  routing: ReadonlySet<string> | undefined,
  order: CopyOrder,
): readonly number[] {
  const all =
    routing === undefined
      ? Array.from({ length: index.numberOfShards }, (_, shard) => shard)
      : [...new Set([...routing].flatMap((value) => shardsForRouting(index, value)))];
  return all.filter((shard) => order.isWanted(shard));
}

/** Boost by index name from `indices_boost: [{ "name or pattern": 1.4 }, …]`; the first entry that matches an index wins. */
export function indexBoosts(
  deps: CoordinatorDeps,
  request: SearchRequest,
): ReadonlyMap<string, number> {
  const given = request.body["indices_boost"];
  const rows: readonly Json[] = Array.isArray(given) ? given : given === undefined ? [] : [given];
  const boosts = new Map<string, number>();
  for (const row of rows) {
    if (!isJsonObject(row)) continue;
    for (const [expression, boost] of Object.entries(row)) {
      if (typeof boost !== "number") continue;
      const named = resolveIndices(
        deps.state(),
        [expression],
        request.indicesOptions,
        deps.clock.nowMs(),
      );
      for (const { name } of named) if (!boosts.has(name)) boosts.set(name, boost);
    }
  }
  return boosts;
}
