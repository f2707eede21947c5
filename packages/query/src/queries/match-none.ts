/** `match_none`: no document. Source: `MatchNoneQueryBuilder`. */
import { none } from "../language/plan.ts";
import { illegalArgument, isJsonObject } from "@orrery/stdx";
import {
  floatOf,
  isNegative,
  members,
  negativeBoost,
  parsingError,
  scalarText,
  tokenOf,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Query } from "../language/query.ts";

/**
 * Parses a `match_none` query, which matches no document.
 * @throws BodyError or OperationError 400
 */
export function parseMatchNone(at: Cursor): Query {
  if (!isJsonObject(at.json))
    throw parsingError(at, "[match_none] query malformed, no start_object after query name");
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    const { json } = member;
    if (typeof json === "object" && json !== null)
      throw parsingError(member, `[match_none] unknown token [${tokenOf(json)}] after [${name}]`);
    if (name === "boost") boost = boostOf(member);
    else if (name === "_name") label = scalarText(member);
    else throw parsingError(member, `[match_none] query does not support [${name}]`);
  }
  return { boost, label, build: () => none("match_none") };
}

/** The error prints the query as parsed so far, as in the product. */
function boostOf(at: Cursor): number {
  const boost = floatOf(at);
  if (!isNegative(boost)) return boost;
  const query = `{\n  "match_none" : {\n    "boost" : 1.0\n  }\n}`;
  throw illegalArgument(negativeBoost(query));
}
