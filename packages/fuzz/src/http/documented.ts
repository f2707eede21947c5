/** Responses of 5xx that are correct: the product gives them as well, or they ask a client to retry. */
import type { ReportedProblem } from "./judge.ts";

/** Statuses of a temporary condition: something is not available yet, not any more, or overloaded. */
const RETRYABLE = new Set([502, 503, 504]);

/** Types that are internal errors of the product, whatever their reason. */
const types = new Set([
  "repository_exception",
  "repository_verification_exception",
  "snapshot_exception",
  "snapshot_restore_exception",
]);

/** Type of the innermost cause, and a pattern of its reason. */
const rows: readonly (readonly [type: string, words: RegExp])[] = [
  [
    "aggregation_execution_exception",
    /^Aggregation \[|^Sampler aggregation must be used with child|is not supported by scripts$/,
  ],
  ["class_cast_exception", /^class \S+ cannot be cast to class \S+ \(/],
  ["exception", /^function score query returned|queries cannot be executed when/],
  ["general_script_exception", /^Cannot use expression with text variable/],
  ["illegal_argument_exception", /cannot be used to sort the buckets\.$/],
  ["illegal_state_exception", /source_content_type/],
  ["illegal_state_exception", /^Can't get text on a /],
  ["illegal_state_exception", /snapshot is currently running|repository that is currently used/],
  ["illegal_state_exception", /^Cannot cleanup \[/],
  ["illegal_state_exception", /has more than one write index|must block write operations/],
  ["illegal_state_exception", /^index, alias, and data stream names need to be unique/],
  ["null_pointer_exception", /^Cannot invoke "|^null$/],
  ["search_exception", /cannot be disabled if|when `search_after` is used|in a scroll context/],
  ["search_exception", /cannot be used outside of a scroll context/],
  ["timeout_exception", /^timed out /],
  ["unsupported_operation_exception", /^Unable to sort by unknown sort key/],
];

/** True if the error is documented, and so no finding. */
export function isDocumented({ status, outer, type, reason }: ReportedProblem): boolean {
  if (RETRYABLE.has(status)) return type !== "exception";
  if (types.has(outer)) return true;
  return rows.some(([known, words]) => known === type && words.test(reason));
}
