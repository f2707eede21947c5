/**
 * The error envelope: a problem in the JSON of the product's exceptions. Source:
 * `OpenSearchException.generateFailureXContent`.
 *
 * A root cause is the innermost of a chain of OpenSearch's own exceptions; an exception of Java or of the parser ends
 * the chain.
 */
import { javaText, hasOwnCause, isForeignProblem, type Json, type Problem } from "@orrery/stdx";
import type { Printable, PrintableObject } from "./json/printable.ts";

/** Options of an error response. */
export interface ErrorOptions {
  /** `error_trace`: adds `stack_trace`. */
  readonly isDetailed: boolean;
}

/** The body of an error response: `error` and `status`. */
export function errorEnvelope(problem: Problem, options: ErrorOptions): PrintableObject {
  return { error: errorBody(problem, options), status: problem.status };
}

/** A problem with `root_cause`: the value of `error` in a response, or in one document of `mget`. */
export function errorBody(problem: Problem, options: ErrorOptions): PrintableObject {
  const roots = problem.rootCauses ?? [rootCause(problem)];
  return {
    root_cause: roots.map((root) => problemBody(root, options, "root")),
    ...problemBody(problem, options),
  };
}

/** A problem without `root_cause`: an item of a bulk, a failure of a shard. */
export function problemBody(
  problem: Problem,
  options: ErrorOptions,
  place?: "root",
): PrintableObject {
  const { causedBy, suppressed } = problem;
  // As a root cause, a foreign exception shows its reason only.
  const isForeignRoot = place === "root" && isForeignProblem(problem.type);
  return {
    type: problem.type,
    reason: problem.reason,
    ...(problem.metadata as Readonly<Record<string, Json>> as PrintableObject | undefined),
    caused_by:
      place === "root" || causedBy === undefined ? undefined : problemBody(causedBy, options),
    suppressed:
      suppressed === undefined || suppressed.length === 0 || isForeignRoot
        ? undefined
        : suppressed.map((other): Printable => problemBody(other, options)),
    stack_trace: options.isDetailed ? stackTrace(problem) : undefined,
  };
}

const PARSER = new Set(["x_content_parse_exception", "named_object_not_found_exception"]);

function rootCause(problem: Problem): Problem {
  const { causedBy } = problem;
  if (causedBy === undefined) return problem;
  const isOurs = !isForeignProblem(problem.type);
  const isCauseOurs = !isForeignProblem(causedBy.type);
  if (isOurs) return hasOwnCause(problem) ? rootCause(causedBy) : problem;
  if (!PARSER.has(problem.type)) return problem;
  return isCauseOurs || PARSER.has(causedBy.type) ? rootCause(causedBy) : problem;
}

/** The first lines of a Java stack trace: the exception and its causes. Orrery has no Java frames to print. */
function stackTrace(problem: Problem): string {
  const own = `${placeOf(problem)}${className(problem.type)}[${problem.reason}]`;
  return problem.causedBy === undefined
    ? own
    : `${own}\nCaused by: ${stackTrace(problem.causedBy)}`;
}

/** The prefix `[index/uuid][[index][0]] `; a missing index has no uuid. */
function placeOf({ metadata }: Problem): string {
  const index = metadata?.["index"];
  if (typeof index !== "string") return "";
  const uuid = metadata?.["index_uuid"];
  const shard = metadata?.["shard"];
  const name = typeof uuid !== "string" || uuid === "_na_" ? index : `${index}/${uuid}`;
  return `[${name}]${shard === undefined ? "" : `[[${index}][${javaText(shard)}]]`} `;
}

/**
 * The Java class name of a type: `index_not_found_exception` is `IndexNotFoundException`, a bare `exception` is
 * `OpenSearchException`.
 */
function className(type: string): string {
  if (type === "exception") return "OpenSearchException";
  return type.replaceAll(/(^|_)([a-z])/g, (_, __, letter: string) => letter.toUpperCase());
}
