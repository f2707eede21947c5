/**
 * The can-match phase: asks shards whether they can have a match, when there are more shards than
 * `pre_filter_shard_size` or the sort is by a field. Source: `CanMatchPreFilterSearchPhase`.
 */
import { CanMatchResponse } from "@orrery/protocol";
import { isJsonObject, type JsonObject } from "@orrery/stdx";
import { searchFailed } from "./failures.ts";
import type { Run } from "./run.ts";
import { canMatchAction, searchesOf } from "./search-actions.ts";
import { askCopies } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

/** Default of `pre_filter_shard_size`. */
const PRE_FILTER_SHARDS = 128;

/** Whether a search has the phase. */
export function hasCanMatch({ request }: Run, targets: readonly SearchTarget[]): boolean {
  const limit = request.preFilterShardSize ?? (isFieldSorted(request.body) ? 1 : PRE_FILTER_SHARDS);
  return (
    targets.length > limit && request.searchType === "query_then_fetch" && !keepsAll(request.body)
  );
}

/**
 * Runs the can-match phase, if it applies to the request. Returns the targets that remain for the query phase: at least
 * one if there were any. Rejects when every shard failed.
 */
export async function canMatch(
  run: Run,
  targets: readonly SearchTarget[],
): Promise<readonly SearchTarget[]> {
  const send = searchesOf(run, canMatchAction);
  const answers = await Promise.all(
    targets.map((target) =>
      askCopies(run.deps, target, {
        send: (copy) => send(target, copy),
        decode: (bytes) => CanMatchResponse.decode(bytes).matches,
        cancellation: run.cancellation,
      }),
    ),
  );
  const failures = answers.flatMap((answer) => (answer.kind === "failed" ? [answer.failure] : []));
  if (failures.length === targets.length)
    throw searchFailed("can_match", "all shards failed", failures);
  // A shard whose can-match failed stays: only an explicit "no" skips a shard.
  const matching = targets.filter((_, i) => {
    const answer = answers[i];
    return answer?.kind !== "answered" || answer.value;
  });
  return matching.length === 0 ? targets.slice(0, 1) : matching;
}

function isFieldSorted(body: JsonObject): boolean {
  const sort = body["sort"];
  const first = Array.isArray(sort) ? sort[0] : sort;
  if (first === undefined || first === null) return false;
  const name =
    typeof first === "string" ? first : isJsonObject(first) ? Object.keys(first)[0] : undefined;
  return name !== undefined && !name.startsWith("_");
}

/** Whether shards without a match contribute to the result: suggestions, global aggregations, `min_doc_count: 0`. */
function keepsAll(body: JsonObject): boolean {
  const aggregations = body["aggs"] ?? body["aggregations"];
  if (body["suggest"] !== undefined) return true;
  if (!isJsonObject(aggregations)) return false;
  return Object.values(aggregations).some(
    (aggregation) =>
      isJsonObject(aggregation) &&
      (aggregation["global"] !== undefined || isMinDocCountZero(aggregation)),
  );
}

function isMinDocCountZero(aggregation: JsonObject): boolean {
  return Object.values(aggregation).some((definition) => {
    const minDocCount = isJsonObject(definition) ? definition["min_doc_count"] : undefined;
    return minDocCount !== undefined && Math.trunc(Number(minDocCount)) === 0;
  });
}
