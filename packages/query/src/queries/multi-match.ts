/**
 * `multi_match`: one text in several fields, and the resolution of field patterns for other
 * queries. Source: `MultiMatchQueryBuilder`, `QueryParserHelper`.
 */
import { illegalArgument, isGlob, OperationError } from "@orrery/stdx";
import { namesOf } from "../language/field-paths.ts";
import { none, type Plan } from "../language/plan.ts";
import { parseParameters } from "./common.ts";
import {
  numberFormat,
  negativeBoost,
  isNegative,
  booleanOf,
  floatOf,
  intOf,
  items,
  parsingError,
  scalarText,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { crossFieldsPlan } from "./cross-fields.ts";
import { parseTextOptions } from "./match.ts";
import { requireAnalyzer, checkBoost, fieldOf } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";
import { matchPlan, phrasePlan, type TextOptions } from "./text-plan.ts";

const TYPES = [
  "best_fields",
  "most_fields",
  "cross_fields",
  "phrase",
  "phrase_prefix",
  "bool_prefix",
] as const;
/**
 * Type of a `multi_match` query: how the scores of the fields are combined, and which kind of query
 * runs on each.
 */
export type MultiMatchType = (typeof TYPES)[number];

/** A field name or pattern with its boost. */
export interface WeightedField {
  readonly name: string;
  readonly boost: number;
}

/**
 * Parses a `multi_match` query.
 * @throws BodyError or OperationError 400
 */
export function parseMultiMatch(at: Cursor): Query {
  const { parameters, basics } = parseParameters(at, "multi_match", [
    "query",
    "fields",
    "type",
    "analyzer",
    "slop",
    "fuzziness",
    "prefix_length",
    "max_expansions",
    "operator",
    "minimum_should_match",
    "fuzzy_rewrite",
    "fuzzy_transpositions",
    "tie_breaker",
    "cutoff_frequency",
    "lenient",
    "zero_terms_query",
    "auto_generate_synonyms_phrase_query",
  ]);
  const given = parameters.get("query");
  if (given === undefined || given.json === null) {
    throw parsingError(at, "No text specified for multi_match query", "end");
  }
  const type = parseType(parameters.get("type"));
  const fieldsAt = parameters.get("fields");
  const fuzziness = parameters.get("fuzziness");
  if (
    fuzziness !== undefined &&
    (type === "cross_fields" || type === "phrase" || type === "phrase_prefix")
  ) {
    throw parsingError(at, `Fuzziness not allowed for type [${type}]`, "end");
  }
  const slop = parameters.get("slop");
  if (slop !== undefined && intOf(slop) !== 0 && type === "bool_prefix") {
    throw parsingError(at, "[slop] not allowed for type [bool_prefix]", "end");
  }
  if (parameters.has("cutoff_frequency") && type === "bool_prefix") {
    throw parsingError(at, "[cutoff_frequency] not allowed for type [bool_prefix]", "end");
  }
  const tie = parameters.get("tie_breaker");
  const spec: MultiMatchSpec = {
    text: scalarText(given),
    fields: fieldsAt === undefined ? [] : parseFields(fieldsAt),
    type,
    textOptions: parseTextOptions({ parameters }),
    slop: slop === undefined ? 0 : intOf(slop),
    maxExpansions: parameters.has("max_expansions")
      ? intOf(parameters.get("max_expansions") as Cursor)
      : 50,
    tieBreaker: tie === undefined ? undefined : floatOf(tie),
    isLenient: parameters.has("lenient")
      ? booleanOf(parameters.get("lenient") as Cursor)
      : undefined,
  };
  return { ...basics, build: (context, boost) => buildMultiMatch(spec, context, boost) };
}

/** A parsed `multi_match` query. */
export interface MultiMatchSpec {
  readonly text: string;
  /** Empty: the default fields of the index. */
  readonly fields: readonly WeightedField[];
  readonly type: MultiMatchType;
  readonly textOptions: TextOptions;
  readonly slop: number;
  readonly maxExpansions: number;
  readonly tieBreaker: number | undefined;
  readonly isLenient: boolean | undefined;
}

function parseType(at: Cursor | undefined): MultiMatchType {
  if (at === undefined) return "best_fields";
  const word = scalarText(at).toLowerCase();
  const type = TYPES.find((candidate) => candidate === word || candidate.replace("_", "") === word);
  if (type !== undefined) return type;
  throw new OperationError({
    type: "parse_exception",
    reason: `failed to parse [multi_match] query type [${scalarText(at)}]. unknown type.`,
    status: 400,
  });
}

/**
 * Parses a `fields` parameter: field names or patterns, each with an optional boost.
 * @throws BodyError or OperationError 400
 */
export function parseFields(at: Cursor): WeightedField[] {
  return items(at).map((item) => {
    if (item.json === null)
      throw parsingError(item, `[query_string] field name in [fields] cannot be null`);
    return weightedField(scalarText(item));
  });
}

/**
 * Parses `field^boost`.
 * @throws OperationError 400
 */
export function weightedField(text: string): WeightedField {
  const caret = text.indexOf("^");
  if (caret < 0) return { name: text, boost: 1 };
  const boost = boostAfter(text.slice(caret + 1));
  if (isNegative(boost)) throw illegalArgument(negativeBoost("fields"));
  return { name: text.slice(0, caret), boost };
}

/** A number as Java's `Float.parseFloat` reads it. */
function boostAfter(text: string): number {
  const boost = Number(text);
  if (text.trim() === "" || (Number.isNaN(boost) && text.trim() !== "NaN"))
    throw numberFormat(text);
  return boost;
}

/**
 * The fields by path with their boosts, patterns expanded. Of a pattern's fields only those that
 * can be searched count; a field that is named always does. The boosts of a field that occurs
 * several times are multiplied.
 * @throws OperationError 400 for more than 1,024 fields
 */
export function resolveFields(
  context: BuildContext,
  fields: readonly WeightedField[],
): Map<string, number> {
  const resolved = new Map<string, number>();
  for (const { name, boost } of fields) {
    checkBoost(boost);
    for (const match of namesOf(context.mapping, name)) {
      const field = fieldOf(context, match);
      if (
        isGlob(name) &&
        (field === undefined || field.isMetadata || !isSearchable(context, match))
      )
        continue;
      resolved.set(match, (resolved.get(match) ?? 1) * boost);
    }
  }
  const limit = 1024;
  if (resolved.size > limit) {
    throw new OperationError({
      type: "illegal_argument_exception",
      reason: `field expansion matches too many fields, limit: ${limit}, got: ${resolved.size}`,
      status: 400,
    });
  }
  return resolved;
}

function isSearchable(context: BuildContext, name: string): boolean {
  const field = fieldOf(context, name);
  if (field === undefined || field.nestedPath !== context.nestedPath) return false;
  const { kind } = field.values;
  return field.isIndexed && (kind === "terms" || kind === "numbers");
}

/** The fields of `index.query.default_field`, by default `*`. */
export function defaultFields(context: BuildContext): WeightedField[] {
  const setting = context.mapping.settings["index.query.default_field"];
  const names =
    setting === undefined ? ["*"] : typeof setting === "string" ? setting.split(",") : setting;
  return names.map(weightedField);
}

/**
 * Builds the plan for one shard. Except for `cross_fields`, the best field gives the score, and the
 * others add `tie_breaker` times theirs.
 */
export function buildMultiMatch(spec: MultiMatchSpec, context: BuildContext, boost: number): Plan {
  requireAnalyzer(context, "multi_match", spec.textOptions.analyzer);
  const given = spec.fields.length === 0 ? defaultFields(context) : spec.fields;
  const isAll = given.length === 1 && given[0]?.name === "*";
  const fields = resolveFields(context, given);
  const isLenient = spec.isLenient ?? isAll;
  const options: TextOptions = { ...spec.textOptions, lenient: isLenient };
  if (spec.type === "cross_fields")
    return crossFieldsPlan({ ...spec, textOptions: options }, fields, { context, boost });
  const plans: Plan[] = [];
  for (const [name, fieldBoost] of fields) {
    const field = fieldOf(context, name);
    if (field === undefined) continue;
    const subject = { context, field, boost: Math.fround(boost * Math.fround(fieldBoost)) };
    plans.push(fieldPlan(spec, subject, options));
  }
  const [only] = plans;
  if (only === undefined) return none(`unmapped fields [${[...fields.keys()].join(", ")}]`);
  if (plans.length === 1) return only;
  return {
    kind: "dis-max",
    plans,
    tieBreaker:
      spec.tieBreaker ?? (spec.type === "most_fields" || spec.type === "bool_prefix" ? 1 : 0),
  };
}

function fieldPlan(
  spec: MultiMatchSpec,
  subject: Parameters<typeof matchPlan>[0],
  options: TextOptions,
): Plan {
  switch (spec.type) {
    case "phrase":
    case "phrase_prefix":
      return phrasePlan(subject, spec.text, {
        slop: spec.slop,
        analyzer: options.analyzer,
        zeroTerms: options.zeroTerms,
        prefixExpansions: spec.type === "phrase_prefix" ? spec.maxExpansions : undefined,
        lenient: options.lenient,
      });
    case "bool_prefix":
      return matchPlan(subject, spec.text, { ...options, lastIsPrefix: true });
    default:
      return matchPlan(subject, spec.text, options);
  }
}
