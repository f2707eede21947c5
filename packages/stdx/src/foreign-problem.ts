/**
 * Exceptions of Java and of libraries, as opposed to those of the product (`OpenSearchException`): the two have
 * different places in an error.
 */
import type { Problem } from "./problem.ts";

const FOREIGN: ReadonlySet<string> = new Set([
  "access_denied_exception",
  "action_request_validation_exception",
  "array_index_out_of_bounds_exception",
  "class_cast_exception",
  "date_time_exception",
  "date_time_parse_exception",
  "e_o_f_exception",
  "file_already_exists_exception",
  "i_o_exception",
  "illegal_argument_exception",
  "illegal_state_exception",
  "index_out_of_bounds_exception",
  "input_coercion_exception",
  "json_e_o_f_exception",
  "json_parse_exception",
  "named_object_not_found_exception",
  "no_such_file_exception",
  "not_x_content_exception",
  "null_pointer_exception",
  "number_format_exception",
  "rejected_execution_exception",
  "runtime_exception",
  "stream_constraints_exception",
  "stream_read_exception",
  "timeout_exception",
  "unexpected_end_of_input_exception",
  "unsupported_operation_exception",
  "validation_exception",
  "x_content_parse_exception",
  "zone_rules_exception",
]);

/**
 * Whether an exception of the product (`OpenSearchException`) has another one of the product as its cause. A
 * `script_exception` has none: causes of scripts are Java's. Lucene's `ParseException` is none either, although its
 * type is also one of the product's.
 */
export function hasOwnCause({ type, causedBy }: Problem): boolean {
  if (causedBy === undefined || type === "script_exception") return false;
  if (causedBy.type === "parse_exception" && causedBy.reason?.startsWith("Cannot parse '") === true)
    return false;
  return !isForeignProblem(type) && !isForeignProblem(causedBy.type);
}

/** Whether an exception of this type is Java's or a library's. Root causes are not searched below such an exception. */
export function isForeignProblem(type: string): boolean {
  return FOREIGN.has(type);
}
