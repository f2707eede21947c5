/** `_count`: the number of matching documents, as a query phase without page. */
import type { JsonObject } from "@orrery/stdx";
import type { SearchOptions, ShardView } from "../language/view.ts";
import { queryPhaseSteps } from "./query-phase.ts";
import { allSteps } from "../work/steps.ts";

/** The count of one shard; `terminatedEarly` is `undefined` without `terminate_after`. */
export interface ShardCount {
  readonly count: number;
  readonly terminatedEarly: boolean | undefined;
}

/** Counts the hits of one shard. `body` may have `query`, `min_score` and `terminate_after`. */
export function executeCount(
  view: ShardView,
  body: JsonObject,
  options: SearchOptions,
): ShardCount {
  return allSteps(countSteps(view, body, options));
}

/** `executeCount` in steps: yields when `isTurnOver` returns true. */
export function* countSteps(
  view: ShardView,
  body: JsonObject,
  options: SearchOptions,
): Generator<undefined, ShardCount> {
  const {
    query,
    min_score: minScore,
    terminate_after: terminateAfter,
  } = body as Readonly<Record<string, JsonObject[string]>>;
  const request: JsonObject = {
    size: 0,
    track_total_hits: true,
    ...(query === undefined ? {} : { query }),
    ...(minScore === undefined ? {} : { min_score: minScore }),
    ...(terminateAfter === undefined ? {} : { terminate_after: terminateAfter }),
  };
  const { totalHits, terminatedEarly } = yield* queryPhaseSteps(view, request, options);
  return { count: totalHits?.value ?? 0, terminatedEarly };
}
