/** Smaller parts of a search body: rescore, collapse, slice. */
import { parseInnerHits } from "../queries/inner-hits.ts";
import { illegalArgument, parseDuration, type Json } from "@orrery/stdx";
import {
  contentError,
  floatOf,
  intOf,
  items,
  members,
  parsingError,
  scalarText,
  tokenOf,
  unknownField,
  wrapField,
  type Cursor,
} from "../queries/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import type { Query } from "../queries/query.ts";

const RESCORE_MODES = ["avg", "max", "min", "total", "multiply"] as const;

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

function parseRescoreQuery(at: Cursor): Omit<Rescore, "windowSize"> {
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

export interface Collapse {
  readonly field: string;
  /** Definitions of `inner_hits`, each with a `name`. */
  readonly innerHits: readonly Json[];
}

export function parseCollapse(at: Cursor): Collapse {
  let field: string | undefined;
  let innerHits: readonly Json[] = [];
  for (const [name, member] of members(at)) {
    if (name === "field") field = scalarText(member);
    else if (name === "inner_hits") {
      // Its window is not limited: each group is searched by itself.
      wrapField(member, "collapse", () => items(member).forEach(parseInnerHits));
      innerHits = items(member).map(({ json }) => json);
    } else if (name !== "max_concurrent_group_searches") {
      throw unknownField(member, "collapse", [
        "field",
        "inner_hits",
        "max_concurrent_group_searches",
      ]);
    }
  }
  if (field === undefined) throw illegalArgument("Required [field]");
  return { field, innerHits };
}

export interface PointInTime {
  readonly id: string;
  /** As given; `undefined`: as it is. */
  readonly keepAliveMs: number | undefined;
}

export function parsePointInTime(at: Cursor): PointInTime {
  let id: string | undefined;
  let keepAliveMs: number | undefined;
  for (const [name, member] of members(at)) {
    const { json } = member;
    if (name !== "id" && name !== "keep_alive")
      throw unknownField(member, "pit", ["id", "keep_alive"]);
    if (typeof json !== "string") {
      const reason = `[pit] ${name} doesn't support values of type: ${tokenOf(json)}`;
      throw contentError(member, reason);
    }
    if (name === "id") id = json;
    else keepAliveMs = wrapField(member, "pit", () => durationOf(json, "keep_alive"));
  }
  if (id === undefined) throw illegalArgument("point int time id is not provided");
  return { id, keepAliveMs };
}

function durationOf(text: string, name: string): number {
  const ms = text === "-1" ? -1 : parseDuration(text);
  if (ms !== undefined) return ms;
  throw illegalArgument(
    `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
  );
}

export interface Slice {
  readonly field: string;
  readonly id: number;
  readonly max: number;
}

/** Without a number of slices there is none: `undefined`. */
export function parseSlice(at: Cursor): Slice | undefined {
  let id = -1;
  let max = 0;
  let field = "_id";
  for (const [name, member] of members(at)) {
    if (name === "id")
      id = wrapField(member, "slice", () =>
        checked(intOf(member), (value) => value >= 0, "id must be greater than or equal to 0"),
      );
    else if (name === "max") {
      max = wrapField(member, "slice", () => {
        checked(intOf(member), (value) => value > 1, "max must be greater than 1");
        return checked(intOf(member), (value) => value > id, "max must be greater than id");
      });
    } else if (name === "field") field = scalarText(member);
    else throw unknownField(member, "slice", ["field", "id", "max"]);
  }
  return max === 0 ? undefined : { field, id, max };
}

function checked(value: number, isValid: (value: number) => boolean, reason: string): number {
  if (!isValid(value)) throw illegalArgument(reason);
  return value;
}
