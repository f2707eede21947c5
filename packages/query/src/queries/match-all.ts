/**
 * `match_all`, and the product's declarative parser of `boost` and `_name`, which other queries use
 * as well. Source: `MatchAllQueryBuilder`, `ObjectParser`.
 */
import {
  isNegative,
  BodyError,
  contentError,
  members,
  parsingError,
  scalarText,
  unknownField,
  numberFormat,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { jsonNumber, javaText, isJsonObject, type Problem } from "@orrery/stdx";
import type { Query } from "../language/query.ts";

/**
 * Parses a `match_all` query, which matches every document.
 * @throws BodyError 400
 */
export function parseMatchAll(at: Cursor): Query {
  const { boost, label } = parseBasics(at, "match_all");
  return { boost, label, build: (_context, total) => ({ kind: "all", boost: total }) };
}

/**
 * Parses `boost` and `_name` alone.
 * @throws BodyError 400
 */
export function parseBasics(
  at: Cursor,
  query: string,
): { readonly boost: number; readonly label: string | undefined } {
  if (!isJsonObject(at.json))
    throw parsingError(at, `[${query}] query malformed, no start_object after query name`);
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    if (name === "boost") boost = parseBoost(member, query);
    else if (name === "_name") label = scalarText(member);
    else throw asParsing(unknownField(member, query, ["boost", "_name"]));
  }
  return { boost, label };
}

/**
 * Parses `boost` for the query named `query`, whose errors are worded in their own way.
 * @throws BodyError 400
 */
export function parseBoost(at: Cursor, query: string): number {
  const number = jsonNumber(at.json);
  const fault = (causedBy: Problem): BodyError =>
    asParsing(contentError(at, `[${query}] failed to parse field [boost]`, { causedBy }));
  if (typeof at.json === "boolean" || at.json === "" || (Number.isNaN(number) && at.json !== "NaN"))
    throw fault(numberFormat(javaText(at.json)).problem);
  if (isNegative(number)) {
    const reason = `negative [boost] are not allowed in [{\n  "${query}" : {\n    "boost" : 1.0\n  }\n}], use a value between 0 and 1 to deboost`;
    throw fault({ type: "illegal_argument_exception", reason, status: 400 });
  }
  return number;
}

/**
 * Wraps an error in a `parsing_exception` with the same reason, as the product does for the queries
 * `match_all` and `ids`.
 */
export function asParsing(error: BodyError): BodyError {
  return new BodyError(error.at, error.side, (line, col, where) => {
    const causedBy = error.describe(line, col, where);
    // For an unknown key the parser has read on to the value.
    const now = error.side === "key" ? where(error.at, "value") : { line, col };
    return {
      type: "parsing_exception",
      reason: causedBy.reason,
      status: 400,
      metadata: { line: now.line, col: now.col },
      causedBy,
    };
  });
}
