/** Failures of shards in responses: rows of `_shards.failures`, or the error of a search that failed as a whole. */
import {
  hasOwnCause,
  isForeignProblem,
  OperationError,
  problemJson,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import type { ShardProblem } from "./shard-request.ts";

/** The first failure of each index, error type and reason, as in `ExceptionsHelper.groupBy`. */
export function groupFailures(failures: readonly ShardProblem[]): readonly ShardProblem[] {
  const groups = new Map<string, ShardProblem>();
  for (const failure of failures) {
    const { type, reason } = failure.problem;
    const key = `${failure.target?.index.name ?? ""}\u0000${type}\u0000${reason ?? ""}`;
    if (!groups.has(key)) groups.set(key, failure);
  }
  return [...groups.values()];
}

/** A shard's problem as a row of `_shards.failures`. Without a target, `shard` is −1 and `index` is null. */
export function failureJson({ target, nodeId, problem }: ShardProblem): JsonObject {
  return {
    shard: target?.shard ?? -1,
    index: target?.index.name ?? null,
    ...(nodeId === undefined ? {} : { node: nodeId }),
    reason: problemJson(problem),
  };
}

/** The error of a search that failed in a phase, with the grouped failures as `failed_shards` and root causes. */
export function searchFailed(
  phase: string,
  reason: string,
  failures: readonly ShardProblem[],
): OperationError {
  const rows = groupFailures(failures);
  const [first] = rows;
  const problem: Problem = {
    type: "search_phase_execution_exception",
    reason,
    status: statusOf(failures),
    metadata: { phase, grouped: true, failed_shards: rows.map(failureJson) },
    rootCauses: rows.map((row) => guessedRoot(row.problem)),
  };
  return new OperationError(
    first === undefined ? problem : { ...problem, causedBy: causeOf(guessedRoot(first.problem)) },
  );
}

/** The error of a search that failed in the reduce phase; its list of failed shards is empty. */
export function reductionFailed(problem: Problem): OperationError {
  return new OperationError({
    type: "search_phase_execution_exception",
    reason: "",
    status: problem.status,
    metadata: { phase: "fetch", grouped: true, failed_shards: [] },
    rootCauses: [],
    causedBy: problem,
  });
}

/** The innermost exception that is the product's own, not Java's. Source: `OpenSearchException.guessRootCauses`. */
function guessedRoot(problem: Problem): Problem {
  const { causedBy } = problem;
  if (causedBy === undefined || !hasOwnCause(problem)) return problem;
  return guessedRoot(causedBy);
}

/** The product prints a Java exception twice: as the wrapper that replaces it on the wire, and as the cause of that wrapper. */
function causeOf(problem: Problem): Problem {
  if (!isForeignProblem(problem.type)) return problem;
  const { type, reason, status } = problem;
  return { type, reason, status, causedBy: problem };
}

/** The highest status of the causes; 503 without a cause, when no shard had a copy to ask. */
function statusOf(failures: readonly ShardProblem[]): number {
  return failures.reduce(
    (worst, { problem }) => Math.max(worst, problem.status),
    failures.length === 0 ? 503 : 0,
  );
}
