/** The shards a search goes to, each with its copies in the order they are tried. */
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

export interface SearchTarget {
  /** Position in the search's list of shards: the tie-break of equal hits. */
  readonly position: number;
  readonly index: IndexMetadata;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
  readonly aliasFilter: JsonObject | undefined;
  readonly indexBoost: number;
}

/** In the order of shard number, then index name, as `ShardId` compares. */
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
  const targets = indices.flatMap(({ metadata }) => {
    refuseBlocked(state, metadata.name);
    const filter = aliasFilter(state, metadata.name, request.indices, nowMs)?.filter;
    return shardsOf(metadata, routing?.get(metadata.name), order).map((shard) => ({
      index: metadata,
      shard,
      copies: order.copies(metadata.name, shard),
      aliasFilter: filter,
      indexBoost: boosts.get(metadata.name) ?? 1,
    }));
  });
  return targets
    .toSorted((a, b) => a.shard - b.shard || compareText(a.index.name, b.index.name))
    .map((target, position) => ({ ...target, position }));
}

function refuseBlocked(state: ClusterState, index?: string): void {
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

/** `indices_boost: [{ "name or pattern": 1.4 }, …]`; the first that names an index counts. */
function indexBoosts(deps: CoordinatorDeps, request: SearchRequest): ReadonlyMap<string, number> {
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
