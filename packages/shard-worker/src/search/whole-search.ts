/**
 * The query phase on several shards of this worker, and what follows it when they are all shards of the search: the
 * page is merged here and its hits are fetched at once, so that no context is opened and no second request is made.
 * When a shard fails, each shard is answered alone, as if the message had not been for the whole search.
 */
import type { Handler, HandlerContext } from "@orrery/ports";
import { actions, ShardResults, wireProblem, type ShardSearchRequest } from "@orrery/protocol";
import {
  createEarlierShards,
  encodePage,
  encodeQueryResult,
  mergeResults,
  type EarlierShards,
  type Hit,
  type MergedDoc,
  type ShardView,
} from "@orrery/query";
import type { Problem } from "@orrery/stdx";
import { blameRequest } from "../blame.ts";
import type { WorkerContext } from "../context.ts";
import type { ShardCopy } from "../copy/shard-copy.ts";
import { checkCancelled } from "./cancelled.ts";
import { readSearches, type SeveralSearches } from "./read-several.ts";
import { checkRestricted, viewFor } from "./restrictions.ts";
import { SearchBody } from "./search-body.ts";
import {
  canMatchOn,
  fetchOptions,
  hasNothingToFetch,
  loadHits,
  openFor,
  printQuery,
  runQuery,
  type Queried,
  type Searched,
  type ShardSearch,
} from "./serve.ts";
import { answerOf, eachPart, onePart, type PartOutcome, type ServePart } from "./several.ts";
import { freshView } from "./views.ts";

/** Finds the copy of a part, ready to be searched. */
type OnSearched = <Result>(
  serve: (
    searched: Searched,
    request: ShardSearchRequest,
    context: HandlerContext,
  ) => Promise<Result>,
) => ServePart<ShardSearchRequest, Result>;

/** One message, whose parts are all shards of a search. */
interface Whole {
  readonly worker: WorkerContext;
  readonly several: SeveralSearches;
  readonly body: SearchBody;
  readonly context: HandlerContext;
  readonly onSearched: OnSearched;
}

/** A query phase that has ended on one copy. */
interface Found extends Queried {
  readonly copy: ShardCopy;
  readonly search: ShardSearch;
  /** The whole copy: `search.view` is what the request may see of it. */
  readonly reader: ShardView;
  readonly context: HandlerContext;
}

/** The handler of query phases on several shards; `query` serves one of them. */
export function onQueries(
  worker: WorkerContext,
  query: ServePart<ShardSearchRequest, Uint8Array>,
  onSearched: OnSearched,
): Handler {
  return async (payload, context) => {
    const several = readSearches(payload);
    const body = new SearchBody(several.body);
    if (several.isWhole) return wholeSearch({ worker, several, body, context, onSearched });
    const how = { action: actions.queryPhase, serve: query, context, body };
    const ended = await eachPart(worker, several, how);
    return ShardResults.encode({ results: ended.map(answerOf) }).finish();
  };
}

async function wholeSearch(whole: Whole): Promise<Uint8Array> {
  const { several, context } = whole;
  const kept = several.preFilter ? await matching(whole) : several.requests;
  // Without an answer for any part the coordinating node asks phase by phase.
  if (kept === undefined) return ShardResults.encode({}).finish();
  const outcomes = await queryEach(whole, kept);
  const found = outcomes.flatMap((one) => (one.kind === "served" ? [one.result] : []));
  if (found.length < outcomes.length) return answerEach(whole, kept, outcomes);
  checkCancelled(context.cancellation);
  return answerWhole(whole, found);
}

/** The parts that may have hits, at least one; `undefined`: a part has failed. */
async function matching({
  worker,
  several,
  body,
  context,
  onSearched,
}: Whole): Promise<readonly ShardSearchRequest[] | undefined> {
  const how = { action: actions.canMatch, serve: onSearched(canMatchOn), context, body };
  const outcomes = await eachPart(worker, several, how);
  if (outcomes.some(({ kind }) => kind === "failed")) return undefined;
  const { requests } = several;
  const kept = requests.filter((_, i) => {
    const outcome = outcomes[i];
    return outcome?.kind === "served" && outcome.result.canMatch;
  });
  return kept.length === 0 ? requests.slice(0, 1) : kept;
}

/** The parts are in the order of the search's shards: the hits of earlier ones spare later ones work. */
async function queryEach(
  { worker, several, body, context, onSearched }: Whole,
  requests: readonly ShardSearchRequest[],
): Promise<readonly PartOutcome<Found>[]> {
  let earlier: EarlierShards | undefined;
  const serve = onSearched(async (searched, request, asked) => {
    const { language } = searched.copy.service.mapping;
    earlier ??= createEarlierShards(language, body.json);
    return queryOne(searched, { request, context: asked, earlier });
  });
  const how = { action: actions.queryPhase, serve, context, body, inOrder: true };
  return eachPart(worker, { ...several, requests }, how);
}

async function queryOne(
  { copy, body: { json: body } }: Searched,
  {
    request,
    context,
    earlier,
  }: {
    readonly request: ShardSearchRequest;
    readonly context: HandlerContext;
    readonly earlier: EarlierShards;
  },
): Promise<Found> {
  checkRestricted(copy, body, context);
  const reader = freshView(copy);
  const hits = earlier.hits();
  const seen = viewFor(copy, reader, context);
  const view = seen instanceof Promise ? await seen : seen;
  const { cancellation } = context;
  const search = { view, body, request, fetch: false, cancellation, earlier: hits };
  const result = await runQuery(copy, search);
  earlier.add(result.queried);
  return { ...result, copy, search, reader, context };
}

/** Opens the contexts that the fetch of another request needs, and answers each part. */
async function answerEach(
  { several, body }: Whole,
  kept: readonly ShardSearchRequest[],
  outcomes: readonly PartOutcome<Found>[],
): Promise<Uint8Array> {
  const results = several.requests.map(async (request) => {
    const outcome = outcomes[kept.indexOf(request)];
    if (outcome === undefined) return { skipped: true };
    if (outcome.kind === "failed") return answerOf(outcome);
    const { copy, search, reader, context, ...result } = outcome.result;
    const isKept = request.keepContext && !hasNothingToFetch(result.queried);
    const opened = isKept ? openFor(copy, { view: reader, request, context }) : undefined;
    if (opened !== undefined) opened.search = { bytes: body.bytes, body: body.json };
    const printed = await printQuery(copy, search, { ...result, context: opened });
    return { answer: printed };
  });
  return ShardResults.encode({ results: await Promise.all(results) }).finish();
}

/** Merges the page, fetches its hits, and answers for all shards together. */
async function answerWhole(given: Whole, found: readonly Found[]): Promise<Uint8Array> {
  const { several, body } = given;
  const [first] = found;
  if (first === undefined) return ShardResults.encode({}).finish();
  const { page, results } = mergeResults(
    first.search.view.mapping.language,
    body.json,
    found.map(({ queried }, shard) => ({ shard, result: queried })),
  );
  const { hits, failures } = await fetchPage(given, found, page);
  const partOf = (one: Found): number => several.requests.indexOf(one.search.request);
  const serviceTimeNs = several.requests.map(() => 0);
  for (const one of found) serviceTimeNs[partOf(one)] = Math.max(1, Math.round(one.tookMs * 1e6));
  const whole = {
    results: results.map(encodeQueryResult),
    hits: encodePage(hits),
    failures: failures.map(({ of, problem }) => ({
      part: partOf(of),
      problem: wireProblem(problem),
    })),
    serviceTimeNs,
  };
  return ShardResults.encode({ whole }).finish();
}

interface FailedFetch {
  readonly of: Found;
  readonly problem: Problem;
}

/** The hits in the order of the page, without those of shards whose fetch failed. */
async function fetchPage(
  { worker, body }: Whole,
  found: readonly Found[],
  page: readonly MergedDoc[],
): Promise<{ readonly hits: readonly Hit[]; readonly failures: readonly FailedFetch[] }> {
  const hits: (Hit | undefined)[] = [];
  const failures: FailedFetch[] = [];
  const fetches = found.map(async (of, shard) => {
    const docs = page.filter((doc) => doc.shard === shard);
    if (docs.length === 0) return;
    const { copy, search, context } = of;
    const outcome = await onePart(worker, search.request, {
      action: actions.fetchPhase,
      serve: (request, asked) =>
        blameRequest(copy, async () => {
          // A shard that is the only one is fetched from as the query phase of one shard fetches.
          const options =
            found.length === 1 ? of.options : fetchOptions(copy, request, asked.cancellation);
          return loadHits(copy, search.view, { docs, body: body.json, options });
        }),
      context,
      body,
    });
    if (outcome.kind === "failed") {
      failures.push({ of, problem: outcome.problem });
      return;
    }
    let next = 0;
    page.forEach((doc, place) => {
      if (doc.shard !== shard) return;
      hits[place] = outcome.result.hits[next];
      next += 1;
    });
  });
  await Promise.all(fetches);
  return {
    hits: hits.flatMap((hit) => hit ?? []),
    failures: failures.toSorted((a, b) => found.indexOf(a.of) - found.indexOf(b.of)),
  };
}
