/** The error for unrecognized parameters, metrics and index metrics, with suggestions. */
import { illegalArgument, similarity, type OperationError } from "@orrery/stdx";
import { sortedNames } from "./parameters.ts";

/**
 * The error for unknown names in a request; `what` is the kind of name in the singular, such as `parameter`, `metric`
 * or `index metric`.
 */
export function unrecognized(
  path: string,
  what: string,
  names: Iterable<string>,
  candidates: Iterable<string>,
): OperationError {
  const known = sortedNames(new Set(candidates));
  const sorted = sortedNames(names);
  const told = sorted.map((name) => `[${name}]${suggestion(name, known)}`).join(", ");
  return illegalArgument(
    `request [${path}] contains unrecognized ${what}${sorted.length > 1 ? "s" : ""}: ${told}`,
  );
}

function suggestion(name: string, candidates: readonly string[]): string {
  const near = candidates
    .map((candidate) => ({ candidate, score: similarity(name, candidate) }))
    .filter(({ score }) => score > 0.5)
    .toSorted((a, b) => b.score - a.score || (a.candidate < b.candidate ? -1 : 1))
    .map(({ candidate }) => candidate);
  if (near.length === 0) return "";
  return near.length === 1
    ? ` -> did you mean [${near[0]}]?`
    : ` -> did you mean any of [${near.join(", ")}]?`;
}
