/**
 * Reduces the query results of all shards to one page, total, aggregations and suggestions. Source:
 * `SearchPhaseController`, Lucene's `TopDocs.merge`. Results are put into the order of their shards
 * first, so the outcome does not depend on the order of their arrival.
 */
import type { JsonObject } from "@orrery/stdx";
import { MAX_BUCKETS } from "../aggregations/limits.ts";
import { checkBucketCounts, reduceAggregations, type ReduceOptions } from "../aggregations/run.ts";
import type { SearchLanguage } from "../language/language.ts";
import { searchRequestOf, type SearchRequest } from "../request/search-request.ts";
import type { Scripts } from "../language/script.ts";
import { plainScripts } from "../scripts/script-compiler.ts";
import { compareSortValues } from "../sorts/compare.ts";
import { reduceSuggest } from "../suggest/suggest.ts";
import type { MergedDoc, QueryReducer, ReducedSearch } from "./reduced-search.ts";
import type { Plain } from "../json/plain.ts";
import type { QueryResult, TopDoc, TotalHits } from "../language/results.ts";

/** Settings of the coordinating node. */
export interface ReducerOptions {
  /** `search.max_buckets`; `undefined`: its default. */
  readonly maxBuckets?: number | undefined;
  /**
   * The compiler of the coordinating node; `undefined`: scripts are compiled anew, without a limit
   * of their rate.
   */
  readonly scripts?: Scripts | undefined;
}

/** The result of a shard, under the number by which equal documents are ordered. */
export interface ShardResult {
  readonly shard: number;
  readonly result: QueryResult;
}

/** The results of several shards with their documents merged, and everything else still to be reduced. */
export interface MergedResults {
  readonly page: readonly MergedDoc[];
  /** Without documents: one result for each shard that has partials, or one for all shards. */
  readonly results: readonly QueryResult[];
}

/**
 * Merges all results of a search where they were found. Reducing `results` gives what reducing the results of
 * the shards gives, but for the documents of the page. `ordered` is in the order of the shards.
 */
export function mergeResults(
  language: SearchLanguage,
  body: JsonObject,
  ordered: readonly ShardResult[],
): MergedResults {
  const request = searchRequestOf(language, body);
  const all = ordered.map(({ result }) => result);
  const hasPartials = all.some(
    ({ aggregations, suggest }) => aggregations !== undefined || suggest !== undefined,
  );
  const merged = { topDocs: [], aggregations: undefined, suggest: undefined, profile: undefined };
  return {
    page: page(request, ordered),
    results: hasPartials
      ? all.map((result) => ({ ...result, topDocs: [] }))
      : [{ ...merged, ...overAll(request, all) }],
  };
}

/** Creates the reducer of one search. `body` is the search body, checked by `checkSearchBody`. */
export function createReducer(
  language: SearchLanguage,
  body: JsonObject,
  options: ReducerOptions = {},
): QueryReducer {
  const request = searchRequestOf(language, body);
  const results: ShardResult[] = [];
  const maxBuckets = options.maxBuckets ?? MAX_BUCKETS;
  const scripts = options.scripts ?? plainScripts(language);
  return {
    check: () => checkBucketCounts(request.aggregations ?? [], { maxBuckets }),
    add: (shard, result) => {
      results.push({ shard, result });
    },
    finish: (isTurnOver) => {
      const ordered = results.toSorted((a, b) => a.shard - b.shard);
      return reduce(request, ordered, { maxBuckets, scripts, isTurnOver });
    },
  };
}

/** The final reduction of results in the order of their shards. */
function* reduce(
  request: SearchRequest,
  ordered: readonly ShardResult[],
  options: ReduceOptions & { readonly isTurnOver: () => boolean },
): Generator<undefined, ReducedSearch> {
  const all = ordered.map(({ result }) => result);
  const tree = request.aggregations;
  const partials = all.flatMap(({ aggregations }): Plain[] =>
    aggregations === undefined ? [] : [aggregations],
  );
  const suggestions = all.map(({ suggest }) => suggest).filter((one) => one !== undefined);
  return {
    ...overAll(request, all),
    docs: page(request, ordered),
    aggregations:
      tree === undefined || tree.length === 0
        ? undefined
        : yield* reduceAggregations(tree, partials, options),
    suggest:
      request.suggest === undefined ? undefined : reduceSuggest(request.suggest, suggestions),
    reducePhases: 1,
  };
}

/** The members of a result that are one value for all shards. Reducing them again changes nothing. */
function overAll(
  request: SearchRequest,
  all: readonly QueryResult[],
): Pick<QueryResult, "totalHits" | "maxScore" | "timedOut" | "terminatedEarly"> {
  return {
    totalHits: totalHits(request, all),
    maxScore: all.reduce(
      (best, { maxScore }) => (Number.isNaN(best) || maxScore > best ? maxScore : best),
      Number.NaN,
    ),
    timedOut: all.some(({ timedOut }) => timedOut),
    terminatedEarly: terminatedEarly(all),
  };
}

/** True if any shard ended early; `undefined`: no shard says. */
function terminatedEarly(all: readonly QueryResult[]): boolean | undefined {
  const known = all.flatMap((result) => result.terminatedEarly ?? []);
  return known.length === 0 ? undefined : known.some(Boolean);
}

/** The sum of the totals, a lower bound beyond `track_total_hits` or if one of them is. */
function totalHits(
  { trackTotalHits }: SearchRequest,
  all: readonly QueryResult[],
): TotalHits | undefined {
  if (trackTotalHits === false) return undefined;
  const value = all.reduce((sum, result) => sum + (result.totalHits?.value ?? 0), 0);
  const isExact = all.every((result) => result.totalHits?.relation !== "gte");
  const limit = trackTotalHits === true ? Infinity : trackTotalHits;
  if (value > limit) return { value: limit, relation: "gte" };
  return { value, relation: isExact ? "eq" : "gte" };
}

/** The documents of the page. */
function page(request: SearchRequest, ordered: readonly ShardResult[]): readonly MergedDoc[] {
  const { from, size } = request;
  const merged = ordered.flatMap(({ shard, result }) =>
    result.topDocs.map((doc): MergedDoc => ({ ...doc, shard })),
  );
  // Stable: equal documents stay in the order of their shards, and of their rank there.
  const sorted = ordered.length === 1 ? merged : merged.toSorted(comparison(request));
  const isCollapsed = request.collapse !== undefined;
  return (isCollapsed ? firstOfGroups(sorted) : sorted).slice(from, from + size);
}

/** The order of documents by score or by sort values. */
function comparison({ sort }: SearchRequest): (a: TopDoc, b: TopDoc) => number {
  if (sort === undefined || sort.length === 0) return (a, b) => b.score - a.score;
  return (a, b) => {
    for (const [i, key] of sort.entries()) {
      const order = compareSortValues(a.sort?.[i] ?? null, b.sort?.[i] ?? null, key);
      if (order !== 0) return order;
    }
    return 0;
  };
}

/** The best document of each collapsed value. */
function firstOfGroups(sorted: readonly MergedDoc[]): readonly MergedDoc[] {
  const seen = new Set<unknown>();
  return sorted.filter(({ collapse }) => {
    if (seen.has(collapse)) return false;
    seen.add(collapse);
    return true;
  });
}
