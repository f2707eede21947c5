/** An item of the `rescore` section. */
import { illegalArgument } from "@orrery/stdx";
import type { Query } from "../language/query.ts";
import {
  intOf,
  members,
  parsingError,
  floatOf,
  scalarText,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";

export const RESCORE_MODES = ["avg", "max", "min", "total", "multiply"] as const;

export interface Rescore {
  readonly windowSize: number;
  readonly query: Query;
  readonly queryWeight: number;
  readonly rescoreWeight: number;
  readonly mode: (typeof RESCORE_MODES)[number];
}

export function parseRescore(at: Cursor): Rescore {
  let windowSize = 10;
  let body: Omit<Rescore, "windowSize"> | undefined;
  for (const [name, member] of members(at)) {
    if (name === "window_size") windowSize = intOf(member);
    else if (name === "query") body = parseRescoreQuery(member);
    else throw parsingError(member, `rescore doesn't support [${name}]`);
  }
  if (body === undefined) throw parsingError(at, "missing rescore type", "end");
  return { windowSize, ...body };
}

export function parseRescoreQuery(at: Cursor): Omit<Rescore, "windowSize"> {
  let query: Query | undefined;
  let queryWeight = 1;
  let rescoreWeight = 1;
  let mode: Rescore["mode"] = "total";
  for (const [name, member] of members(at)) {
    if (name === "rescore_query") query = wrapField(member, "query", () => parseQuery(member));
    else if (name === "query_weight") queryWeight = floatOf(member);
    else if (name === "rescore_query_weight") rescoreWeight = floatOf(member);
    else if (name === "score_mode") {
      const word = scalarText(member).toLowerCase();
      const found = RESCORE_MODES.find((candidate) => candidate === word);
      if (found === undefined) throw illegalArgument(`illegal score_mode [${word}]`);
      mode = found;
    } else
      throw unknownField(member, "query", [
        "rescore_query",
        "query_weight",
        "rescore_query_weight",
        "score_mode",
      ]);
  }
  if (query === undefined) throw illegalArgument("rescore_query cannot be null");
  return { query, queryWeight, rescoreWeight, mode };
}
