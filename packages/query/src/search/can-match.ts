/**
 * Can-match: whether a shard can have any hit, judged from ranges alone, and the bounds of the
 * first sort key, by which the coordinating node orders shards. Source: `SearchService.canMatch`,
 * `CanMatchPreFilterSearchPhase`.
 */
import type { JsonObject } from "@orrery/stdx";
import { searchRequestOf } from "../request/search-request.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import type { SortValue } from "../language/results.ts";
import type { Plan } from "../language/plan.ts";
import { prepareSearch } from "../request/prepared.ts";
import type { Searcher } from "../language/searcher.ts";

/** The answer of one shard. */
export interface CanMatch {
  readonly canMatch: boolean;
  /**
   * Least and greatest value of the first sort field on this shard; `undefined`: the first key is
   * no field, or the shard has no numbers of it.
   */
  readonly minMax: { readonly min: SortValue; readonly max: SortValue } | undefined;
}

/**
 * Whether the shard may have a hit, with the bounds of the first sort field.
 * @throws OperationError a shard failure; the coordinating node keeps the shard, so that its query
 * phase reports the failure
 */
export function canMatch(view: ShardView, body: JsonObject, options: SearchOptions): CanMatch {
  const request = searchRequestOf(view.mapping.language, body);
  const { plan, searcher } = prepareSearch(
    view,
    { query: request.query, isUnexpanded: true },
    options,
  );
  const hasGlobal = request.aggregations?.some(({ type }) => type === "global") ?? false;
  const isPossible = hasGlobal || request.suggest !== undefined || couldMatch(plan, searcher);
  const [first] = request.sort ?? [];
  return {
    canMatch: isPossible,
    minMax: first?.field === undefined ? undefined : spanOf(first.field, searcher),
  };
}

/**
 * Whether the plan can match a document of the shard. Only ranges of numbers and empty plans
 * exclude; every other plan is assumed to match.
 */
function couldMatch(plan: Plan, searcher: Searcher): boolean {
  switch (plan.kind) {
    case "none":
      return false;
    case "number-range":
      return searcher.segments.some(({ reader }) => {
        const points = reader.points(plan.field) ?? reader.numbers(plan.field);
        return points !== undefined && plan.lower <= points.max && plan.upper >= points.min;
      });
    case "constant":
      return couldMatch(plan.plan, searcher);
    case "bool":
      return (
        [...plan.must, ...plan.filter].every((inner) => couldMatch(inner, searcher)) &&
        (plan.minimumShouldMatch === 0 || plan.should.some((inner) => couldMatch(inner, searcher)))
      );
    default:
      return true;
  }
}

/** Bounds of the field's numbers over all segments, deleted documents included. */
function spanOf(field: string, searcher: Searcher): CanMatch["minMax"] {
  let min = Infinity;
  let max = -Infinity;
  const name = searcher.mapping.compiledField(field)?.aliasOf ?? field;
  for (const { reader } of searcher.segments) {
    const column = reader.points(name) ?? reader.numbers(name);
    if (column === undefined || Number.isNaN(column.min)) continue;
    min = Math.min(min, column.min);
    max = Math.max(max, column.max);
  }
  return min <= max ? { min, max } : undefined;
}
