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

type Opened = ShardOutcome<{ readonly contextId: string }>;

/** What failed, for the answer; throws when nothing answered, or when partial results are not wanted. */
export function judge(
  run: Run,
  targets: readonly SearchTarget[],
  outcomes: readonly Opened[],
  phase: string,
): ShardProblem[] {
  const failures = outcomes.flatMap((outcome) =>
    outcome.kind === "failed" ? [outcome.failure] : [],
  );
  if (targets.length > 0) refuseFailed(run, outcomes, { phase, failures, failedLater: 0 });
  return failures;
}

/** The failures of the query and of the fetch, judged again as after the query. */
export function judgeFetch(
  run: Run,
  outcomes: readonly Opened[],
  queried: readonly ShardProblem[],
  fetched: readonly ShardProblem[],
): readonly ShardProblem[] {
  const failures = [...queried, ...fetched];
  if (fetched.length > 0)
    refuseFailed(run, outcomes, { phase: "fetch", failures, failedLater: fetched.length });
  return failures;
}

interface Failed {
  readonly phase: string;
  readonly failures: readonly ShardProblem[];
  /** Shards that answered the query and failed afterwards. */
  readonly failedLater: number;
}

/** Source: `AbstractSearchAsyncAction.executeNextPhase`, which looks at all failures so far before each phase. */
function refuseFailed(
  run: Run,
  outcomes: readonly Opened[],
  { phase, failures, failedLater }: Failed,
): void {
  const failed = failedCount(outcomes) + failedLater;
  if (failed === 0) return;
  const isNothingThere = failed === outcomes.length;
  if (!isNothingThere && allowsPartial(run)) return;
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
