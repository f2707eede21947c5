/**
 * The fetch phase: shards with documents on the page load their hits; the contexts of all other shards are freed.
 * Source: `FetchSearchPhase`.
 */
import {
  actions,
  FetchPhaseResponse,
  FreeContextRequest,
  FreeContextResponse,
  type QueryPhaseResponse,
} from "@orrery/protocol";
import { decodeFetchResult, encodePlain, jsonText, type Hit, type MergedDoc } from "@orrery/query";
import { emptyBytes, OperationError, type NodeId } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { WaitingClient } from "../types.ts";
import { shardKey } from "../shard-key.ts";
import type { Run } from "./run.ts";
import { fetchAction, sendingOf } from "./search-actions.ts";
import { ShardRequests } from "./shard-requests.ts";
import type { ShardOutcome, ShardProblem } from "./shard-request.ts";

/** A shard that answered the query phase. */
export type Queried = ShardOutcome<QueryPhaseResponse> & { readonly kind: "answered" };

/** A response with the id of the context that the shard keeps open; empty when it keeps none. */
interface WithContext {
  readonly contextId: string;
}

type Opened = ShardOutcome<WithContext> & { readonly kind: "answered" };

/** The hits of a page, and the shards whose fetch failed. */
export interface Fetched {
  /** Hits of the page, in its order. */
  readonly hits: readonly Hit[];
  readonly failures: readonly ShardProblem[];
}

/**
 * The hits of a search with one target, which its shard fetched in the query phase; empty if the shard did not answer.
 */
export function inlineHits(run: Run, answered: readonly Queried[]): Fetched {
  return inlinePage(answered[0]?.value.fetched ?? emptyBytes, run.request);
}

/** Decodes hits that a single shard fetched together with its query. */
export function inlinePage(fetched: Uint8Array, { hold }: WaitingClient): Fetched {
  if (fetched.length === 0) return { hits: [], failures: [] };
  hold?.(fetched.length);
  return { hits: decodeFetchResult(fetched).hits, failures: [] };
}

/** Documents of a page by their scores, and the encoded statistics by which the shards scored them. */
interface Page {
  readonly docs: readonly MergedDoc[];
  readonly statistics: Uint8Array;
}

/** Fetches the hits of the page. On an error all contexts of this search are freed before it is rethrown. */
export async function fetchHits(
  run: Run,
  answered: readonly Queried[],
  { docs, statistics }: Page,
): Promise<Fetched> {
  try {
    return await fetchPage(docs, {
      shards: answered,
      positionOf: ({ target }) => target.position,
      fetch: fetchesOf(run, statistics),
      hold: (bytes) => run.request.hold?.(bytes),
      release: (queried) => {
        if (!isKept(run, queried)) freeContext(run, queried);
      },
      problem: ({ target, copy }, problem) => ({ target, nodeId: copy.nodeId, problem }),
    });
  } catch (error) {
    // Shards that still fetch would produce hits without a reader.
    run.cancellation.cancel("the search has failed");
    freeContexts(run, answered);
    throw error;
  }
}

/** How one kind of page (search or scroll) fetches from its shards. */
export interface PageParts<Shard> {
  readonly shards: readonly Shard[];
  readonly positionOf: (shard: Shard) => number;
  readonly fetch: (shard: Shard, docs: readonly MergedDoc[]) => Promise<Uint8Array>;
  /** Counts bytes of hits that the node holds for responses. Throws 429 above the limit, which fails the whole search. */
  readonly hold: (bytes: number) => void;
  /** Releases a shard that has no document on the page, or whose fetch was rejected. */
  readonly release: (shard: Shard) => void;
  readonly problem: (shard: Shard, problem: OperationError["problem"]) => ShardProblem;
}

/**
 * Fetches the documents of each shard in parallel and places the hits in the order of the page. A failed shard loses
 * its hits and adds a failure.
 */
export async function fetchPage<Shard>(
  page: readonly MergedDoc[],
  parts: PageParts<Shard>,
): Promise<Fetched> {
  parts.hold(0);
  const byShard = new Map<number, { doc: MergedDoc; place: number }[]>();
  page.forEach((doc, place) => {
    const list = byShard.get(doc.shard);
    if (list) list.push({ doc, place });
    else byShard.set(doc.shard, [{ doc, place }]);
  });
  const hits: (Hit | undefined)[] = [];
  const failures: ShardProblem[] = [];
  const fetches = parts.shards.map(async (shard) => {
    const docs = byShard.get(parts.positionOf(shard));
    if (docs === undefined) return parts.release(shard);
    let answer: Uint8Array;
    let found: readonly Hit[];
    try {
      answer = await parts.fetch(
        shard,
        docs.map(({ doc }) => doc),
      );
      found = hitsOf(answer);
    } catch (error) {
      if (!(error instanceof OperationError)) throw error;
      failures.push(parts.problem(shard, error.problem));
      // A rejected fetch (429, lost node) has not freed the context.
      return parts.release(shard);
    }
    parts.hold(answer.length);
    docs.forEach(({ place }, i) => {
      hits[place] = found[i];
    });
    return undefined;
  });
  await Promise.all(fetches);
  return { hits: hits.flatMap((hit) => hit ?? []), failures };
}

function fetchesOf(
  run: Run,
  statistics: Uint8Array,
): (queried: Queried, docs: readonly MergedDoc[]) => Promise<Uint8Array> {
  const requests = new ShardRequests(sendingOf(run), fetchAction);
  const shared = { body: run.body, nowMs: run.nowMs, statistics };
  return (queried, docs) => {
    const { target, copy, value } = queried;
    const part = {
      indexUuid: target.index.uuid,
      shard: target.shard,
      contextId: value.contextId,
      docs: encodeDocs(docs),
      freeContext: !isKept(run, queried),
      aliasFilter: target.aliasFilter === undefined ? "" : jsonText(target.aliasFilter),
    };
    return requests.ask(copy.nodeId, {
      shard: shardKey(target.index.uuid, target.shard),
      request: { shared, part },
    });
  };
}

/** Encodes documents of a page for a fetch request, with the values that a hit repeats: score, sort and collapse values. */
export function encodeDocs(docs: readonly MergedDoc[]): Uint8Array {
  return encodePlain(
    docs.map(({ segment, doc, score, sort, sortText, collapse }) => ({
      segment,
      doc,
      score,
      sort,
      sortText,
      collapse,
    })),
  );
}

function hitsOf(answer: Uint8Array): readonly Hit[] {
  return decodeFetchResult(FetchPhaseResponse.decode(answer).result).hits;
}

/** Whether the context outlives this request: it belongs to a scroll or a point in time. */
function isKept({ request }: Run, { target }: Queried): boolean {
  return request.scroll !== undefined || target.contextId !== undefined;
}

/** Frees the contexts that this search has opened, not those of a point in time. */
export function freeContexts(run: Run, outcomes: readonly ShardOutcome<WithContext>[]): void {
  for (const outcome of outcomes) {
    if (outcome.kind === "answered" && outcome.target.contextId === undefined)
      freeContext(run, outcome);
  }
}

/** Sends the request without awaiting it: when it is lost, the shard frees the context at the end of its keep-alive. */
function freeContext({ deps }: Run, { target, copy, value }: Opened): void {
  const { contextId } = value;
  if (contextId === "") return;
  const { uuid } = target.index;
  const { shard } = target;
  void freeIfThere(deps, { nodeId: copy.nodeId, contextId, indexUuid: uuid, shard });
}

/** Address of a context: the node, and the shard by which the node finds the worker. */
export interface OpenContext {
  readonly nodeId: NodeId;
  readonly contextId: string;
  readonly indexUuid: Queried["target"]["index"]["uuid"];
  readonly shard: number;
}

/** Frees a context. True when the shard had it, false when it was gone, `undefined` when its node could not be reached. */
export async function freeIfThere(
  deps: CoordinatorDeps,
  { nodeId, contextId, indexUuid, shard }: OpenContext,
): Promise<boolean | undefined> {
  const payload = FreeContextRequest.encode({ indexUuid, shard, contextId }).finish();
  try {
    const bytes = await deps.transport.request(nodeId, actions.freeContext, payload, {
      shard: shardKey(indexUuid, shard),
    });
    return FreeContextResponse.decode(bytes).freed;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return undefined;
  }
}
