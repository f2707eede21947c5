/**
 * One search: can-match, statistics, query, reduce, fetch, response. Source: `TransportSearchAction`,
 * `AbstractSearchAsyncAction`.
 *
 * A shard keeps its reader open between query and fetch under a context id. Each context is either freed by its fetch
 * (`freeContext`) or freed explicitly, unless it belongs to a scroll or a point in time.
 */
import { clusterSetting } from "@orrery/cluster-state";
import { createReducer, type QueryReducer, type ReducedSearch } from "@orrery/query";
import { OperationError } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import type { SearchRequest, SearchResponse } from "../types.ts";
import { canMatch, hasCanMatch } from "./can-match.ts";
import { reductionFailed } from "./failures.ts";
import { fetchHits, freeContexts, inlineHits, type Fetched, type Queried } from "./fetch.ts";
import { failedCount, failuresOrThrow, refuseMissing, shardsJson } from "./outcomes.ts";
import { gatherStatistics, queryAll, queryShards } from "./query.ts";
import { reduceInTurns } from "./reduce.ts";
import { startRun, withTerms, type Run } from "./run.ts";
import { encodeScrollId } from "./scroll-id.ts";
import { pitTargets } from "./pit-targets.ts";
import type { ShardOutcome } from "./shard-request.ts";
import { searchTargets, type SearchTarget } from "./targets.ts";
import { searchWhole, wholePage, type WholeAnswer, type WholeFound } from "./whole-search.ts";

/**
 * Runs a search. Rejects when the request is invalid or its targets cannot be resolved, when every shard failed, when
 * one failed and partial results are not allowed, on cancellation, or when the results cannot be reduced.
 */
export async function search(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  given: SearchRequest,
): Promise<SearchResponse> {
  const startedMs = deps.clock.monotonicMs();
  const find = (inner: SearchRequest) => search(deps, selection, inner);
  const request = await withTerms(deps, selection, { request: given, search: find });
  const run = startRun(deps, selection, request);
  try {
    return await searchShards(run, startedMs);
  } finally {
    run.stopTimer();
  }
}

async function searchShards(run: Run, startedMs: number): Promise<SearchResponse> {
  const { deps, request } = run;
  const targets = targetsOf(run);
  refuseMissing(run, targets);
  const reducer = createReducer(deps.language, request.body, {
    maxBuckets: clusterSetting(deps.state(), "search.max_buckets"),
    scripts: deps.scripts,
  });
  if (targets.length > 0) checkOrFail(reducer);
  const preFilter = hasCanMatch(run, targets);
  // Searches that ask for statistics have no can-match phase.
  const statistics = await gatherStatistics(run, targets);
  const whole = await searchWhole(run, targets, { statistics, preFilter });
  const found =
    whole.kind === "whole"
      ? await finishWhole(run, targets, { whole, reducer })
      : await searchEach(run, targets, { whole, statistics, preFilter, reducer });
  const { reduced, fetched, wanted, outcomes, ids } = found;
  const failures = failuresOrThrow(run, outcomes, {
    phase: "fetch",
    failedLater: fetched.failures,
  });
  const total = targets.length;
  return {
    tookMs: Math.round(deps.clock.monotonicMs() - startedMs),
    ...withoutDocs(reduced),
    // A search without any shard has the maximum score 0, not null.
    ...(total === 0 ? { maxScore: 0 } : {}),
    hits: fetched.hits,
    ...ids,
    shards: shardsJson(
      {
        total,
        successful: total - failedCount(outcomes) - fetched.failures.length,
        skipped: total - wanted.length,
      },
      failures,
    ),
  };
}

/** The phases of a search, done. */
interface SearchedShards {
  /** The shards that can match. */
  readonly wanted: readonly SearchTarget[];
  readonly outcomes: readonly ShardOutcome<{ readonly contextId: string }>[];
  readonly reduced: ReducedSearch;
  readonly fetched: Fetched;
  /** Ids for the follow-up request. */
  readonly ids: { readonly scrollId?: string; readonly pitId?: string };
}

/** Reduces what one worker has found in all shards. */
async function finishWhole(
  run: Run,
  targets: readonly SearchTarget[],
  { whole, reducer }: { readonly whole: WholeFound; readonly reducer: QueryReducer },
): Promise<SearchedShards> {
  const results = whole.found.results.map((result, position) => ({ position, result }));
  const reduced = await reduceOrFail(run, [], () =>
    reduceInTurns(run.deps.clock, reducer, results),
  );
  return {
    wanted: whole.wanted.map(({ target }) => target),
    outcomes: whole.wanted.map(({ target, copy }) => ({
      kind: "answered",
      ...{ target, copy },
      value: { contextId: "" },
    })),
    reduced,
    fetched: wholePage(run, targets, whole),
    ids: {},
  };
}

interface EachHow {
  readonly whole: Exclude<WholeAnswer, WholeFound>;
  /** Encoded statistics over all shards; empty: none were asked for. */
  readonly statistics: Uint8Array;
  readonly preFilter: boolean;
  readonly reducer: QueryReducer;
}

/** Queries each shard, reduces, and fetches from the shards that have documents on the page. */
async function searchEach(
  run: Run,
  targets: readonly SearchTarget[],
  { whole, statistics, preFilter, reducer }: EachHow,
): Promise<SearchedShards> {
  const { deps, request } = run;
  const begun = whole.kind === "each" ? whole.begun : undefined;
  const wanted =
    whole.kind === "each" ? whole.wanted : preFilter ? await canMatch(run, targets) : targets;
  const isSingle = wanted.length === 1 && begun === undefined;
  const isScroll = request.scroll !== undefined;
  const how = { statistics, fetch: isSingle, keep: !isSingle || isScroll, countOnly: false, begun };
  const outcomes = await queryAll(run, queryShards(run, wanted, how));
  failuresOrThrow(run, outcomes, { phase: "query" });
  const answered = outcomes.filter((outcome) => outcome.kind === "answered");
  const results = answered.map(({ target, value }) => ({
    position: target.position,
    result: value.result,
  }));
  const reduced = await reduceOrFail(run, outcomes, () =>
    reduceInTurns(deps.clock, reducer, results),
  );
  const fetched = isSingle
    ? inlineHits(run, answered)
    : await fetchHits(run, answered, { docs: reduced.docs, statistics });
  return { wanted, outcomes, reduced, fetched, ids: idsOf(run, answered, wanted.length) };
}

/** The reduced result without the documents of the page: totals, aggregations, suggestions. */
export function withoutDocs({ docs: _docs, ...found }: ReducedSearch): Omit<ReducedSearch, "docs"> {
  return found;
}

function targetsOf({ deps, selection, request, pointInTime }: Run): readonly SearchTarget[] {
  return pointInTime === undefined
    ? searchTargets(deps, selection, request)
    : pitTargets(deps, request, pointInTime);
}

/** Ids for the follow-up request; none if no shard answered. */
function idsOf(
  { request, pointInTime }: Run,
  answered: readonly Queried[],
  shardCount: number,
): SearchedShards["ids"] {
  if (answered.length === 0) return {};
  if (pointInTime !== undefined) return { pitId: pointInTime.id };
  if (request.scroll === undefined) return {};
  const contexts = answered.map(({ target, copy, value }) => ({
    nodeId: copy.nodeId,
    contextId: value.contextId,
    indexUuid: target.index.uuid,
    shard: target.shard,
  }));
  return { scrollId: encodeScrollId({ contexts, indices: request.indices }, shardCount) };
}

/** Reduces the results; on failure the contexts are freed, since no fetch will follow. */
async function reduceOrFail(
  run: Run,
  outcomes: Parameters<typeof freeContexts>[1],
  reduce: () => ReducedSearch | Promise<ReducedSearch>,
): Promise<ReducedSearch> {
  try {
    return await reduce();
  } catch (error) {
    freeContexts(run, outcomes);
    throw failedToReduce(error);
  }
}

function checkOrFail(reducer: QueryReducer): void {
  try {
    reducer.check();
  } catch (error) {
    throw failedToReduce(error);
  }
}

/** A reduction failure (too many buckets, for example) fails the whole search and blames no shard. */
function failedToReduce(error: unknown): unknown {
  return error instanceof OperationError ? reductionFailed(error.problem) : error;
}
