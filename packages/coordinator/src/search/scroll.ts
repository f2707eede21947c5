/**
 * Later pages of a scroll, and its end. The contexts hold query and position, so each page goes to exactly the nodes
 * of the first page, without retries on other copies. Source: `SearchScrollAsyncAction`,
 * `TransportClearScrollAction`.
 */
import { indicesOptions } from "@orrery/cluster-state";
import { createCancellation, type CancellationSource } from "@orrery/ports";
import {
  actions,
  FetchPhaseRequest,
  QueryPhaseResponse,
  ScrollQueryRequest,
} from "@orrery/protocol";
import { createReducer, parseJson, type MergedDoc, type ReducedSearch } from "@orrery/query";
import { reduceInTurns } from "./reduce.ts";
import { appendAll, isJsonObject, OperationError, problemOf } from "@orrery/stdx";
import { broadcast } from "../broadcast.ts";
import type { CoordinatorDeps } from "../deps.ts";
import { shardKey } from "../shard-key.ts";
import type { ClearScrollResponse, ScrollRequest, SearchResponse } from "../types.ts";
import { searchFailed } from "./failures.ts";
import { encodeDocs, fetchPage, freeIfThere, inlinePage, type Fetched } from "./fetch.ts";
import { shardsJson } from "./outcomes.ts";
import { decodeScrollId, type ScrollContext } from "./scroll-id.ts";
import { withoutDocs } from "./search.ts";
import type { ShardProblem } from "./shard-request.ts";

interface Page {
  readonly deps: CoordinatorDeps;
  readonly request: ScrollRequest;
  readonly contexts: readonly ScrollContext[];
  readonly cancellation: CancellationSource;
}

interface Answered {
  readonly context: ScrollContext;
  readonly position: number;
  readonly value: QueryPhaseResponse;
}

/**
 * Returns the next page. Shards whose context is gone are failures. Rejects when all have failed, and when this node
 * has no room for the hits, which ends the scroll.
 */
export async function scrollPage(
  deps: CoordinatorDeps,
  request: ScrollRequest,
): Promise<SearchResponse> {
  const startedMs = deps.clock.monotonicMs();
  const { contexts } = decodeScrollId(request.scrollId);
  if (contexts.length === 0) throw searchFailed("query", "no nodes to search on", []);
  const cancellation = createCancellation();
  request.onCancel?.(() => cancellation.cancel("http channel was closed"));
  const page = { deps, request, contexts, cancellation };
  // A node without room for responses must refuse before any context advances to the page.
  request.hold?.(0);
  const { answered, failures } = await queryPage(page);
  if (answered.length === 0) {
    await endIfAdvanced(page, failures);
    throw allFailed("query", failures);
  }
  const reduced = await reduce(deps, answered);
  const fetched = await fetchOrEnd(page, answered, reduced);
  appendAll(failures, fetched.failures);
  const total = contexts.length;
  // A context advances only after it has produced a page: when all shards failed here, the client can retry the page.
  if (failures.length === total) throw allFailed("fetch", failures);
  return {
    tookMs: Math.round(deps.clock.monotonicMs() - startedMs),
    ...(request.keepAliveMs === undefined ? {} : { scrollId: request.scrollId }),
    ...withoutDocs(reduced),
    hits: fetched.hits,
    shards: shardsJson({ total, successful: total - failures.length, skipped: 0 }, failures),
  };
}

async function queryPage(page: Page): Promise<{ answered: Answered[]; failures: ShardProblem[] }> {
  const answered: Answered[] = [];
  const failures: ShardProblem[] = [];
  const asked = page.contexts.map(async (context, position) => {
    try {
      answered.push({ context, position, value: await queryContext(page, context) });
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      failures.push({ target: undefined, nodeId: undefined, problem: problemOf(error) });
    }
  });
  await Promise.all(asked);
  return { answered: answered.toSorted((a, b) => a.position - b.position), failures };
}

async function queryContext(page: Page, context: ScrollContext): Promise<QueryPhaseResponse> {
  const { deps, request, contexts, cancellation } = page;
  const { nodeId, contextId, indexUuid, shard } = context;
  if (!deps.state().nodes.has(nodeId)) {
    const reason = `scroll_id references node [${nodeId}] which was not found in the cluster`;
    throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
  }
  const payload = ScrollQueryRequest.encode({
    contextId,
    keepAliveMs: request.keepAliveMs ?? null,
    fetch: contexts.length === 1,
  }).finish();
  const bytes = await deps.transport.request(nodeId, actions.queryScroll, payload, {
    shard: shardKey(indexUuid, shard),
    cancellation,
  });
  return QueryPhaseResponse.decode(bytes);
}

async function reduce(
  { clock, language, scripts }: CoordinatorDeps,
  answered: readonly Answered[],
): Promise<ReducedSearch> {
  const [first] = answered;
  const body = first === undefined ? {} : parseJson(first.value.scrollBody);
  const reducer = createReducer(language, isJsonObject(body) ? body : {}, { scripts });
  const results = answered.map(({ position, value }) => ({ position, result: value.result }));
  return reduceInTurns(clock, reducer, results);
}

/**
 * The contexts have already advanced to this page. When its fetch fails, the scroll is ended, because a retry would
 * silently skip these hits.
 */
async function fetchOrEnd(
  page: Page,
  answered: readonly Answered[],
  reduced: ReducedSearch,
): Promise<Fetched> {
  try {
    return await fetchAnswered(page, answered, reduced);
  } catch (error) {
    page.cancellation.cancel("the scroll has failed");
    await freeAll(page.deps, page.contexts);
    throw error;
  }
}

/** Problems that leave it open whether the shard executed the request. */
const UNKNOWN_OUTCOMES: ReadonlySet<string> = new Set([
  "node_disconnected_exception",
  "receive_timeout_transport_exception",
  "task_cancelled_exception",
]);

const FREE_TRIES = 20;
const FREE_AGAIN_MS = 250;

/**
 * Ends a scroll of one shard whose response was lost. The shard fetches with the query and advances at once, so a
 * retry would skip a page; the freed context makes the retry fail visibly. The node may have to be reconnected first.
 */
async function endIfAdvanced(
  { deps, contexts }: Page,
  failures: readonly ShardProblem[],
): Promise<void> {
  const [only] = contexts;
  if (contexts.length !== 1 || only === undefined) return;
  if (!failures.some(({ problem }) => UNKNOWN_OUTCOMES.has(problem.type))) return;
  for (let tries = 0; tries < FREE_TRIES && deps.state().nodes.has(only.nodeId); tries += 1) {
    if ((await freeIfThere(deps, only)) !== undefined) return;
    await new Promise<void>((resolve) => {
      deps.clock.setTimer(FREE_AGAIN_MS, resolve);
    });
  }
}

function fetchAnswered(
  page: Page,
  answered: readonly Answered[],
  reduced: ReducedSearch,
): Promise<Fetched> | Fetched {
  const [only] = answered;
  if (page.contexts.length === 1 && only !== undefined)
    return inlinePage(only.value.fetched, page.request);
  return fetchPage(reduced.docs, {
    shards: answered,
    positionOf: ({ position }) => position,
    fetch: ({ context }, docs) => fetchContext(page, context, docs),
    hold: (bytes) => page.request.hold?.(bytes),
    release: () => undefined,
    problem: (_, problem) => ({ target: undefined, nodeId: undefined, problem }),
  });
}

async function fetchContext(
  { deps, cancellation }: Page,
  { nodeId, contextId, indexUuid, shard }: ScrollContext,
  docs: readonly MergedDoc[],
): Promise<Uint8Array> {
  const payload = FetchPhaseRequest.encode({
    indexUuid,
    shard,
    contextId,
    docs: encodeDocs(docs),
  }).finish();
  return deps.transport.request(nodeId, actions.fetchScroll, payload, {
    shard: shardKey(indexUuid, shard),
    cancellation,
  });
}

/** The problem of the last failed shard is the cause. */
function allFailed(phase: string, failures: readonly ShardProblem[]): OperationError {
  const { problem } = searchFailed(phase, "all shards failed", failures);
  const last = failures.at(-1)?.problem;
  return new OperationError(last === undefined ? problem : { ...problem, causedBy: last });
}

/** Frees the contexts of the given scrolls, or of all scrolls if `_all` is the only id. Throws for a malformed id. */
export async function clearScroll(
  deps: CoordinatorDeps,
  scrollIds: readonly string[],
): Promise<ClearScrollResponse> {
  if (scrollIds.length === 1 && scrollIds[0] === "_all") return clearAll(deps);
  const contexts = scrollIds.flatMap((id) => decodeScrollId(id).contexts);
  return freeAll(deps, contexts);
}

async function freeAll(
  deps: CoordinatorDeps,
  contexts: readonly ScrollContext[],
): Promise<ClearScrollResponse> {
  const { nodes } = deps.state();
  const there = contexts.filter(({ nodeId }) => nodes.has(nodeId));
  const freed = await Promise.all(there.map((context) => freeIfThere(deps, context)));
  return { succeeded: !freed.includes(undefined), freed: freed.filter(Boolean).length };
}

/** Ends all scrolls: asks every copy, but counts nodes, as the product does. */
async function clearAll(deps: CoordinatorDeps): Promise<ClearScrollResponse> {
  const { shards } = await broadcast(
    deps,
    { indices: [], indicesOptions: indicesOptions.lenientExpandHidden },
    { action: actions.freeScrolls, parameters: {} },
  );
  return { succeeded: shards.failed === 0, freed: deps.state().nodes.size };
}
