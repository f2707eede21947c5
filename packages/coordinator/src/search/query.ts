/** The query phase on all shards of a search, and what shards know of their terms before it. */
import {
  actions,
  QueryPhaseResponse,
  ShardSearchRequest,
  StatisticsResponse,
} from "@orrery/protocol";
import {
  decodeStatistics,
  encodePlain,
  mergeStatistics,
  type SearchStatistics,
} from "@orrery/query";
import { emptyBytes } from "@orrery/stdx";
import { freeContexts } from "./fetch.ts";
import { shardRequest, type Run } from "./run.ts";
import { askCopies, type ShardOutcome } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

export async function gatherStatistics(
  run: Run,
  targets: readonly SearchTarget[],
): Promise<SearchStatistics | undefined> {
  if (run.request.searchType !== "dfs_query_then_fetch") return undefined;
  const answers = await Promise.all(
    targets.map((target) =>
      askCopies(run.deps, target, {
        action: actions.statisticsPhase,
        encode: (copy) => ShardSearchRequest.encode(shardRequest(run, target, copy)).finish(),
        decode: (bytes) => decodeStatistics(StatisticsResponse.decode(bytes).statistics),
        cancellation: run.cancellation,
      }),
    ),
  );
  return mergeStatistics(
    answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : [])),
  );
}

/** All outcomes; when a shard's rejects, what the others keep open for the fetch is freed. */
export async function queryAll(
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

export function queryShard(
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
          keepContext: how.keep && target.contextId === undefined,
          countOnly: how.countOnly,
          statistics: how.statistics === undefined ? emptyBytes : encodePlain(how.statistics),
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

function observation(responseTimeMs: number, value: QueryPhaseResponse) {
  return { queueSize: value.queueSize, responseTimeMs, serviceTimeMs: value.serviceTimeNs / 1e6 };
}
