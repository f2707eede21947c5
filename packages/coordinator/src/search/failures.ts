/** How failed shards show: grouped in `_shards.failures`, or as the error of a search that cannot be answered. */
import {
  hasOwnCause,
  isForeignProblem,
  OperationError,
  problemJson,
  type JsonObject,
  type Problem,
} from "@orrery/stdx";
import type { ShardProblem } from "./shard-request.ts";

/** One row for each index and reason, as `ExceptionsHelper.groupBy` makes them. */
export function groupFailures(failures: readonly ShardProblem[]): readonly ShardProblem[] {
  const groups = new Map<string, ShardProblem>();
  for (const failure of failures) {
    const { type, reason } = failure.problem;
    const key = `${failure.target?.index.name ?? ""}\u0000${type}\u0000${reason ?? ""}`;
    if (!groups.has(key)) groups.set(key, failure);
  }
  return [...groups.values()];
}

export function failureJson({ target, nodeId, problem }: ShardProblem): JsonObject {
  return {
    shard: target?.shard ?? -1,
    index: target?.index.name ?? null,
    ...(nodeId === undefined ? {} : { node: nodeId }),
    reason: problemJson(problem),
  };
}

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

/** The innermost of the product's own exceptions. */
function guessedRoot(problem: Problem): Problem {
  const { causedBy } = problem;
  if (causedBy === undefined || !hasOwnCause(problem)) return problem;
  return guessedRoot(causedBy);
}

/** An exception of Java's own is told twice: once for the wrapping that takes its place on the wire. */
function causeOf(problem: Problem): Problem {
  if (!isForeignProblem(problem.type)) return problem;
  const { type, reason, status } = problem;
  return { type, reason, status, causedBy: problem };
}

/** The worst of the causes' statuses; without a cause no shard was there to ask. */
function statusOf(failures: readonly ShardProblem[]): number {
  return failures.reduce(
    (worst, { problem }) => Math.max(worst, problem.status),
    failures.length === 0 ? 503 : 0,
  );
}
