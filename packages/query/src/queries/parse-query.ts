/**
 * Parses a query clause, which has one name and one body. Source:
 * `AbstractQueryBuilder.parseInnerQueryBuilder`.
 */
import { isJsonObject } from "@orrery/stdx";
import {
  BodyError,
  didYouMean,
  members,
  parsingError,
  TokenError,
  tokenOf,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { MAX_DEPTH } from "./limits.ts";
import { TooDeepError } from "../body/too-deep.ts";
import type { Query } from "../language/query.ts";

/**
 * Parses one query clause, `{"name": body}`; `depth` is the number of clauses around it.
 * @throws BodyError or OperationError 400; `TooDeepError` beyond the limit of depth
 */
export function parseQuery(at: Cursor, depth = 0): Query {
  if (!isJsonObject(at.json)) {
    throw parsingError(at, `[_na] query malformed, must start with start_object`);
  }
  const [first, second] = members(at);
  if (first === undefined) {
    // The product reports the place of the closing brace.
    throw new BodyError(at, "end", (line, col) => ({
      type: "illegal_argument_exception",
      reason: `query malformed, empty clause found at [${line}:${col}]`,
      status: 400,
    }));
  }
  if (depth >= MAX_DEPTH) throw new TooDeepError(MAX_DEPTH);
  const [name, body] = first;
  if (!isJsonObject(body.json) && name !== "span_field_masking") {
    throw parsingError(body, `[${name}] query malformed, no start_object after query name`);
  }
  const parse = at.language.queries.get(name);
  if (parse === undefined) throw unknownQuery(name, body);
  const query = tokensChecked(name, body, () =>
    parse(body, (inner) => parseQuery(inner, depth + 1)),
  );
  if (second !== undefined) {
    throw parsingError(
      second[1],
      `[${name}] malformed query, expected [END_OBJECT] but found [FIELD_NAME]`,
      "key",
    );
  }
  return query;
}

/** Queries that read the value behind their field's name without examining its token. */
const READ_BLINDLY = new Set([
  ...["match", "match_phrase", "match_phrase_prefix", "match_bool_prefix"],
  ...["prefix", "wildcard", "regexp"],
]);

/** Rejects a parameter by its name if it is an object, a list or null in the place of a value. */
function tokensChecked(name: string, body: Cursor, parse: () => Query): Query {
  try {
    return parse();
  } catch (error) {
    if (!(error instanceof TokenError)) throw error;
    const { at } = error;
    if (at.parent === body && READ_BLINDLY.has(name)) throw error;
    throw parsingError(at, `[${name}] unknown token [${tokenOf(at.json)}] after [${at.key}]`);
  }
}

function unknownQuery(name: string, at: Cursor): BodyError {
  return new BodyError(at, "value", (line, col) => ({
    type: "parsing_exception",
    reason: `unknown query [${name}]${didYouMean(name, at.language.queries.keys())}`,
    status: 400,
    metadata: { line, col },
    causedBy: {
      type: "named_object_not_found_exception",
      reason: `[${line}:${col}] unknown field [${name}]`,
      status: 400,
    },
  }));
}
