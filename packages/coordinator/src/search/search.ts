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
import { canMatch } from "./can-match.ts";
import { reductionFailed } from "./failures.ts";
import { fetchHits, freeContexts, inlineHits, type Queried } from "./fetch.ts";
import { failedCount, failuresOrThrow, refuseMissing, shardsJson } from "./outcomes.ts";
import { gatherStatistics, queryAll, queryShards } from "./query.ts";
import { reduceInTurns } from "./reduce.ts";
import { startRun, withTerms, type Run } from "./run.ts";
import { encodeScrollId } from "./scroll-id.ts";
import { pitTargets } from "./pit-targets.ts";
import { searchTargets, type SearchTarget } from "./targets.ts";

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
  const wanted = await canMatch(run, targets);
  const statistics = await gatherStatistics(run, wanted);
  const isSingle = wanted.length === 1;
  const isScroll = request.scroll !== undefined;
  const how = { statistics, fetch: isSingle, keep: !isSingle || isScroll, countOnly: false };
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
    ...idsOf(run, answered, wanted.length),
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
): { readonly scrollId?: string; readonly pitId?: string } {
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
