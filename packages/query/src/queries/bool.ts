/** `bool`: clauses that must, should or must not match. Source: `BoolQueryBuilder`. */
import { appendAll, isJsonObject, lookup } from "@orrery/stdx";
import { none, type Plan } from "../language/plan.ts";
import {
  contentError,
  boostOf,
  booleanOf,
  items,
  members,
  parsingError,
  scalarText,
  tokenOf,
  unknownField,
  wrapField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { checkClauseCount } from "./limits.ts";
import { minimumShouldMatch } from "./minimum-should-match.ts";
import { buildQuery } from "./query.ts";
import type { BuildContext, ParseInner, Query } from "../language/query.ts";

/** Parameters, for the error on unknown ones. */
const KNOWN = [
  "must",
  "mustNot",
  "must_not",
  "should",
  "filter",
  "minimum_should_match",
  "adjust_pure_negative",
  "boost",
  "_name",
];

/** A parsed query; `isAdjusted` is `adjust_pure_negative`. */
interface Spec {
  readonly must: Query[];
  readonly filter: Query[];
  readonly should: Query[];
  readonly mustNot: Query[];
  minimum: string | undefined;
  isAdjusted: boolean;
}

/**
 * Parses a `bool` query.
 * @throws BodyError or OperationError 400
 */
export function parseBool(at: Cursor, parseInner: ParseInner): Query {
  if (!isJsonObject(at.json))
    throw parsingError(at, "[bool] query malformed, no start_object after query name");
  const spec: Spec = {
    must: [],
    filter: [],
    should: [],
    mustNot: [],
    minimum: undefined,
    isAdjusted: true,
  };
  let boost = 1;
  let label: string | undefined;
  const lists: Readonly<Record<string, Query[]>> = {
    must: spec.must,
    filter: spec.filter,
    should: spec.should,
    must_not: spec.mustNot,
    mustNot: spec.mustNot,
  };
  for (const [name, member] of members(at)) {
    const list = lookup(lists, name);
    if (list !== undefined) appendAll(list, parseClauses(member, parseInner));
    else if (name === "minimum_should_match")
      spec.minimum = member.json === null ? undefined : scalarText(member);
    else if (name === "adjust_pure_negative") spec.isAdjusted = booleanOf(member);
    else if (name === "boost") boost = wrapField(member, "bool", () => boostOf(member));
    else if (name === "_name") label = scalarText(member);
    else throw unknownField(member, "bool", KNOWN);
  }
  return { boost, label, build: (context, total) => buildBool(spec, context, total) };
}

function parseClauses(at: Cursor, parseInner: ParseInner): Query[] {
  if (typeof at.json !== "object" || at.json === null) {
    if (at.json === null) return [];
    throw contentError(at, `[bool] ${at.key} doesn't support values of type: ${tokenOf(at.json)}`);
  }
  return items(at).map((item) => wrapField(at, "bool", () => parseInner(item)));
}

/** Clauses in filter context are built with boost 1, since they do not score. */
function buildBool(spec: Spec, context: BuildContext, boost: number): Plan {
  const { must: all, filter: filters, should: any, mustNot: not } = spec;
  checkClauseCount(all.length + filters.length + any.length + not.length, context.limits);
  const scored = (queries: readonly Query[]): Plan[] =>
    queries.map((query) => buildQuery(query, context, boost));
  const unscored = (queries: readonly Query[]): Plan[] =>
    queries.map((query) => buildQuery(query, context, 1));
  const must = scored(spec.must);
  const filter = unscored(spec.filter);
  const should = scored(spec.should);
  const mustNot = unscored(spec.mustNot);
  if (must.length + filter.length + should.length + mustNot.length === 0)
    return { kind: "all", boost };
  const given =
    spec.minimum === undefined ? undefined : minimumShouldMatch(should.length, spec.minimum);
  const hasRequired = must.length + filter.length > 0;
  // The product completes a query of exclusions alone with `match_all`; no minimum applies to it.
  if (!hasRequired && should.length === 0 && spec.isAdjusted)
    return { kind: "bool", must, filter, should, mustNot, minimumShouldMatch: 0 };
  const minimum =
    given !== undefined && given > 0 ? given : hasRequired || should.length === 0 ? 0 : 1;
  if (minimum > should.length)
    return none("minimum_should_match is larger than the number of should clauses");
  if (!spec.isAdjusted && must.length + filter.length + should.length === 0)
    return none("only must_not");
  return { kind: "bool", must, filter, should, mustNot, minimumShouldMatch: minimum };
}
