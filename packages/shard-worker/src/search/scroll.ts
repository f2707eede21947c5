/**
 * Scroll pages on one copy: the same search on the same context, each page after the last document of the one before.
 */
import type { RequestContext } from "@orrery/ports";
import {
  FetchPhaseResponse,
  type FetchPhaseRequest,
  type ScrollQueryRequest,
} from "@orrery/protocol";
import { decodeTopDocs, jsonText } from "@orrery/query";
import { OperationError, utf8Encode, type JsonObject } from "@orrery/stdx";
import type { WorkerContext } from "../context.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { missingContext } from "./context-limits.ts";
import { isTheirs, ownerOf, type SearchContext } from "./contexts.ts";
import { viewFor } from "./restrictions.ts";
import type { ScrollState } from "./scroll-state.ts";
import { fetchOptions, printQuery, runFetch, runQuery } from "./serve.ts";
import { contextView } from "./views.ts";

/** Runs the query phase of a page after the first. A keep-alive above the limit ends the scroll. */
export async function serveScrollQuery(
  worker: WorkerContext,
  request: ScrollQueryRequest,
  asker: RequestContext,
): Promise<Uint8Array> {
  return onScroll(worker, { id: request.contextId, asker }, async (context, scroll) => {
    const keepAliveMs = request.keepAliveMs ?? undefined;
    try {
      worker.contexts.extend(context, keepAliveMs);
    } catch (error) {
      worker.contexts.free(context.id);
      throw error;
    }
    const seen = viewFor(context.copy, contextView(context), asker);
    const search = {
      view: seen instanceof Promise ? await seen : seen,
      body: scroll.body,
      request: scroll.request,
      fetch: request.fetch,
      cancellation: asker.cancellation,
      after: scroll.after,
      skipCount: true,
    };
    const found = await runQuery(context.copy, search);
    // Without a keep-alive this page is the last. As the product does, only contexts that fetch with the query are
    // freed.
    if (request.fetch && keepAliveMs === undefined) worker.contexts.free(context.id);
    const { totalHits, maxScore } = scroll;
    return printQuery(context.copy, search, {
      ...found,
      queried: { ...found.queried, totalHits, maxScore },
      context,
      scrollBody: utf8Encode(jsonText(scroll.body)),
    });
  });
}

/** Runs the fetch phase of a page after the first. The next page begins after the last document of this one. */
export async function serveScrollFetch(
  worker: WorkerContext,
  request: FetchPhaseRequest,
  asker: RequestContext,
): Promise<Uint8Array> {
  const docs = decodeTopDocs(request.docs);
  return onScroll(worker, { id: request.contextId, asker }, async (context, scroll) => {
    const options = fetchOptions(context.copy, scroll.request, asker.cancellation);
    const seen = viewFor(context.copy, contextView(context), asker);
    const view = seen instanceof Promise ? await seen : seen;
    const result = await runFetch(context.copy, view, { docs, body: scroll.body, options });
    scroll.after = docs.at(-1) ?? scroll.after;
    return FetchPhaseResponse.encode({ result }).finish();
  });
}

/** Finds the context by its id, without a copy: it may have ended with its copy, or be of an earlier run. */
async function onScroll<T>(
  worker: WorkerContext,
  { id, asker }: { readonly id: string; readonly asker: RequestContext },
  run: (context: SearchContext, scroll: ScrollState) => Promise<T>,
): Promise<T> {
  return worker.contexts.use({ id, owner: ownerOf(asker) }, (context) => {
    if (context.scroll === undefined) throw new OperationError(missingContext(id));
    return run(context, context.scroll);
  });
}

/** Frees those scroll contexts of the copy that the request may free. */
export async function freeScrolls(
  copy: ShardCopy,
  _parameters: JsonObject,
  asker: RequestContext,
): Promise<JsonObject> {
  const scrolls = copy.worker.contexts
    .of(copy)
    .filter((context) => context.kind === "scroll" && isTheirs(context, asker));
  return { freed: scrolls.filter(({ id }) => copy.worker.contexts.free(id)).length };
}
