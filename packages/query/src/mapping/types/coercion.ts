/** Errors of Jackson for a token that cannot be read as the type that a field requires. */
import { OperationError, type Problem } from "@orrery/stdx";
import { JsonLiteral, type JsonTree } from "../../json/exact-json.ts";
import type { DocumentSink } from "../../language/field-type.ts";

/**
 * The error of a field's value that cannot be coerced; its message names the offset of the byte after
 * the value. The first pass over a document is quick and knows no offsets; after an error a second,
 * careful pass follows, and the client gets the error of that one.
 */
export function coercionFailure(what: string, sink: DocumentSink): OperationError {
  // The place is only known on the careful pass; the quick one is repeated anyway.
  const offset = sink.location?.().tokenEnd ?? 0;
  const reason = `${what}\n at [Source: REDACTED (\`StreamReadFeature.INCLUDE_SOURCE_IN_LOCATION\` disabled); byte offset: #${offset}]`;
  const causedBy: Problem = { type: "input_coercion_exception", reason, status: 400 };
  return new OperationError({ type: "input_coercion_exception", reason, status: 400, causedBy });
}

/** Jackson's name of a value's token. */
export function tokenName(value: JsonTree | undefined): string {
  if (value === null) return "VALUE_NULL";
  if (value === true) return "VALUE_TRUE";
  if (value === false) return "VALUE_FALSE";
  if (typeof value === "string") return "VALUE_STRING";
  if (value instanceof JsonLiteral)
    return value.isInteger ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
  if (typeof value === "bigint") return "VALUE_NUMBER_INT";
  if (typeof value === "number")
    return Number.isInteger(value) ? "VALUE_NUMBER_INT" : "VALUE_NUMBER_FLOAT";
  return Array.isArray(value) ? "START_ARRAY" : "START_OBJECT";
}
