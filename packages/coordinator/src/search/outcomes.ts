/** What a search makes of shards that failed: an answer with less in it, or none. */
import { clusterSetting } from "@orrery/cluster-state";
import { OperationError, type JsonObject } from "@orrery/stdx";
import { shardName } from "../shard-key.ts";
import { failureJson, groupFailures, searchFailed } from "./failures.ts";
import { freeContexts } from "./fetch.ts";
import type { Run } from "./run.ts";
import type { ShardOutcome, ShardProblem } from "./shard-request.ts";
import type { SearchTarget } from "./targets.ts";

function allowsPartial({ deps, request }: Run): boolean {
  return (
    request.allowPartialSearchResults ??
    clusterSetting(deps.state(), "search.default_allow_partial_results") !== false
  );
}

/** Nothing is asked at all when some shard has no copy and partial results are not wanted. */
export function refuseMissing(run: Run, targets: readonly SearchTarget[], phase = "query"): void {
  if (allowsPartial(run)) return;
  const missing = targets.filter(({ copies }) => copies.length === 0);
  if (missing.length === 0) return;
  const names = missing.map(({ index, shard }) => shardName(index.name, shard)).join(", ");
  const reason = `Search rejected due to missing shards [${names}]. Consider using \`allow_partial_search_results\` setting to bypass this error.`;
  const { problem } = searchFailed(phase, reason, []);
  throw new OperationError({ ...problem, reason: "", causedBy: problem });
}

export interface Judged {
  /** Name of the phase that has ended. */
  readonly phase: string;
  /** Failures of shards that answered an earlier phase. */
  readonly failedLater?: readonly ShardProblem[];
}

/**
 * Failures of all phases so far, for the answer; throws when no shard is left, or when partial results are not wanted. Source:
 * `AbstractSearchAsyncAction.executeNextPhase`.
 */
export function judge(
  run: Run,
  outcomes: readonly ShardOutcome<{ readonly contextId: string }>[],
  { phase, failedLater = [] }: Judged,
): readonly ShardProblem[] {
  const failures = [
    ...outcomes.flatMap((outcome) => (outcome.kind === "failed" ? [outcome.failure] : [])),
    ...failedLater,
  ];
  const failed = failedCount(outcomes) + failedLater.length;
  const isNothingThere = failed === outcomes.length;
  if (failed === 0 || (!isNothingThere && allowsPartial(run))) return failures;
  freeContexts(run, outcomes);
  if (isNothingThere) throw searchFailed(phase, "all shards failed", failures);
  if (failures.length > 0) throw searchFailed(phase, "Partial shards failure", failures);
  throw searchFailed(phase, `Partial shards failure (${failed} shards unavailable)`, []);
}

export function failedCount(outcomes: readonly ShardOutcome<unknown>[]): number {
  return outcomes.filter((outcome) => outcome.kind !== "answered").length;
}

export function shardsJson(
  { total, successful, skipped }: { total: number; successful: number; skipped: number },
  failures: readonly ShardProblem[],
): JsonObject {
  return {
    total,
    successful,
    skipped,
    // Shards without a copy to ask are in neither number.
    failed: failures.length,
    ...(failures.length === 0 ? {} : { failures: groupFailures(failures).map(failureJson) }),
  };
}
