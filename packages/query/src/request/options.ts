/** Smaller sections of a search body: `collapse`, `slice`, `pit`. */
import type { Slice } from "./slice.ts";
import { parseInnerHits } from "../queries/inner-hits.ts";
import { illegalArgument, parseDuration, type Json } from "@orrery/stdx";
import {
  contentError,
  intOf,
  items,
  members,
  scalarText,
  tokenOf,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";

/** A parsed `collapse`. */
export interface Collapse {
  readonly field: string;
  /** Definitions of `inner_hits`, each with a `name`. */
  readonly innerHits: readonly Json[];
}

/**
 * Parses a `collapse`.
 * @throws BodyError or OperationError 400
 */
export function parseCollapse(at: Cursor): Collapse {
  let field: string | undefined;
  let innerHits: readonly Json[] = [];
  for (const [name, member] of members(at)) {
    if (name === "field") field = scalarText(member);
    else if (name === "inner_hits") {
      // Its window is not limited, since each group is searched separately.
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

/** A parsed `pit`. */
export interface PointInTime {
  readonly id: string;
  /** Requested lifetime; -1 for the text `-1`; `undefined`: the lifetime is not changed. */
  readonly keepAliveMs: number | undefined;
}

/**
 * Parses a `pit`.
 * @throws BodyError or OperationError 400
 */
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

/** A duration in milliseconds, or -1. */
function durationOf(text: string, name: string): number {
  const ms = text === "-1" ? -1 : parseDuration(text);
  if (ms !== undefined) return ms;
  throw illegalArgument(
    `failed to parse setting [${name}] with value [${text}] as a time value: unit is missing or unrecognized`,
  );
}

/**
 * Parses a `slice`; `undefined`: `max` is not given, so there is none.
 * @throws BodyError or OperationError 400
 */
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
