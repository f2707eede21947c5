/** The count operation: a query phase that collects no hits. */
import { emptyBytes } from "@orrery/stdx";
import type { CoordinatorDeps } from "../deps.ts";
import type { ReplicaSelection } from "../replica-selection.ts";
import type { CountResponse, SearchRequest } from "../types.ts";
import { failedCount, failuresOrThrow, refuseMissing, shardsJson } from "./outcomes.ts";
import { queryShards } from "./query.ts";
import { startRun, withTerms, type Run } from "./run.ts";
import { search } from "./search.ts";
import { searchTargets } from "./targets.ts";

/** Counts matching documents. Failed shards are listed in `shards`; rejects when all have failed. */
export async function count(
  deps: CoordinatorDeps,
  selection: ReplicaSelection,
  given: SearchRequest,
): Promise<CountResponse> {
  const find = (inner: SearchRequest) => search(deps, selection, inner);
  const request = await withTerms(deps, selection, { request: given, search: find });
  const run = startRun(deps, selection, request);
  try {
    return await countShards(run);
  } finally {
    run.stopTimer();
  }
}

async function countShards(run: Run): Promise<CountResponse> {
  const { deps, selection, request } = run;
  const targets = searchTargets(deps, selection, request);
  refuseMissing(run, targets);
  const outcomes = await Promise.all(
    queryShards(run, targets, {
      statistics: emptyBytes,
      fetch: false,
      keep: false,
      countOnly: true,
    }),
  );
  const failures = failuresOrThrow(run, outcomes, { phase: "query" });
  const answered = outcomes.filter((outcome) => outcome.kind === "answered");
  const total = targets.length;
  return {
    count: answered.reduce((sum, { value }) => sum + value.count, 0),
    terminatedEarly:
      request.body["terminate_after"] === undefined
        ? undefined
        : answered.some(({ value }) => value.terminatedEarly),
    shards: shardsJson({ total, successful: total - failedCount(outcomes), skipped: 0 }, failures),
  };
}
