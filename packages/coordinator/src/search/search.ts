/**
 * A search: can-match, statistics, query, reduce, fetch, answer. Source: `TransportSearchAction`, `AbstractSearchAsyncAction`.
 *
 * A shard's reader stays open between query and fetch under a context id; every context is either fetched from with
 * `freeContext`, or freed.
 */
import { clusterSetting } from "@orrery/cluster-state";
import { createCancellation, type Cancellation } from "@orrery/ports";
import {
  actions,
  CanMatchResponse,
  FetchPhaseRequest,
  FetchPhaseResponse,
  FreeContextRequest,
  QueryPhaseResponse,
  ShardSearchRequest,
  StatisticsResponse,
} from "@orrery/protocol";
import {
  createReducer,
  decodeFetchResult,
  decodePlain,
  decodeQueryResult,
  encodePlain,
  jsonText,
  mergeStatistics,
  type MergedDoc,
  type QueryReducer,
  type ReducedSearch,
  type SearchStatistics,
} from "@orrery/query";
import {
  emptyBytes,
  formatDuration,
  isJsonObject,
  OperationError,
  utf8Encode,
  type JsonObject,
} from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import { shardKey, shardName } from "../shard-key.ts";
import type { CountResponse, SearchRequest, SearchResponse } from "../types.ts";
import { groupFailures, failureJson, reductionFailed, searchFailed } from "./failures.ts";
import { lookUpTerms } from "./lookups.ts";
import { perNodeLimit, type RunOnNode } from "./per-node-limit.ts";
import { printSearch } from "./print.ts";
import {
  askCopies,
  type ActiveCopy,
  type ShardOutcome,
  type ShardProblem,
} from "./shard-request.ts";
import { searchTargets, type SearchTarget } from "./targets.ts";

interface Run {
  readonly deps: CoordinatorDeps;
  readonly selection: ReplicaSelection;
  readonly request: SearchRequest;
  readonly body: Uint8Array;
  readonly nowMs: number;
  readonly cancellation: Cancellation;
  /** To be called at the end. */
  readonly stopTimer: () => void;
  readonly onNode: RunOnNode;
}

type Queried = ShardOutcome<QueryPhaseResponse> & { readonly kind: "answered" };

export async function search(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  given: SearchRequest,
): Promise<SearchResponse> {
  const startedMs = deps.clock.monotonicMs();
  const request = await withTerms(deps, selection, given);
  const run = startRun(deps, selection, request);
  try {
    return await searchShards(run, startedMs);
  } finally {
    run.stopTimer();
  }
}

async function searchShards(run: Run, startedMs: number): Promise<SearchResponse> {
  const { deps, selection, request } = run;
  const targets = searchTargets(deps, selection, request);
  refuseMissing(run, targets);
  const wanted = await canMatch(run, targets);
  const statistics = await gatherStatistics(run, wanted);
  const isSingle = wanted.length === 1;
  const outcomes = await queryAll(
    run,
    wanted.map((target) =>
      queryShard(run, target, { statistics, fetch: isSingle, keep: !isSingle, countOnly: false }),
    ),
  );
  const failures = judge(run, targets, outcomes, "query");
  const answered = outcomes.filter((outcome) => outcome.kind === "answered");
  const reducer = createReducer(request.body, {
    maxBuckets: clusterSetting(deps.state(), "search.max_buckets"),
  });
  for (const { target, value } of answered)
    reducer.add(target.position, decodeQueryResult(value.result));
  const reduced = reduceOrFail(reducer, () => freeContexts(run, outcomes));
  const fetched = isSingle
    ? inlineHits(answered, reduced)
    : await fetchHits(run, answered, reduced);
  failures.push(...fetched.failures);
  const skipped = targets.length - wanted.length;
  const body = printSearch({
    tookMs: Math.round(deps.clock.monotonicMs() - startedMs),
    request,
    // A search of no shards at all is answered before anything is scored.
    reduced: targets.length === 0 ? { ...reduced, maxScore: 0 } : reduced,
    hits: fetched.hits,
    shards: shardsJson(
      targets.length,
      targets.length - failedCount(outcomes) - fetched.failures.length,
      skipped,
      failures,
    ),
  });
  return { body, status: 200 };
}

export async function count(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  given: SearchRequest,
): Promise<CountResponse> {
  const request = await withTerms(deps, selection, given);
  const run = startRun(deps, selection, request);
  try {
    return await countShards(run);
  } finally {
    run.stopTimer();
  }
}

async function countShards(run: Run): Promise<CountResponse> {
  const { deps, selection, request } = run;
  const targets = searchTargets(deps, selection, request);
  refuseMissing(run, targets);
  const outcomes = await Promise.all(
    targets.map((target) =>
      queryShard(run, target, {
        statistics: undefined,
        fetch: false,
        keep: false,
        countOnly: true,
      }),
    ),
  );
  const failures = judge(run, targets, outcomes, "query");
  const answered = outcomes.filter((outcome) => outcome.kind === "answered");
  return {
    count: answered.reduce((sum, { value }) => sum + value.count, 0),
    terminatedEarly:
      request.body["terminate_after"] === undefined
        ? undefined
        : answered.some(({ value }) => value.terminatedEarly),
    shards: shardsJson(targets.length, targets.length - failedCount(outcomes), 0, failures),
  };
}

/** What cannot be reduced, such as too many buckets, fails the whole search; no shard is to blame. */
function reduceOrFail(reducer: QueryReducer, cleanUp: () => void): ReducedSearch {
  try {
    return reducer.finish();
  } catch (error) {
    cleanUp();
    if (!(error instanceof OperationError)) throw error;
    throw reductionFailed(error.problem);
  }
}

async function withTerms(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  request: SearchRequest,
): Promise<SearchRequest> {
  const body = await lookUpTerms(deps, selection, {
    request,
    search: (inner) => search(deps, selection, inner),
  });
  return body === request.body ? request : { ...request, body };
}

function startRun(deps: CoordinatorDeps, selection: ReplicaSelection, request: SearchRequest): Run {
  return {
    deps,
    selection,
    request,
    body: bytesOf(request),
    nowMs: deps.clock.nowMs(),
    ...cancellationOf(deps, request),
    onNode: perNodeLimit(request.maxConcurrentShardRequests),
  };
}

/** As they came, unless something was put over them. */
function bytesOf({ sent, body }: SearchRequest): Uint8Array {
  return sent !== undefined && sent.body === body ? sent.bytes : utf8Encode(jsonText(body));
}

/** Fires when the client is gone, or after `cancel_after_time_interval`. */
function cancellationOf(
  deps: CoordinatorDeps,
  request: SearchRequest,
): Pick<Run, "cancellation" | "stopTimer"> {
  const cancellation = createCancellation();
  request.onCancel?.(() => cancellation.cancel("http channel was closed"));
  const { cancelAfterMs } = request;
  if (cancelAfterMs === undefined || cancelAfterMs <= 0)
    return { cancellation, stopTimer: () => undefined };
  const reason = `Cancellation timeout of [${formatDuration(cancelAfterMs)}] is expired`;
  const stopTimer = deps.clock.setTimer(cancelAfterMs, () => cancellation.cancel(reason));
  return { cancellation, stopTimer };
}

/** The default of `pre_filter_shard_size`. */
const PRE_FILTER_SHARDS = 128;

/** Asks first which shards can have a match when there are many, or when a sort tells which come first. */
async function canMatch(
  run: Run,
  targets: readonly SearchTarget[],
): Promise<readonly SearchTarget[]> {
  const { request } = run;
  const limit = request.preFilterShardSize ?? (isFieldSorted(request.body) ? 1 : PRE_FILTER_SHARDS);
  if (
    targets.length <= limit ||
    request.searchType !== "query_then_fetch" ||
    keepsAll(request.body)
  )
    return targets;
  const answers = await Promise.all(
    targets.map((target) =>
      askCopies(run.deps, target, {
        action: actions.canMatch,
        encode: (copy) => ShardSearchRequest.encode(shardRequest(run, target, copy)).finish(),
        decode: (bytes) => CanMatchResponse.decode(bytes).matches,
        cancellation: run.cancellation,
      }),
    ),
  );
  // A shard that could not say is asked: only a clear no skips it.
  const matching = targets.filter((_, i) => {
    const answer = answers[i];
    return answer?.kind !== "answered" || answer.value;
  });
  return matching.length === 0 ? targets.slice(0, 1) : matching;
}

function isFieldSorted(body: JsonObject): boolean {
  const sort = body["sort"];
  const first = Array.isArray(sort) ? sort[0] : sort;
  if (first === undefined || first === null) return false;
  const name =
    typeof first === "string" ? first : isJsonObject(first) ? Object.keys(first)[0] : undefined;
  return name !== undefined && !name.startsWith("_");
}

/** Whether shards without a match still have something to say: global aggregations, suggestions. */
function keepsAll(body: JsonObject): boolean {
  const aggregations = body["aggs"] ?? body["aggregations"];
  if (body["suggest"] !== undefined) return true;
  if (!isJsonObject(aggregations)) return false;
  return Object.values(aggregations).some(
    (aggregation) =>
      isJsonObject(aggregation) &&
      (aggregation["global"] !== undefined || isMinDocCountZero(aggregation)),
  );
}

function isMinDocCountZero(aggregation: JsonObject): boolean {
  return Object.values(aggregation).some(
    (definition) => isJsonObject(definition) && definition["min_doc_count"] === 0,
  );
}

async function gatherStatistics(
  run: Run,
  targets: readonly SearchTarget[],
): Promise<SearchStatistics | undefined> {
  if (run.request.searchType !== "dfs_query_then_fetch") return undefined;
  const answers = await Promise.all(
    targets.map((target) =>
      askCopies(run.deps, target, {
        action: actions.statisticsPhase,
        encode: (copy) => ShardSearchRequest.encode(shardRequest(run, target, copy)).finish(),
        decode: (bytes) =>
          decodePlain(StatisticsResponse.decode(bytes).statistics) as unknown as SearchStatistics,
        cancellation: run.cancellation,
      }),
    ),
  );
  return mergeStatistics(
    answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : [])),
  );
}

/** All outcomes; when a shard's rejects, what the others keep open for the fetch is freed. */
async function queryAll(
  run: Run,
  queries: readonly Promise<ShardOutcome<QueryPhaseResponse>>[],
): Promise<readonly ShardOutcome<QueryPhaseResponse>[]> {
  const settled = await Promise.allSettled(queries);
  const outcomes = settled.flatMap((one) => (one.status === "fulfilled" ? [one.value] : []));
  const rejected = settled.find((one) => one.status === "rejected");
  if (rejected === undefined) return outcomes;
  freeContexts(run, outcomes);
  throw rejected.reason;
}

interface QueryHow {
  readonly statistics: SearchStatistics | undefined;
  readonly fetch: boolean;
  readonly keep: boolean;
  readonly countOnly: boolean;
}

function queryShard(
  run: Run,
  target: SearchTarget,
  how: QueryHow,
): Promise<ShardOutcome<QueryPhaseResponse>> {
  const { deps, selection } = run;
  return run.onNode(target.copies[0]?.nodeId, () =>
    askCopies(deps, target, {
      action: actions.queryPhase,
      encode: (copy) =>
        ShardSearchRequest.encode({
          ...shardRequest(run, target, copy),
          fetch: how.fetch,
          keepContext: how.keep,
          keepAliveMs: KEEP_ALIVE_MS,
          countOnly: how.countOnly,
          statistics:
            how.statistics === undefined ? emptyBytes : encodePlain({ ...how.statistics }),
        }).finish(),
      decode: (bytes) => QueryPhaseResponse.decode(bytes),
      cancellation: run.cancellation,
      observe: ({ nodeId }, startedMs, value) => {
        if (startedMs === undefined) selection.sent(nodeId);
        else
          selection.ended(
            nodeId,
            value && observation(deps.clock.monotonicMs() - startedMs, value),
          );
      },
    }),
  );
}

/** `search.default_keep_alive`: how long a shard keeps a reader whose coordinating node went away. */
const KEEP_ALIVE_MS = 300_000;

function observation(responseTimeMs: number, value: QueryPhaseResponse) {
  return { queueSize: value.queueSize, responseTimeMs, serviceTimeMs: value.serviceTimeNs / 1e6 };
}

function shardRequest(run: Run, target: SearchTarget, copy: ActiveCopy) {
  const { request } = run;
  return {
    index: target.index.name,
    indexUuid: target.index.uuid,
    shard: target.shard,
    allocationId: copy.allocationId,
    body: run.body,
    aliasFilter: target.aliasFilter === undefined ? "" : jsonText(target.aliasFilter),
    shardIndex: target.position,
    nowMs: run.nowMs,
    preference: request.preference ?? "",
    searchType: request.searchType,
    indexBoost: target.indexBoost,
  };
}

function allowsPartial({ deps, request }: Run): boolean {
  return (
    request.allowPartialSearchResults ??
    clusterSetting(deps.state(), "search.default_allow_partial_results") !== false
  );
}

/** Nothing is asked at all when some shard has no copy and partial results are not wanted. */
function refuseMissing(run: Run, targets: readonly SearchTarget[]): void {
  if (allowsPartial(run)) return;
  const missing = targets.filter(({ copies }) => copies.length === 0);
  if (missing.length === 0) return;
  const names = missing.map(({ index, shard }) => shardName(index.name, shard)).join(", ");
  const reason = `Search rejected due to missing shards [${names}]. Consider using \`allow_partial_search_results\` setting to bypass this error.`;
  const { problem } = searchFailed("query", reason, []);
  throw new OperationError({ ...problem, reason: "", causedBy: problem });
}

/** What failed, for the answer; throws when nothing answered, or when partial results are not wanted. */
function judge(
  run: Run,
  targets: readonly SearchTarget[],
  outcomes: readonly ShardOutcome<QueryPhaseResponse>[],
  phase: string,
): ShardProblem[] {
  const failures = outcomes.flatMap((outcome) =>
    outcome.kind === "failed" ? [outcome.failure] : [],
  );
  const failed = failedCount(outcomes);
  if (failed === 0) return failures;
  const isPartialAllowed = allowsPartial(run);
  const isNothingThere = targets.length > 0 && failed === outcomes.length;
  if (isNothingThere || !isPartialAllowed) freeContexts(run, outcomes);
  if (isNothingThere) throw searchFailed(phase, "all shards failed", failures);
  if (isPartialAllowed) return failures;
  if (failures.length > 0) throw searchFailed(phase, "Partial shards failure", failures);
  throw searchFailed(phase, `Partial shards failure (${failed} shards unavailable)`, []);
}

function failedCount(outcomes: readonly ShardOutcome<QueryPhaseResponse>[]): number {
  return outcomes.filter((outcome) => outcome.kind !== "answered").length;
}

function shardsJson(
  total: number,
  successful: number,
  skipped: number,
  failures: readonly ShardProblem[],
): JsonObject {
  return {
    total,
    successful,
    skipped,
    // Shards without a copy to ask are in neither number.
    failed: failures.length,
    ...(failures.length === 0 ? {} : { failures: groupFailures(failures).map(failureJson) }),
  };
}

interface Fetched {
  /** JSON text of each hit of the page, in order. */
  readonly hits: readonly Uint8Array[];
  readonly failures: readonly ShardProblem[];
}

function inlineHits(answered: readonly Queried[], reduced: ReducedSearch): Fetched {
  const [only] = answered;
  if (only === undefined || only.value.fetched.length === 0) return { hits: [], failures: [] };
  const { hits } = decodeFetchResult(only.value.fetched);
  return { hits: hits.slice(0, reduced.docs.length).map((hit) => hit.json), failures: [] };
}

async function fetchHits(
  run: Run,
  answered: readonly Queried[],
  reduced: ReducedSearch,
): Promise<Fetched> {
  const byShard = new Map<number, { doc: MergedDoc; place: number }[]>();
  reduced.docs.forEach((doc, place) => {
    const list = byShard.get(doc.shard);
    if (list) list.push({ doc, place });
    else byShard.set(doc.shard, [{ doc, place }]);
  });
  const hits: (Uint8Array | undefined)[] = [];
  const failures: ShardProblem[] = [];
  const parts = answered.map(async (queried) => {
    const docs = byShard.get(queried.target.position);
    if (docs === undefined) return freeContext(run, queried);
    try {
      const found = await fetchShard(
        run,
        queried,
        docs.map(({ doc }) => doc),
      );
      docs.forEach(({ place }, i) => {
        hits[place] = found[i]?.json;
      });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      failures.push({
        target: queried.target,
        nodeId: queried.copy.nodeId,
        problem: error.problem,
      });
    }
    return undefined;
  });
  await Promise.all(parts);
  return { hits: hits.flatMap((hit) => hit ?? []), failures };
}

async function fetchShard(run: Run, { target, copy, value }: Queried, docs: readonly MergedDoc[]) {
  const payload = FetchPhaseRequest.encode({
    indexUuid: target.index.uuid,
    shard: target.shard,
    contextId: value.contextId,
    body: run.body,
    docs: encodePlain(
      docs.map(({ segment, doc, score, sort, sortText, collapse }) => ({
        segment,
        doc,
        score,
        sort,
        sortText,
        collapse,
      })),
    ),
    freeContext: true,
    nowMs: run.nowMs,
    aliasFilter: target.aliasFilter === undefined ? "" : jsonText(target.aliasFilter),
  }).finish();
  const bytes = await run.deps.transport.request(copy.nodeId, actions.fetchPhase, payload, {
    shard: shardKey(target.index.uuid, target.shard),
    ...(run.cancellation ? { cancellation: run.cancellation } : {}),
  });
  return decodeFetchResult(FetchPhaseResponse.decode(bytes).result).hits;
}

function freeContexts(run: Run, outcomes: readonly ShardOutcome<QueryPhaseResponse>[]): void {
  for (const outcome of outcomes) if (outcome.kind === "answered") freeContext(run, outcome);
}

/** Nobody waits for it: a shard that does not hear it frees the context when its keep-alive ends. */
function freeContext(run: Run, { target, copy, value }: Queried): undefined {
  if (value.contextId === "") return;
  const { uuid } = target.index;
  const payload = FreeContextRequest.encode({
    indexUuid: uuid,
    shard: target.shard,
    contextId: value.contextId,
  }).finish();
  void run.deps.transport
    .request(copy.nodeId, actions.freeContext, payload, { shard: shardKey(uuid, target.shard) })
    .catch((error: unknown) => {
      if (!(error instanceof OperationError)) throw error;
    });
}
