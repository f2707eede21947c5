/** The query phase on all shards of a search, and the collection of term statistics before it (`dfs_query_then_fetch`). */
import { QueryPhaseResponse, StatisticsResponse } from "@orrery/protocol";
import { decodeStatistics, encodePlain, mergeStatistics } from "@orrery/query";
import { emptyBytes } from "@orrery/stdx";
import { freeContexts } from "./fetch.ts";
import type { Run } from "./run.ts";
import { queryAction, searchesOf, statisticsAction } from "./search-actions.ts";
import { askCopies, type BegunAttempt, type ShardOutcome } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

/** Encoded term statistics of all shards that answered, merged; empty unless the search type asks for them. */
export async function gatherStatistics(
  run: Run,
  targets: readonly SearchTarget[],
): Promise<Uint8Array> {
  if (run.request.searchType !== "dfs_query_then_fetch") return emptyBytes;
  const send = searchesOf(run, statisticsAction);
  const answers = await Promise.all(
    targets.map((target) =>
      askCopies(run.deps, target, {
        send: (copy) => send(target, copy),
        decode: (bytes) => decodeStatistics(StatisticsResponse.decode(bytes).statistics),
        cancellation: run.cancellation,
      }),
    ),
  );
  const merged = mergeStatistics(
    answers.flatMap((answer) => (answer.kind === "answered" ? [answer.value] : [])),
  );
  return encodePlain(merged);
}

/**
 * Awaits all queries and returns their outcomes in order. When one rejects, the contexts that the other shards opened
 * are freed and its error is rethrown.
 */
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
  readonly statistics: Uint8Array;
  readonly fetch: boolean;
  readonly keep: boolean;
  readonly countOnly: boolean;
  /** Attempts on the first copies that have begun, in the order of the targets. */
  readonly begun?: readonly BegunAttempt[] | undefined;
}

/**
 * Starts the query phase on every target, within the per-node limit. Each promise resolves to the outcome of one
 * shard and rejects only for a cancellation or a bug.
 */
export function queryShards(
  run: Run,
  targets: readonly SearchTarget[],
  { statistics, fetch, keep, countOnly, begun }: QueryHow,
): readonly Promise<ShardOutcome<QueryPhaseResponse>>[] {
  const { deps, selection } = run;
  const send = searchesOf(run, queryAction, {
    fetch,
    countOnly,
    statistics,
  });
  return targets.map((target, i) =>
    run.onNode(target.copies[0]?.nodeId, () =>
      askCopies(deps, target, {
        send: (copy) => send(target, copy, keep && target.contextId === undefined),
        decode: (bytes) => QueryPhaseResponse.decode(bytes),
        cancellation: run.cancellation,
        begun: begun?.[i],
        observe: ({ nodeId }, startedMs, value) => {
          if (startedMs === undefined) selection.sent(nodeId);
          else
            selection.ended(
              nodeId,
              value && observation(deps.clock.monotonicMs() - startedMs, value),
            );
        },
      }),
    ),
  );
}

function observation(responseTimeMs: number, value: QueryPhaseResponse) {
  return { queueSize: value.queueSize, responseTimeMs, serviceTimeMs: value.serviceTimeNs / 1e6 };
}
