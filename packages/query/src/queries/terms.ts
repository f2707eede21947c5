/** `terms`: any of several exact values of a field. Source: `TermsQueryBuilder`. */
import { illegalArgument, type Json } from "@orrery/stdx";
import { none } from "../language/plan.ts";
import {
  booleanOf,
  child,
  contentError,
  boostOf,
  members,
  parsingError,
  scalarText,
  unknownField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { fieldOf } from "./query.ts";
import type { BuildContext, ParseInner, Query } from "../language/query.ts";
import { termsPlan } from "./term-plan.ts";

/**
 * Parses a `terms` query.
 * @throws BodyError or OperationError 400
 */
export function parseTerms(at: Cursor, parseInner: ParseInner): Query {
  let field: string | undefined;
  let values: readonly Json[] = [];
  let boost = 1;
  let label: string | undefined;
  for (const [name, member] of members(at)) {
    if (Array.isArray(member.json)) {
      if (field !== undefined)
        throw parsingError(member, "[terms] query does not support multiple fields");
      field = name;
      values = member.json as readonly Json[];
      // The list may hold millions of values, so no cursor is made for those that are valid.
      const nothing = values.indexOf(null);
      if (nothing >= 0)
        throw parsingError(child(member, nothing), "No value specified for terms query");
    } else if (typeof member.json === "object" && member.json !== null) {
      if (field !== undefined)
        throw parsingError(
          member,
          "[terms] query does not support more than one field. Already got: [" +
            field +
            "] but also found [" +
            name +
            "]",
        );
      field = name;
      checkLookup(member, parseInner);
    } else if (name === "boost") {
      boost = boostOf(member);
    } else if (name === "_name") {
      label = scalarText(member);
    } else if (name !== "value_type") {
      throw parsingError(member, `[terms] query does not support [${name}]`);
    }
  }
  if (field === undefined) {
    throw parsingError(
      at,
      "[terms] query requires a field name, followed by array of terms or a document lookup specification",
      "end",
    );
  }
  const name = field;
  return {
    boost,
    label,
    build: (context, total) => {
      checkCount(context, values.length);
      const mapped = fieldOf(context, name);
      return mapped === undefined
        ? none(`unmapped field [${name}]`)
        : termsPlan(context, mapped, values, total);
    },
  };
}

/** Members of a terms lookup. */
const LOOKUP_FIELDS = ["index", "id", "path", "routing", "store", "query"];

/**
 * Checks a terms lookup. The coordinating node replaces it by its terms before the query is built.
 */
function checkLookup(at: Cursor, parseInner: ParseInner): void {
  const lookup = members(at);
  for (const [name, member] of lookup) {
    if (!LOOKUP_FIELDS.includes(name)) throw unknownField(member, "terms_lookup", LOOKUP_FIELDS);
    if (name === "query") parseInner(member);
    else if (name === "store") booleanOf(member);
    else scalarText(member);
  }
  const given = new Set(lookup.map(([name]) => name));
  const required = ["index", "path"].filter((name) => !given.has(name));
  if (required.length > 0) throw illegalArgument(`Required [${required.join(", ")}]`);
  if (given.has("id") !== given.has("query")) return;
  const problem = given.has("id")
    ? "cannot specify both id and query."
    : "requires specifying either the id or the query.";
  throw contentError(at, "Failed to build [terms_lookup] after last required field arrived", {
    causedBy: {
      type: "illegal_argument_exception",
      reason: `[terms] query lookup element ${problem}`,
      status: 400,
    },
  });
}

/** Rejects more values than `index.max_terms_count`. */
function checkCount({ mapping }: BuildContext, count: number): void {
  const setting = mapping.settings["index.max_terms_count"];
  const limit = typeof setting === "string" ? Number(setting) : 65_536;
  if (count <= limit) return;
  throw illegalArgument(
    `The number of terms [${count}] used in the Terms Query request has exceeded the allowed maximum of [${limit}]. This maximum can be set by changing the [index.max_terms_count] index level setting.`,
  );
}
