/**
 * `range`: values between bounds; dates with math, formats and time zones. Source:
 * `RangeQueryBuilder`.
 */
import { illegalArgument, isJsonObject, OperationError, type Json } from "@orrery/stdx";
import { zoneOf } from "../dates/zone.ts";
import { dateFormatOf } from "../dates/format.ts";
import { none } from "../language/plan.ts";
import { booleanOf, boostOf, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { fieldOf } from "./query.ts";
import type { Query } from "../language/query.ts";
import { rangePlan } from "./term-plan.ts";
import type { RangeBounds } from "../language/field-type.ts";

/** The bounds while they are parsed. */
interface MutableRange {
  from: Json | undefined;
  to: Json | undefined;
  includesFrom: boolean;
  includesTo: boolean;
  format: string | undefined;
  timeZone: string | undefined;
}

/**
 * Parses a `range` query.
 * @throws BodyError or OperationError 400
 */
export function parseRange(at: Cursor): Query {
  let field: string | undefined;
  let boost = 1;
  let label: string | undefined;
  const range: MutableRange = {
    from: undefined,
    to: undefined,
    includesFrom: true,
    includesTo: true,
    format: undefined,
    timeZone: undefined,
  };
  for (const [name, member] of members(at)) {
    if (isJsonObject(member.json)) {
      if (field !== undefined) {
        throw parsingError(
          member,
          `[range] query doesn't support multiple fields, found [${field}] and [${name}]`,
        );
      }
      field = name;
      const basics = parseBounds(member, range);
      boost *= basics.boost;
      label = basics.label ?? label;
    } else if (name === "_name") {
      label = scalarText(member);
    } else if (name === "boost") {
      boost = boostOf(member);
    } else {
      throw parsingError(member, `[range] query does not support [${name}]`);
    }
  }
  const name = field ?? "";
  if (name === "") throw illegalArgument("field name is null or empty");
  const bounds: RangeBounds = {
    gte: range.includesFrom ? range.from : undefined,
    gt: range.includesFrom ? undefined : range.from,
    lte: range.includesTo ? range.to : undefined,
    lt: range.includesTo ? undefined : range.to,
    format: range.format,
    timeZone: range.timeZone,
  };
  return {
    boost,
    label,
    build: (context, total) => {
      const mapped = fieldOf(context, name);
      return mapped === undefined
        ? none(`unmapped field [${name}]`)
        : rangePlan(context, mapped, bounds, total);
    },
  };
}

function parseBounds(
  at: Cursor,
  range: MutableRange,
): { readonly boost: number; readonly label: string | undefined } {
  let boost = 1;
  let label: string | undefined;
  const given = new Set<"lower" | "upper">();
  for (const [name, member] of members(at)) {
    const value = member.json === null ? undefined : member.json;
    const side = sideOf(name);
    if (side !== undefined) {
      if (given.has(side)) throw parsingError(member, `invalid ${side} bound for [range] query`);
      given.add(side);
    }
    switch (name) {
      case "from":
        range.from = value;
        break;
      case "to":
        range.to = value;
        break;
      case "include_lower":
        range.includesFrom = booleanOf(member);
        break;
      case "include_upper":
        range.includesTo = booleanOf(member);
        break;
      case "gt":
      case "gte":
      case "ge":
        range.from = value;
        range.includesFrom = name !== "gt";
        break;
      case "lt":
      case "lte":
      case "le":
        range.to = value;
        range.includesTo = name !== "lt";
        break;
      case "boost":
        boost = boostOf(member);
        break;
      case "time_zone":
        range.timeZone = checkZone(scalarText(member));
        break;
      case "format":
        range.format = scalarText(member);
        dateFormatOf(range.format);
        break;
      case "relation":
        checkRelation(scalarText(member));
        break;
      case "_name":
        label = scalarText(member);
        break;
      default:
        throw parsingError(member, `[range] query does not support [${name}]`);
    }
  }
  return { boost, label };
}

/** The bound that an option sets; each may be set once. */
function sideOf(option: string): "lower" | "upper" | undefined {
  if (["from", "gt", "gte", "ge"].includes(option)) return "lower";
  return ["to", "lt", "lte", "le"].includes(option) ? "upper" : undefined;
}

/** Checks a time zone, with Java's error. */
function checkZone(id: string): string {
  try {
    zoneOf(id);
    return id;
  } catch (error) {
    const reason = error instanceof OperationError ? (error.problem.reason ?? "") : "";
    throw illegalArgument(`java.time.zone.ZoneRulesException: ${reason}`, {
      type: "zone_rules_exception",
      reason,
      status: 400,
    });
  }
}

function checkRelation(relation: string): void {
  if (["INTERSECTS", "CONTAINS", "WITHIN"].includes(relation.toUpperCase())) return;
  throw illegalArgument(`${relation} is not a valid relation`);
}
