/** `ids`: documents by their `_id`. Source: `IdsQueryBuilder`. */
import { asParsing, parseBoost } from "./match-all.ts";
import { createIdKey } from "@orrery/segment";
import { none } from "../language/plan.ts";
import { contentError, items, members, scalarText, tokenOf, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Query } from "../language/query.ts";

/**
 * Parses an `ids` query.
 * @throws BodyError 400
 */
export function parseIds(at: Cursor): Query {
  let ids: string[] = [];
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    if (name === "values") ids = parseValues(member);
    else if (name === "boost") boost = parseBoost(member, "ids");
    else if (name === "_name") label = scalarText(member);
    else throw asParsing(unknownField(member, "ids", ["values", "boost", "_name"]));
  }
  const keys = ids.map(createIdKey);
  return {
    boost,
    label,
    build: (_context, total) =>
      keys.length === 0
        ? none('Missing ids in "ids" query.')
        : { kind: "ids", ids: keys, boost: total },
  };
}

function parseValues(at: Cursor): string[] {
  if (typeof at.json !== "string" && !Array.isArray(at.json)) {
    throw asParsing(
      contentError(at, `[ids] values doesn't support values of type: ${tokenOf(at.json)}`),
    );
  }
  return items(at).map(scalarText);
}
