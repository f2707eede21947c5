/** A coordinator whose shards answer from a script: shard n has one hit for each of its scores. */
import { indicesOptions, type ClusterState } from "@orrery/cluster-state";
import {
  actions,
  CanMatchResponse,
  FetchPhaseRequest,
  FetchPhaseResponse,
  FreeContextResponse,
  QueryPhaseResponse,
  ShardSearchRequest,
} from "@orrery/protocol";
import { decodeTopDocs, encodeFetchResult, encodeQueryResult } from "@orrery/query";
import { emptyBytes } from "@orrery/stdx";
import type { SearchRequest } from "../src/types.ts";
import { clusterOf, createTestCluster, withIndex, type Answer, type Asked } from "./world.ts";

export const request: SearchRequest = {
  indices: ["books"],
  indicesOptions: indicesOptions.strictExpandOpenAndForbidClosed,
  body: { query: { match_all: {} } },
  routing: undefined,
  preference: "_primary_first",
  searchType: "query_then_fetch",
  allowPartialSearchResults: undefined,
  batchedReduceSize: 512,
  preFilterShardSize: undefined,
  maxConcurrentShardRequests: 5,
  cancelAfterMs: undefined,
};

/** Shard n has one hit for each of its scores. */
export type Scores = readonly (readonly number[])[];

export function shardsWith(
  scores: Scores,
  refuse: (asked: Asked) => void = () => undefined,
): Answer {
  return (asked) => {
    refuse(asked);
    switch (asked.action) {
      case actions.canMatch: {
        const { shard } = ShardSearchRequest.decode(asked.payload);
        return CanMatchResponse.encode({
          matches: (scores[shard] ?? []).length > 0,
        } as never).finish();
      }
      case actions.queryPhase:
        return queryPhase(scores, asked);
      case actions.fetchPhase: {
        const { shard, docs } = FetchPhaseRequest.decode(asked.payload);
        const wanted = decodeTopDocs(docs);
        return FetchPhaseResponse.encode({
          result: hits(
            shard,
            wanted.map(({ doc }) => doc),
          ),
        }).finish();
      }
      default:
        return FreeContextResponse.encode({} as never).finish();
    }
  };
}

function hits(shard: number, docs: readonly number[]): Uint8Array {
  return encodeFetchResult({
    hits: docs.map((doc) => ({
      index: "books",
      id: `${shard}-${doc}`,
      score: 1,
      source: undefined,
      sort: undefined,
      details: undefined,
    })),
  });
}

export function queryPhase(scores: Scores, { payload }: Asked): Uint8Array {
  const { shard, fetch, keepContext, countOnly } = ShardSearchRequest.decode(payload);
  const mine = scores[shard] ?? [];
  const topDocs = mine
    .map((score, doc) => ({ segment: 0, doc, score }))
    .toSorted((a, b) => b.score - a.score);
  return QueryPhaseResponse.encode({
    contextId: keepContext ? `context-${shard}` : "",
    result: countOnly
      ? emptyBytes
      : encodeQueryResult({
          totalHits: { value: mine.length, relation: "eq" },
          maxScore: topDocs[0]?.score ?? Number.NaN,
          topDocs,
          aggregations: undefined,
          suggest: undefined,
          profile: undefined,
          timedOut: false,
          terminatedEarly: undefined,
        }),
    fetched: fetch
      ? hits(
          shard,
          topDocs.map(({ doc }) => doc),
        )
      : emptyBytes,
    serviceTimeNs: 1000,
    queueSize: 0,
    count: mine.length,
    terminatedEarly: false,
  }).finish();
}

export const spread = (shards: number, nodes = 1): ClusterState =>
  withIndex(clusterOf(nodes), "books", {
    copies: Array.from({ length: shards }, () => Array.from({ length: nodes }, (_, i) => i + 1)),
  });

export function run(state: ClusterState, answer: Answer, rest: Partial<SearchRequest> = {}) {
  const cluster = createTestCluster({ state, answer });
  const outcome = cluster.outcome(cluster.coordinator.search({ ...request, ...rest }));
  const found = outcome.then((result) => {
    if (result instanceof Error) throw result;
    return result;
  });
  found.catch(() => undefined);
  const phases = (action: string) => cluster.asked.filter((asked) => asked.action === action);
  return { cluster, outcome, found, phases };
}

export const scores: Scores = [[1, 5], [4], [3, 2]];
