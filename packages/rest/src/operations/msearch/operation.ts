/** `msearch`: many searches in one request, each with a response or error of its own. */
import { isDataNode } from "@orrery/cluster-state";
import { inTurns, MAIN_TURN_MS, type Cluster } from "@orrery/node";
import { illegalArgument, OperationError, problemOf } from "@orrery/stdx";
import { missingBodyOrSource } from "../../body.ts";
import type { Content } from "../../content.ts";
import { errorBody } from "../../errors.ts";
import type { Printable } from "../../json/printable.ts";
import { defineOperation, type Operation, type RequestView } from "../../operation.ts";
import {
  duration,
  flag,
  indexTargets,
  int,
  onDemand,
  parseTime,
  text,
  type Parsed,
} from "../../parameters.ts";
import { checkSearch, type GivenWithSearch } from "../../search/checks.ts";
import { readMultiSearch, type MultiSearchEntry } from "../../search/multi-search.ts";
import { searchExecutionParameters } from "../../search/parameters.ts";
import { runSearch, searchRequest } from "../../search/run.ts";
import { exactTotalHits } from "../../search/total-hits.ts";
import { validate } from "../../validation.ts";

const query = {
  ...indexTargets,
  cancel_after_time_interval: onDemand(duration()),
  ccs_minimize_roundtrips: flag(true),
  ignore_throttled: onDemand(flag()),
  max_concurrent_searches: onDemand(int()),
  max_concurrent_shard_requests: searchExecutionParameters.max_concurrent_shard_requests,
  pre_filter_shard_size: searchExecutionParameters.pre_filter_shard_size,
  routing: text(),
  search_type: searchExecutionParameters.search_type,
  rest_total_hits_as_int: onDemand(flag(false)),
  typed_keys: onDemand(flag(false)),
};

interface Shared {
  readonly query: Parsed<typeof query>;
  readonly request: RequestView;
}

export const msearch: Operation = defineOperation({
  group: "msearch",
  permission: "indices:data/read/msearch",
  routes: ["GET /_msearch", "POST /_msearch", "GET /{index}/_msearch", "POST /{index}/_msearch"],
  query,
  isStream: true,
  body: (content: Content | undefined): Uint8Array => {
    if (content === undefined) throw missingBodyOrSource();
    return content.bytes;
  },
  deviations: [
    {
      kind: "parameter",
      name: "allow_partial_results",
      reason: "the product refuses it as unknown",
    },
    ...[
      "allow_no_indices",
      "cancel_after_time_interval",
      "expand_wildcards",
      "ignore_throttled",
      "ignore_unavailable",
      "routing",
    ].map((name) => ({
      kind: "parameter" as const,
      name,
      reason: "not in the description; the product takes it",
    })),
  ],

  async handle({ path, query: given, body, request }, cluster) {
    const { clock } = cluster;
    const startedMs = clock.monotonicMs();
    const limit = given.max_concurrent_searches ?? concurrentSearches(cluster);
    if (limit < 1) throw illegalArgument("maxConcurrentSearchRequests must be positive");
    const shared = { query: given, request };
    const start = (isTurnOver: () => boolean) =>
      readEntries(body, path["index"], { shared, isTurnOver });
    const entries = await inTurns(clock, start, MAIN_TURN_MS);
    const responses = await answerAll(cluster, entries, { shared, limit });
    return { body: { took: Math.round(clock.monotonicMs() - startedMs), responses } };
  },
});

/** Default concurrency. Source: `TransportMultiSearchAction.defaultMaxConcurrentSearches`. */
function concurrentSearches(cluster: Cluster): number {
  const dataNodes = [...cluster.state().nodes.values()].filter(isDataNode);
  const { availableProcessors } = cluster.process.os;
  return Math.max(
    1,
    dataNodes.length * Math.min(Math.floor((availableProcessors * 3) / 2) + 1, 10),
  );
}

interface Reading {
  readonly shared: Shared;
  readonly isTurnOver: () => boolean;
}

/** Reads all entries and validates each before the first search starts. */
function* readEntries(
  body: Uint8Array,
  index: string | undefined,
  { shared, isTurnOver }: Reading,
): Generator<undefined, readonly MultiSearchEntry[]> {
  const read = yield* readMultiSearch(shared.request.language, body, {
    defaultIndex: index,
    isTurnOver,
  });
  validate([read.length === 0 && "no requests added"]);
  const entries: MultiSearchEntry[] = [];
  for (const one of read) {
    const isTotalNumber = shared.query.rest_total_hits_as_int;
    const asked = withDefaults(one, shared.query);
    const entry = isTotalNumber ? { ...asked, body: exactTotalHits(asked.body) } : asked;
    checkSearch(shared.request.language, requestOf(entry, shared), givenWith(entry));
    entries.push(entry);
    if (isTurnOver()) yield;
  }
  return entries;
}

/** The entry with the request's options where its header has none. */
function withDefaults(entry: MultiSearchEntry, given: Parsed<typeof query>): MultiSearchEntry {
  return {
    ...entry,
    routing: entry.routing ?? given.routing,
    expandWildcards: entry.expandWildcards ?? given.expand_wildcards,
    ignoreUnavailable: entry.ignoreUnavailable ?? given.ignore_unavailable,
    allowNoIndices: entry.allowNoIndices ?? given.allow_no_indices,
  };
}

/** Runs a bounded number of searches concurrently; starts no further one after the client has disconnected. */
async function answerAll(
  cluster: Cluster,
  entries: readonly MultiSearchEntry[],
  { shared, limit }: { readonly shared: Shared; readonly limit: number },
): Promise<Printable[]> {
  const responses: Printable[] = [];
  let isGone = false;
  let next = 0;
  shared.request.onClose?.(() => {
    isGone = true;
  });
  const answerNext = async (): Promise<void> => {
    while (next < entries.length && !isGone) {
      const at = next;
      next += 1;
      responses[at] = await answerOf(cluster, entries[at] as MultiSearchEntry, shared);
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, entries.length) }, answerNext));
  if (!isGone) return responses;
  const reason = "cancelled task with reason: http channel was closed";
  throw new OperationError({ type: "task_cancelled_exception", reason, status: 400 });
}

async function answerOf(
  cluster: Cluster,
  entry: MultiSearchEntry,
  shared: Shared,
): Promise<Printable> {
  try {
    const { rest_total_hits_as_int: isTotalNumber, typed_keys: typedKeys } = shared.query;
    const answer = await runSearch(cluster, requestOf(entry, shared), { isTotalNumber, typedKeys });
    return { ...answer, status: 200 };
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const problem = problemOf(error);
    return {
      error: errorBody(problem, { isDetailed: shared.request.isDetailed }),
      status: problem.status,
    };
  }
}

function givenWith(entry: MultiSearchEntry): GivenWithSearch {
  const { expandWildcards, ignoreUnavailable, allowNoIndices } = entry;
  const options = [expandWildcards, ignoreUnavailable, allowNoIndices];
  return { indicesOptions: options.some((one) => one !== undefined), requestCache: false };
}

function requestOf(
  entry: MultiSearchEntry,
  { query: given, request }: Shared,
): ReturnType<typeof searchRequest> {
  const { cancelAfter } = entry;
  return searchRequest(
    { index: entry.index, body: entry.body },
    {
      allow_partial_search_results: entry.allowPartialResults,
      batched_reduce_size: 512,
      cancel_after_time_interval:
        cancelAfter === undefined
          ? given.cancel_after_time_interval
          : parseTime(cancelAfter, "cancel_after_time_interval"),
      max_concurrent_shard_requests: given.max_concurrent_shard_requests,
      pre_filter_shard_size: given.pre_filter_shard_size,
      preference: entry.preference,
      routing: entry.routing,
      search_type: entry.searchType ?? given.search_type,
      expand_wildcards: entry.expandWildcards,
      ignore_unavailable: entry.ignoreUnavailable,
      allow_no_indices: entry.allowNoIndices,
    },
    request,
  );
}
