/**
 * The phases of a search on one copy (`SearchService`): can-match, statistics, query, fetch. Bodies are the client's
 * JSON; results are encoded by the codecs of `query`.
 */
import { clusterSetting, type ClusterState } from "@orrery/cluster-state";
import {
  CanMatchResponse,
  FetchPhaseResponse,
  FreeContextResponse,
  QueryPhaseResponse,
  StatisticsResponse,
  type FetchPhaseRequest,
  type FreeContextRequest,
  type ShardSearchRequest,
} from "@orrery/protocol";
import {
  inTurns,
  type Cancellation,
  type HandlerContext,
  type RequestContext,
} from "@orrery/ports";
import {
  float,
  isSuggestOnly,
  searchRequestOf,
  canMatch,
  countSteps,
  decodeStatistics,
  decodeTopDocs,
  encodeFetchResult,
  encodePlain,
  encodeQueryResult,
  fetchPhaseSteps,
  jsonText,
  pageOf,
  queryPhaseSteps,
  statisticsSteps,
  withBudget,
  type CanMatch,
  type EarlierHits,
  type QueryLimits,
  type QueryResult,
  type FetchResult,
  type ShardCount,
  type SearchOptions,
  type SearchStatistics,
  type ShardView,
  type TopDoc,
} from "@orrery/query";
import {
  illegalArgument,
  emptyBytes,
  OperationError,
  utf8Encode,
  type JsonObject,
} from "@orrery/stdx";
import type { WorkerContext } from "../context.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { checkCancelled } from "./cancelled.ts";
import { missingContext } from "./context-limits.ts";
import { isTheirs, type SearchContext } from "./contexts.ts";
import { bodyOf, type SearchBody } from "./search-body.ts";
import { checkRestricted, restrictionOf, viewFor } from "./restrictions.ts";
import { startScroll } from "./scroll-state.ts";
import { contextView, freshView, viewOf } from "./views.ts";

/** The subject of a search: a copy as it is now, or an open context of it, and the body. */
export interface Searched {
  readonly copy: ShardCopy;
  readonly context: SearchContext | undefined;
  readonly body: SearchBody;
}

/**
 * Answers whether the copy may have matching documents, with the bounds of the first sort field. Where documents are
 * hidden from the request, the answer is yes without bounds.
 */
export async function serveCanMatch(
  searched: Searched,
  request: ShardSearchRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  const { canMatch: matches, minMax } = await canMatchOn(searched, request, context);
  const sortBounds = minMax === undefined ? "" : jsonText([minMax.min, minMax.max]);
  return CanMatchResponse.encode({ matches, sortBounds }).finish();
}

/** Can-match on one copy. */
export async function canMatchOn(
  { copy, context: opened, body }: Searched,
  request: ShardSearchRequest,
  context: RequestContext,
): Promise<CanMatch> {
  // Bounds are those of all documents, and would reveal hidden ones.
  if (restrictionOf(copy, context)?.documents !== undefined)
    return { canMatch: true, minMax: undefined };
  const seen = viewFor(copy, opened === undefined ? viewOf(copy) : contextView(opened), context);
  const view = seen instanceof Promise ? await seen : seen;
  return canMatch(view, body.json, optionsOf(copy, request, undefined));
}

/** Statistics of the query's terms, for `dfs_query_then_fetch`. */
export async function serveStatistics(
  { copy, context: opened, body: { json: body } }: Searched,
  request: ShardSearchRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  const seen = viewFor(copy, opened === undefined ? freshView(copy) : contextView(opened), context);
  const view = seen instanceof Promise ? await seen : seen;
  const options = optionsOf(copy, request, context.cancellation);
  const collected = inTurns(copy.worker.clock, (isTurnOver) =>
    withBudget(copy.worker.memory, (budget) =>
      statisticsSteps(view, body, { ...options, budget, isTurnOver }),
    ),
  );
  const statistics = collected instanceof Promise ? await collected : collected;
  return StatisticsResponse.encode({
    statistics: encodePlain(statistics),
  }).finish();
}

/**
 * Runs the query phase, and the fetch phase as well if the search has one shard. Opens a context if a fetch or a
 * further page will follow, and frees it if the phase fails; one that was opened for a fetch alone, also if there is
 * nothing to fetch.
 */
export async function serveQuery(
  { copy, context: given, body: received }: Searched,
  request: ShardSearchRequest,
  context: HandlerContext,
): Promise<Uint8Array> {
  if (given !== undefined && request.keepAliveMs !== null)
    copy.worker.contexts.extend(given, request.keepAliveMs);
  const { cancellation } = context;
  const body = received.json;
  checkRestricted(copy, body, context);
  const whole = given === undefined ? freshView(copy) : contextView(given);
  const opened =
    given === undefined && request.keepContext
      ? openFor(copy, { view: whole, request, context })
      : given;
  const { fetch } = request;
  if (opened !== undefined && !fetch) opened.search = { bytes: received.bytes, body };
  try {
    const seen = viewFor(copy, whole, context);
    const view = seen instanceof Promise ? await seen : seen;
    const search = { view, body, request, fetch, cancellation };
    if (request.countOnly) return runCount(copy, search);
    const result = await runQuery(copy, search);
    if (opened?.kind === "scroll")
      opened.scroll = startScroll(request, search.body, result.queried);
    const isLeft = opened?.kind === "search" && hasNothingToFetch(result.queried);
    if (isLeft) copy.worker.contexts.free(opened.id);
    return await printQuery(copy, search, { ...result, context: isLeft ? undefined : opened });
  } catch (error) {
    if (opened !== undefined && opened !== given) copy.worker.contexts.free(opened.id);
    throw error;
  }
}

/** Source: `SearchService.executeQueryPhase`, `QuerySearchResult.hasSearchContext`. */
export function hasNothingToFetch({ topDocs, suggest }: QueryResult): boolean {
  return topDocs.length === 0 && suggest === undefined;
}

/** What a context is opened for. */
export interface Opening {
  /** The whole copy: a context is shown to each request as that may see it. */
  readonly view: ShardView;
  readonly request: ShardSearchRequest;
  readonly context: HandlerContext;
}

/** Opens a context before the query runs: one too many is refused without work. */
export function openFor(copy: ShardCopy, { view, request, context }: Opening): SearchContext {
  return copy.worker.contexts.open(copy, {
    kind: request.isScroll ? "scroll" : "search",
    view,
    segments: engineOf(copy).visible,
    by: context,
    keepAliveMs: request.keepAliveMs ?? undefined,
  });
}

/** The input of `runQuery` and `printQuery`: one search on one copy. */
export interface ShardSearch {
  readonly view: ShardView;
  readonly body: JsonObject;
  readonly request: ShardSearchRequest;
  /** Fetches in the query phase: no other shard's documents are merged. */
  readonly fetch: boolean;
  readonly cancellation: Cancellation;
  /** The last document of the page before, for later pages of a scroll. */
  readonly after?: TopDoc | undefined;
  readonly skipCount?: boolean;
  /** Hits of the search's shards before this one. */
  readonly earlier?: EarlierHits | undefined;
}

/** The result of a query phase. */
export interface Queried {
  readonly queried: QueryResult;
  /** The options, for the fetch that follows. */
  readonly options: SearchOptions;
  readonly tookMs: number;
}

/** Runs the query phase in turns, and counts it. */
export async function runQuery(copy: ShardCopy, search: ShardSearch): Promise<Queried> {
  const { counters } = copy;
  const { clock } = copy.worker;
  const { view, body } = search;
  const startedMs = clock.monotonicMs();
  counters.queryCurrent += 1;
  try {
    const options = queryOptions(copy, search);
    const queried = await inTurns(clock, (isTurnOver) =>
      withBudget(copy.worker.memory, (budget) =>
        queryPhaseSteps(view, body, { ...options, budget, isTurnOver }),
      ),
    );
    options.checkCancelled?.();
    const tookMs = clock.monotonicMs() - startedMs;
    if (isSuggestOnly(searchRequestOf(view.mapping.language, body))) {
      counters.suggestTotal += 1;
      counters.suggestMs += tookMs;
    } else {
      counters.queryTotal += 1;
      counters.queryMs += tookMs;
    }
    return { queried, options, tookMs };
  } catch (error) {
    counters.queryFailed += 1;
    throw error;
  } finally {
    counters.queryCurrent -= 1;
  }
}

function queryOptions(copy: ShardCopy, search: ShardSearch): SearchOptions {
  const { request, cancellation, after, skipCount = false, earlier } = search;
  return {
    ...optionsOf(copy, request, cancellation),
    isScroll: request.isScroll,
    isPointInTime: request.isPointInTime,
    after,
    skipCount,
    earlier,
    shardIndex: request.shardIndex,
    slicing:
      request.sliceShards > 0
        ? { shard: request.sliceShard, shards: request.sliceShards }
        : { shard: copy.shard, shards: copy.service.metadata.numberOfShards },
  };
}

/** A query phase and its context. */
interface Answered extends Queried {
  readonly context: SearchContext | undefined;
  /** The search that a later page belongs to. */
  readonly scrollBody?: Uint8Array;
}

/** Encodes the answer of a query phase, with the hits of the page where it fetches. */
export async function printQuery(
  copy: ShardCopy,
  search: ShardSearch,
  { queried, options, tookMs, context, scrollBody = emptyBytes }: Answered,
): Promise<Uint8Array> {
  const { view, body, fetch } = search;
  const docs = fetch ? pageOf(view, body, queried.topDocs) : [];
  const fetching = fetch ? runFetch(copy, view, { docs, body, options }) : emptyBytes;
  const fetched = fetching instanceof Promise ? await fetching : fetching;
  if (context?.scroll !== undefined) context.scroll.after = docs.at(-1) ?? context.scroll.after;
  return QueryPhaseResponse.encode({
    contextId: context?.id ?? "",
    // The only shard's hits are the page: there is nothing to merge.
    result: encodeQueryResult(fetch ? { ...queried, topDocs: [] } : queried),
    fetched,
    serviceTimeNs: Math.max(1, Math.round(tookMs * 1e6)),
    queueSize: 0,
    scrollBody,
  }).finish();
}

async function runCount(copy: ShardCopy, search: ShardSearch): Promise<Uint8Array> {
  const { counters, worker } = copy;
  const options = queryOptions(copy, search);
  counters.queryCurrent += 1;
  try {
    const counted = inTurns(worker.clock, (isTurnOver) =>
      withBudget(worker.memory, (budget) =>
        countSteps(search.view, search.body, { ...options, budget, isTurnOver }),
      ),
    );
    return printCount(counted instanceof Promise ? await counted : counted);
  } catch (error) {
    counters.queryFailed += 1;
    throw error;
  } finally {
    counters.queryCurrent -= 1;
  }
}

function printCount({ count, terminatedEarly }: ShardCount): Uint8Array {
  return QueryPhaseResponse.encode({ count, terminatedEarly: terminatedEarly ?? false }).finish();
}

/** Runs the fetch phase for documents that a query phase has found in the same context. */
export async function serveFetch(
  { copy, context: opened, body: received }: Searched,
  request: FetchPhaseRequest,
  context: RequestContext,
): Promise<Uint8Array> {
  if (opened === undefined) throw new OperationError(missingContext(request.contextId));
  const docs = decodeTopDocs(request.docs);
  const options = fetchOptions(copy, request, context.cancellation);
  try {
    const body = bodyToFetch(opened, received);
    const seen = viewFor(copy, contextView(opened), context);
    const view = seen instanceof Promise ? await seen : seen;
    const fetching = runFetch(copy, view, { docs, body, options });
    const result = fetching instanceof Promise ? await fetching : fetching;
    if (opened.scroll !== undefined) opened.scroll.after = docs.at(-1) ?? opened.scroll.after;
    return FetchPhaseResponse.encode({ result }).finish();
  } finally {
    if (request.freeContext) copy.worker.contexts.free(request.contextId);
  }
}

/**
 * The body of the query phase, parsed once for both phases. Searches in one point in time may interleave: then the
 * body is parsed again.
 */
function bodyToFetch(context: SearchContext, received: SearchBody): JsonObject {
  const { search } = context;
  context.search = undefined;
  return search !== undefined && received.isSame(search.bytes) ? search.body : received.json;
}

/** Members that a fetch repeats from the query before it. */
interface FetchedSearch {
  readonly nowMs: number;
  readonly aliasFilter: string;
  readonly statistics: Uint8Array;
}

/** Options of a fetch that runs without a query phase in the same request. */
export function fetchOptions(
  { worker }: ShardCopy,
  { nowMs, aliasFilter, statistics }: FetchedSearch,
  cancellation: Cancellation,
): SearchOptions {
  return {
    nowMs,
    aliasFilter: filterOf(aliasFilter),
    statistics: statisticsOf(statistics),
    checkCancelled: () => checkCancelled(cancellation),
    scripts: worker.scripts,
  };
}

/** The documents that a fetch phase loads, and how. */
export interface Fetching {
  readonly docs: readonly TopDoc[];
  readonly body: JsonObject;
  readonly options: SearchOptions;
}

/** `loadHits`, encoded. */
export function runFetch(
  copy: ShardCopy,
  view: ShardView,
  what: Fetching,
): Uint8Array | Promise<Uint8Array> {
  const loaded = loadHits(copy, view, what);
  return loaded instanceof Promise ? loaded.then(encodeFetchResult) : encodeFetchResult(loaded);
}

/** Runs the fetch phase in turns, and counts it. Returns the hits, without a promise if one turn is enough. */
export function loadHits(
  copy: ShardCopy,
  view: ShardView,
  what: Fetching,
): FetchResult | Promise<FetchResult> {
  const { counters, worker } = copy;
  const { docs, body, options } = what;
  const startedMs = worker.clock.monotonicMs();
  const done = (result: FetchResult): FetchResult => {
    counters.fetchTotal += 1;
    counters.fetchMs += worker.clock.monotonicMs() - startedMs;
    return result;
  };
  const fetched = inTurns(worker.clock, (isTurnOver) =>
    withBudget(worker.memory, (budget) =>
      fetchPhaseSteps(view, docs, body, { ...options, budget, isTurnOver }),
    ),
  );
  return fetched instanceof Promise ? fetched.then(done) : done(fetched);
}

/**
 * Frees a context by its id. Neither copy nor context need exist: the context may have ended with its copy, or with an
 * earlier process.
 */
export async function serveFreeContext(
  worker: WorkerContext,
  { contextId }: FreeContextRequest,
  asker: RequestContext,
): Promise<Uint8Array> {
  const context = worker.contexts.find(contextId);
  const freed =
    context !== undefined && isTheirs(context, asker) && worker.contexts.free(contextId);
  return FreeContextResponse.encode({ freed }).finish();
}

function optionsOf(
  copy: ShardCopy,
  request: ShardSearchRequest,
  cancellation: Cancellation | undefined,
): SearchOptions {
  const { clock, state } = copy.worker;
  const endMs = request.timeoutMs > 0 ? clock.monotonicMs() + request.timeoutMs : Infinity;
  return {
    nowMs: request.nowMs,
    aliasFilter: filterOf(request.aliasFilter),
    indexBoost: indexBoostOf(request),
    checkCancelled: cancellation === undefined ? undefined : () => checkCancelled(cancellation),
    isTimedOut: endMs === Infinity ? undefined : () => clock.monotonicMs() > endMs,
    statistics: statisticsOf(request.statistics),
    allowExpensiveQueries:
      state === undefined || clusterSetting(state, "search.allow_expensive_queries"),
    limits: state === undefined ? undefined : queryLimits(state),
    scripts: copy.worker.scripts,
    maxBuckets: state === undefined ? 65_535 : clusterSetting(state, "search.max_buckets"),
  };
}

/** Statistics over all shards; `undefined`: none were collected, and the shard's own count. */
function statisticsOf(bytes: Uint8Array): SearchStatistics | undefined {
  return bytes.length === 0 ? undefined : decodeStatistics(bytes);
}

/** The boost of the copy's index (`BoostQuery`); 0 means 1. */
function indexBoostOf({ indexBoost }: ShardSearchRequest): number {
  const boost = Math.fround(indexBoost);
  if (boost < 0 || !Number.isFinite(boost))
    throw illegalArgument(
      `boost must be a positive float, got ${jsonText(float(boost)).replaceAll('"', "")}`,
    );
  return indexBoost > 0 ? indexBoost : 1;
}

function queryLimits(state: ClusterState): QueryLimits {
  return {
    maxClauseCount: clusterSetting(state, "indices.query.bool.max_clause_count"),
    maxQueryStringLength: clusterSetting(state, "search.query.max_query_string_length"),
  };
}

function filterOf(text: string): JsonObject | undefined {
  if (text === "") return undefined;
  return bodyOf(utf8Encode(text));
}
