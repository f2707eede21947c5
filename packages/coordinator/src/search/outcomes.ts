/** The consequence of failed shards for a search: a partial result with failures, or a rejection. */
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

/** Rejects a search before its first message when a shard has no active copy and partial results are not allowed. */
export function refuseMissing(run: Run, targets: readonly SearchTarget[], phase = "query"): void {
  if (allowsPartial(run)) return;
  const missing = targets.filter(({ copies }) => copies.length === 0);
  if (missing.length === 0) return;
  const names = missing.map(({ index, shard }) => shardName(index.name, shard)).join(", ");
  const reason = `Search rejected due to missing shards [${names}]. Consider using \`allow_partial_search_results\` setting to bypass this error.`;
  const { problem } = searchFailed(phase, reason, []);
  throw new OperationError({ ...problem, reason: "", causedBy: problem });
}

/** A phase of a search that has ended on all its shards. */
export interface EndedPhase {
  /** Name of the phase that has ended. */
  readonly phase: string;
  /** Failures, in this phase, of shards that answered an earlier phase. */
  readonly failedLater?: readonly ShardProblem[];
}

/**
 * The failures of all phases so far, for `_shards.failures`. When no shard is left, or when one failed and partial
 * results are not allowed, frees the contexts of the search and throws. Source:
 * `AbstractSearchAsyncAction.executeNextPhase`.
 */
export function failuresOrThrow(
  run: Run,
  outcomes: readonly ShardOutcome<{ readonly contextId: string }>[],
  { phase, failedLater = [] }: EndedPhase,
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

/** Number of shards that failed or had no copy to ask. */
export function failedCount(outcomes: readonly ShardOutcome<unknown>[]): number {
  return outcomes.filter((outcome) => outcome.kind !== "answered").length;
}

/** The member `_shards` of a response. */
export function shardsJson(
  { total, successful, skipped }: { total: number; successful: number; skipped: number },
  failures: readonly ShardProblem[],
): JsonObject {
  return {
    total,
    successful,
    skipped,
    // `failed` counts only shards that were asked: a shard without an active copy appears in no count but `total`.
    failed: failures.length,
    ...(failures.length === 0 ? {} : { failures: groupFailures(failures).map(failureJson) }),
  };
}
