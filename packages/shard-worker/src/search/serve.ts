/** The phases of a search on one copy. Bodies are the client's JSON; results go back in the codecs of `query`. */
import { clusterSetting } from "@orrery/cluster-state";
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
import { delay, type Cancellation, type Clock } from "@orrery/ports";
import {
  canMatch,
  collectStatistics,
  decodePlain,
  encodeFetchResult,
  encodePlain,
  encodeQueryResult,
  executeCount,
  executeFetchPhase,
  jsonText,
  pageOf,
  parseJson,
  queryPhaseSteps,
  type Plain,
  type QueryResult,
  type SearchOptions,
  type SearchStatistics,
  type ShardView,
  type TopDoc,
} from "@orrery/query";
import { isJsonObject, OperationError, utf8Encode, type JsonObject } from "@orrery/stdx";
import type { WorkerContext } from "../context.ts";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { noteSearch } from "../copy/upkeep.ts";
import { assertOpen } from "../engine/failure.ts";

export async function serveCanMatch(
  copy: ShardCopy,
  request: ShardSearchRequest,
): Promise<Uint8Array> {
  const view = viewOf(copy);
  const options = optionsOf(copy, request, undefined);
  const { canMatch: matches, minMax } = canMatch(view, bodyOf(request.body), options);
  const sortBounds = minMax === undefined ? "" : jsonText([minMax.min, minMax.max]);
  return CanMatchResponse.encode({ matches, sortBounds }).finish();
}

export async function serveStatistics(
  copy: ShardCopy,
  request: ShardSearchRequest,
): Promise<Uint8Array> {
  const view = freshView(copy);
  const statistics = collectStatistics(
    view,
    bodyOf(request.body),
    optionsOf(copy, request, undefined),
  );
  return StatisticsResponse.encode({
    statistics: encodePlain(statistics as unknown as Plain),
  }).finish();
}

export async function serveQuery(
  copy: ShardCopy,
  request: ShardSearchRequest,
  cancellation: Cancellation,
): Promise<Uint8Array> {
  const { contexts } = copy.worker;
  if (request.contextId === "") {
    return runQuery(copy, freshView(copy), request, { cancellation, contextId: "" });
  }
  return contexts.use(request.contextId, (context) => {
    contexts.extend(context.id, request.keepAliveMs);
    return runQuery(copy, context.view, request, { cancellation, contextId: context.id });
  });
}

async function runQuery(
  copy: ShardCopy,
  view: ShardView,
  request: ShardSearchRequest,
  { cancellation, contextId }: { readonly cancellation: Cancellation; readonly contextId: string },
): Promise<Uint8Array> {
  const { counters } = copy;
  const { clock } = copy.worker;
  const startedMs = clock.monotonicMs();
  const body = bodyOf(request.body);
  const options = optionsOf(copy, request, cancellation);
  counters.queryCurrent += 1;
  try {
    if (request.countOnly) return runCount(view, body, options);
    const result = await queryInTurns(view, body, { options, clock });
    const tookMs = clock.monotonicMs() - startedMs;
    counters.queryTotal += 1;
    counters.queryMs += tookMs;
    if (body["suggest"] !== undefined) counters.suggestTotal += 1;
    if (request.isScroll) counters.scrollTotal += 1;
    const fetched = request.fetch
      ? runFetch(copy, view, { docs: pageOf(result.topDocs, body), body, options })
      : undefined;
    const isKept = request.keepContext && contextId === "";
    const keep = { keepAliveMs: request.keepAliveMs, isScroll: request.isScroll };
    return QueryPhaseResponse.encode({
      contextId: isKept ? copy.worker.contexts.open(copy, view, keep).id : contextId,
      result: encodeQueryResult(result),
      fetched: fetched ?? new Uint8Array(0),
      serviceTimeNs: Math.max(1, Math.round(tookMs * 1e6)),
      queueSize: 0,
    }).finish();
  } catch (error) {
    counters.queryFailed += 1;
    throw error;
  } finally {
    counters.queryCurrent -= 1;
  }
}

/** How long a query may keep other work of this worker waiting. */
const TURN_MS = 20;

async function queryInTurns(
  view: ShardView,
  body: JsonObject,
  { options, clock }: { readonly options: SearchOptions; readonly clock: Clock },
): Promise<QueryResult> {
  let turnEndMs = clock.monotonicMs() + TURN_MS;
  const isTurnOver = (): boolean => clock.monotonicMs() > turnEndMs;
  const steps = queryPhaseSteps(view, body, { ...options, isTurnOver });
  for (;;) {
    const step = steps.next();
    if (step.done === true) return step.value;
    await delay(clock, 0);
    turnEndMs = clock.monotonicMs() + TURN_MS;
  }
}

function runCount(view: ShardView, body: JsonObject, options: SearchOptions): Uint8Array {
  const { count, terminatedEarly } = executeCount(view, body, options);
  return QueryPhaseResponse.encode({ count, terminatedEarly: terminatedEarly ?? false }).finish();
}

export async function serveFetch(
  copy: ShardCopy,
  request: FetchPhaseRequest,
  cancellation: Cancellation,
): Promise<Uint8Array> {
  const { contexts } = copy.worker;
  const docs = decodePlain(request.docs) as unknown as readonly TopDoc[];
  const body = bodyOf(request.body);
  const options: SearchOptions = {
    nowMs: request.nowMs,
    aliasFilter: filterOf(request.aliasFilter),
    checkCancelled: () => checkCancelled(cancellation),
  };
  try {
    const result = await contexts.use(request.contextId, async ({ view }) =>
      runFetch(copy, view, { docs, body, options }),
    );
    return FetchPhaseResponse.encode({ result }).finish();
  } finally {
    if (request.freeContext) contexts.free(request.contextId);
  }
}

function runFetch(
  copy: ShardCopy,
  view: ShardView,
  what: {
    readonly docs: readonly TopDoc[];
    readonly body: JsonObject;
    readonly options: SearchOptions;
  },
): Uint8Array {
  const { counters, worker } = copy;
  const startedMs = worker.clock.monotonicMs();
  const result = executeFetchPhase(view, what.docs, what.body, what.options);
  counters.fetchTotal += 1;
  counters.fetchMs += worker.clock.monotonicMs() - startedMs;
  return encodeFetchResult(result);
}

/** Works without a copy: the context may have outlived it, or never been here. */
export async function serveFreeContext(
  worker: WorkerContext,
  request: FreeContextRequest,
): Promise<Uint8Array> {
  return FreeContextResponse.encode({ freed: worker.contexts.free(request.contextId) }).finish();
}

/** What searches see now; an idle shard is refreshed first. */
function freshView(copy: ShardCopy): ShardView {
  noteSearch(copy, engineOf(copy));
  return viewOf(copy);
}

export function viewOf(copy: ShardCopy): ShardView {
  const engine = engineOf(copy);
  assertOpen(engine);
  return {
    index: copy.index,
    indexUuid: copy.indexUuid,
    shard: copy.shard,
    nodeId: copy.worker.nodeId,
    settings: copy.service.metadata.settings,
    mapping: copy.service.mapping,
    segments: engine.visible.map(({ reader, live }) => ({ reader, live })),
  };
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
    indexBoost: request.indexBoost > 0 ? request.indexBoost : 1,
    checkCancelled: cancellation === undefined ? undefined : () => checkCancelled(cancellation),
    isTimedOut: endMs === Infinity ? undefined : () => clock.monotonicMs() > endMs,
    statistics:
      request.statistics.length === 0
        ? undefined
        : (decodePlain(request.statistics) as unknown as SearchStatistics),
    allowExpensiveQueries:
      state === undefined || clusterSetting(state, "search.allow_expensive_queries"),
    maxBuckets: state === undefined ? 65_535 : clusterSetting(state, "search.max_buckets"),
  };
}

function bodyOf(bytes: Uint8Array): JsonObject {
  if (bytes.length === 0) return {};
  const body = parseJson(bytes);
  return isJsonObject(body) ? body : {};
}

function filterOf(text: string): JsonObject | undefined {
  if (text === "") return undefined;
  return bodyOf(utf8Encode(text));
}

function checkCancelled(cancellation: Cancellation): void {
  if (!cancellation.isCancelled) return;
  throw new OperationError({
    type: "task_cancelled_exception",
    reason: `cancelled task with reason: ${cancellation.reason}`,
    status: 400,
  });
}
