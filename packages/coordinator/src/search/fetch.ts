/** The fetch phase: the shards that own the page make its hits; the contexts of the others are freed. */
import {
  actions,
  FetchPhaseResponse,
  FreeContextRequest,
  FreeContextResponse,
  type QueryPhaseResponse,
} from "@orrery/protocol";
import {
  decodeFetchResult,
  encodePlain,
  jsonText,
  type Hit,
  type MergedDoc,
  type ReducedSearch,
} from "@orrery/query";
import { emptyBytes, OperationError, type NodeId } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { WaitingClient } from "../types.ts";
import { shardKey } from "../shard-key.ts";
import type { Run } from "./run.ts";
import { fetchAction, sendingOf } from "./search-actions.ts";
import { ShardRequests } from "./shard-requests.ts";
import type { ShardOutcome, ShardProblem } from "./shard-request.ts";

export type Queried = ShardOutcome<QueryPhaseResponse> & { readonly kind: "answered" };

/** Empty: none was opened. */
interface WithContext {
  readonly contextId: string;
}

type Opened = ShardOutcome<WithContext> & { readonly kind: "answered" };

export interface Fetched {
  /** Of the page, in order. */
  readonly hits: readonly Hit[];
  readonly failures: readonly ShardProblem[];
}

export function inlineHits(run: Run, answered: readonly Queried[]): Fetched {
  return inlinePage(answered[0]?.value.fetched ?? emptyBytes, run.request);
}

/** The page of the only shard, which fetched at once. */
export function inlinePage(fetched: Uint8Array, { hold }: WaitingClient): Fetched {
  if (fetched.length === 0) return { hits: [], failures: [] };
  hold?.(fetched.length);
  return { hits: decodeFetchResult(fetched).hits, failures: [] };
}

export async function fetchHits(
  run: Run,
  answered: readonly Queried[],
  reduced: ReducedSearch,
): Promise<Fetched> {
  try {
    return await fetchPage(reduced.docs, {
      shards: answered,
      positionOf: ({ target }) => target.position,
      fetch: fetchesOf(run),
      hold: (bytes) => run.request.hold?.(bytes),
      leave: (queried) => {
        if (!isKept(run, queried)) freeContext(run, queried);
      },
      problem: ({ target, copy }, problem) => ({ target, nodeId: copy.nodeId, problem }),
    });
  } catch (error) {
    // Hits that other shards still make have no reader.
    run.cancellation.cancel("the search has failed");
    freeContexts(run, answered);
    throw error;
  }
}

export interface PageParts<Shard> {
  readonly shards: readonly Shard[];
  readonly positionOf: (shard: Shard) => number;
  readonly fetch: (shard: Shard, docs: readonly MergedDoc[]) => Promise<Uint8Array>;
  /** Throws when the hits of all answers that this node makes are too many bytes: the whole search fails then. */
  readonly hold: (bytes: number) => void;
  /** The shard has nothing on this page. */
  readonly leave: (shard: Shard) => void;
  readonly problem: (shard: Shard, problem: OperationError["problem"]) => ShardProblem;
}

/** Asks each shard for its documents of the page, and puts them in the page's order. */
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
    if (docs === undefined) return parts.leave(shard);
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
      // A fetch that was refused before it began has left the context open.
      return parts.leave(shard);
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
): (queried: Queried, docs: readonly MergedDoc[]) => Promise<Uint8Array> {
  const requests = new ShardRequests(sendingOf(run), fetchAction);
  const shared = { body: run.body, nowMs: run.nowMs };
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

/** The context is a client's: it goes on after this request. */
function isKept({ request }: Run, { target }: Queried): boolean {
  return request.scroll !== undefined || target.contextId !== undefined;
}

/** Those that this search has opened. */
export function freeContexts(run: Run, outcomes: readonly ShardOutcome<WithContext>[]): void {
  for (const outcome of outcomes) {
    if (outcome.kind === "answered" && outcome.target.contextId === undefined)
      freeContext(run, outcome);
  }
}

/** Nobody waits for it: a shard that does not hear it frees the context when its keep-alive ends. */
function freeContext({ deps }: Run, { target, copy, value }: Opened): void {
  const { contextId } = value;
  if (contextId === "") return;
  const { uuid } = target.index;
  const { shard } = target;
  void freeIfThere(deps, { nodeId: copy.nodeId, contextId, indexUuid: uuid, shard });
}

export interface OpenContext {
  readonly nodeId: NodeId;
  readonly contextId: string;
  readonly indexUuid: Queried["target"]["index"]["uuid"];
  readonly shard: number;
}

/** Whether there was one to free; `undefined`: its node could not be asked. */
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
