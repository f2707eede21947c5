/**
 * Plans of exact values, ranges, prefixes and patterns on a field, by the kind of its values.
 * Source: `MappedFieldType.termQuery`, `rangeQuery`, `prefixQuery` and their siblings.
 */
import type { RangeBounds, BoundContext, CompiledField } from "../language/field-type.ts";
import {
  bytesEqual,
  compareBytes,
  illegalArgument,
  type Json,
  OperationError,
  utf8Encode,
} from "@orrery/stdx";
import { asciiLower } from "../automata/case-folding.ts";
import { wildcardDfa } from "../automata/wildcard.ts";
import { dateFormatOf } from "../dates/format.ts";
import { textOf } from "../mapping/parameters.ts";
import { none, type Plan } from "../language/plan.ts";
import type { BuildContext } from "../language/query.ts";
import { shardError } from "./query.ts";

/**
 * Builds the plan for documents with a value.
 * @throws OperationError 400 if the value does not fit the field, or the field cannot be searched
 *   for it
 */
export function termPlan(
  context: BuildContext,
  field: CompiledField,
  value: Json,
  boost: number,
): Plan {
  const own = field.queries.anyOf?.(context, [value], boost);
  if (own !== undefined) return own;
  const name = field.aliasOf ?? field.name;
  const { values } = field;
  if (values.kind === "terms") {
    const block = values.blockOf?.(textOf(value));
    if (block !== undefined) return blockPlan(field, block, boost);
    requireSearchable(field);
    const term = values.encode(value);
    return field.hasConstantTermScore
      ? { kind: "term-set", field: name, terms: [term], boost }
      : { kind: "term", field: name, term, boost };
  }
  if (values.kind === "numbers") {
    requireSearchable(field);
    if (field.dateFormat !== undefined)
      return rangePlan(context, field, { ...NO_RANGE, gte: value, lte: value }, boost);
    const exact = values.exact(value);
    if (exact === undefined) return none(`Value [${textOf(value)}] has a decimal part`);
    return { kind: "number-range", field: name, lower: exact, upper: exact, boost };
  }
  throw unsupported(context, field, "term");
}

/**
 * Builds the plan for documents with any of the values, each hit with the same score.
 * @throws OperationError 400
 */
export function termsPlan(
  context: BuildContext,
  field: CompiledField,
  given: readonly Json[],
  boost: number,
): Plan {
  const own = field.queries.anyOf?.(context, given, boost);
  if (own !== undefined) return own;
  const { values } = field;
  const name = field.aliasOf ?? field.name;
  if (given.length === 0) return none("no terms");
  if (values.kind === "terms") {
    requireSearchable(field);
    if (given.some((value) => values.blockOf?.(textOf(value)) !== undefined)) {
      return anyOf(
        given.map((value) => termPlan(context, field, value, 1)),
        boost,
      );
    }
    const terms = distinct(given.map((value) => values.encode(value)));
    if (values.format === "boolean" && terms.length === 1)
      return { kind: "term", field: name, term: terms[0] ?? utf8Encode(""), boost };
    return { kind: "term-set", field: name, terms, boost };
  }
  if (values.kind === "numbers") {
    requireSearchable(field);
    if (field.dateFormat !== undefined)
      return anyOf(
        given.map((value) => termPlan(context, field, value, 1)),
        boost,
      );
    const exact = given.flatMap((value) => values.exact(value) ?? []);
    const sorted = [...new Set(exact)].toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
    return sorted.length === 0
      ? none("no such values")
      : { kind: "number-set", field: name, values: sorted, boost };
  }
  throw unsupported(context, field, "terms");
}

/** Documents of any plan, all with one score. */
function anyOf(should: readonly Plan[], boost: number): Plan {
  return {
    kind: "constant",
    plan: { kind: "bool", must: [], filter: [], should, mustNot: [], minimumShouldMatch: 1 },
    boost,
  };
}

function distinct(terms: readonly Uint8Array[]): Uint8Array[] {
  return terms
    .toSorted(compareBytes)
    .filter((term, i, all) => i === 0 || !bytesEqual(term, all[i - 1] as Uint8Array));
}

function blockPlan(
  field: CompiledField,
  { first, last }: { readonly first: Uint8Array; readonly last: Uint8Array },
  boost: number,
): Plan {
  return {
    kind: "term-range",
    field: field.aliasOf ?? field.name,
    lower: first,
    includesLower: true,
    upper: last,
    includesUpper: true,
    boost,
  };
}

/** A field without index can be searched by its doc values, unless it is analyzed. */
function requireSearchable(field: CompiledField): void {
  if (!field.isIndexed && !field.hasDocValues) {
    const reason = `Cannot search on field [${field.name}] since it is both not indexed, and does not have doc_values enabled.`;
    throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
  }
  if (!field.isIndexed && field.text === "analyzed") throw notIndexed(field);
}

function unsupported(context: BuildContext, field: CompiledField, query: string): OperationError {
  if (field.values.kind === "binary")
    return shardError(context, "Binary fields do not support searching");
  return illegalArgument(`${field.type} fields do not support ${query} queries: [${field.name}]`);
}

// ------------------------------------------------------------------------------------------ ranges

/** A range without bounds. */
export const NO_RANGE: RangeBounds = {
  gt: undefined,
  gte: undefined,
  lt: undefined,
  lte: undefined,
  format: undefined,
  timeZone: undefined,
};

/**
 * Builds the plan for documents with a value within the bounds; without a bound, with any value.
 * @throws OperationError 400
 */
export function rangePlan(
  context: BuildContext,
  field: CompiledField,
  range: RangeBounds,
  boost: number,
): Plan {
  const own = field.queries.range?.(context, range, boost);
  if (own !== undefined) return own;
  const { values } = field;
  const lower = range.gte ?? range.gt;
  const upper = range.lte ?? range.lt;
  const includesLower = range.gte !== undefined || range.gt === undefined;
  const includesUpper = range.lte !== undefined || range.lt === undefined;
  const name = field.aliasOf ?? field.name;
  if (values.kind === "terms") {
    requireSearchable(field);
    if (!context.allowExpensiveQueries && field.text !== undefined) {
      throw expensive("[range] queries on [text] or [keyword] fields");
    }
    return {
      kind: "term-range",
      field: name,
      lower: lower === undefined ? undefined : values.encode(lower),
      includesLower,
      upper: upper === undefined ? undefined : values.encode(upper),
      includesUpper,
      boost,
    };
  }
  if (values.kind !== "numbers")
    throw illegalArgument(
      `Field [${field.name}] of type [${field.type}] does not support range queries`,
    );
  requireSearchable(field);
  if (lower === undefined && upper === undefined) return { kind: "exists", field: name, boost };
  const bounds: BoundContext = {
    nowMs: context.nowMs,
    format: range.format === undefined ? undefined : dateFormatOf(range.format),
    timeZone: range.timeZone,
  };
  const low = lower === undefined ? -Infinity : values.lower(lower, includesLower, bounds);
  const high = upper === undefined ? Infinity : values.upper(upper, includesUpper, bounds);
  if (low === undefined || high === undefined || low > high) return none("the range is empty");
  return { kind: "number-range", field: name, lower: low, upper: high, boost };
}

// ------------------------------------------------------------------------------------------ patterns

/** The text of a prefix or wildcard query, with its options. */
export interface PatternInput {
  readonly text: string;
  readonly boost: number;
  readonly caseInsensitive?: boolean | undefined;
}

/**
 * Builds the plan for documents with a term that starts with the text. Without regard to case,
 * every term of the dictionary is tested.
 */
export function prefixPlan(context: BuildContext, field: CompiledField, input: PatternInput): Plan {
  const { text, boost } = input;
  const own = field.queries.pattern?.((value) => value.startsWith(text), boost);
  if (own !== undefined) return own;
  requireStrings(context, field, "prefix");
  context.work.willMake(1, context.limits);
  const name = field.aliasOf ?? field.name;
  if (input.caseInsensitive === true) {
    const folded = asciiLower(text);
    return {
      kind: "term-pattern",
      field: name,
      prefix: utf8Encode(""),
      matches: (term) => asciiLower(term.slice(0, folded.length)) === folded,
      label: `prefix-i:${folded}`,
      boost,
    };
  }
  return {
    kind: "term-pattern",
    field: name,
    prefix: utf8Encode(text),
    matches: undefined,
    label: `prefix:${text}`,
    boost,
  };
}

/**
 * Builds the plan for documents with a term that matches a pattern: `?` stands for one character,
 * `*` for any number, and a backslash escapes.
 */
export function wildcardPlan(
  context: BuildContext,
  field: CompiledField,
  input: PatternInput,
): Plan {
  if (field.name === "_index") {
    const matches = wildcardDfa(input.text, false).accepts(context.searcher.view.index);
    return matches ? { kind: "all", boost: input.boost } : none("another index");
  }
  const { text, boost, caseInsensitive = false } = input;
  const own = field.queries.pattern?.(wildcardDfa(text, caseInsensitive).accepts, boost);
  if (own !== undefined) return own;
  requireStrings(context, field, "wildcard");
  const literal = /^[^*?\\]*/.exec(text)?.[0] ?? "";
  const isPrefix = !caseInsensitive && text === `${literal}*`;
  const label = `wildcard:${caseInsensitive}:${text}`;
  const dfa = isPrefix
    ? undefined
    : context.work.automaton(label, () => wildcardDfa(text, caseInsensitive));
  context.work.willMake(1, context.limits);
  return {
    kind: "term-pattern",
    field: field.aliasOf ?? field.name,
    prefix: utf8Encode(dfa?.prefix ?? literal),
    matches: dfa?.accepts,
    matchesUtf8: dfa?.acceptsUtf8,
    label,
    boost,
  };
}

/** Builds the plan for documents with a term that a function accepts. */
export function patternPlan(
  context: BuildContext,
  field: CompiledField,
  pattern: {
    readonly query: string;
    readonly label: string;
    /** Common prefix of all terms that can match. */
    readonly prefix: string;
    readonly matches: (term: string) => boolean;
    readonly matchesUtf8?: (bytes: Uint8Array, length: number) => boolean;
    readonly boost: number;
  },
): Plan {
  requireStrings(context, field, pattern.query);
  context.work.willMake(1, context.limits);
  return {
    kind: "term-pattern",
    field: field.aliasOf ?? field.name,
    prefix: utf8Encode(pattern.prefix),
    matches: pattern.matches,
    matchesUtf8: pattern.matchesUtf8,
    label: pattern.label,
    boost: pattern.boost,
  };
}

/** The error for a query that `search.allow_expensive_queries: false` forbids. */
export function expensive(what: string, hint = ""): OperationError {
  return new OperationError({
    type: "exception",
    reason: `${what} cannot be executed when 'search.allow_expensive_queries' is set to false.${hint}`,
    status: 500,
  });
}

/**
 * Rejects a query that matches terms by a pattern (`prefix`, `wildcard`, `regexp`, `fuzzy`, and
 * `term` without regard to case): on `_id` and on fields without strings; on any field if expensive
 * queries are not allowed, except for `term`.
 * @throws OperationError 500 if expensive queries are not allowed, 400 for the field
 */
export function requireStrings(context: BuildContext, field: CompiledField, query: string): void {
  if (!context.allowExpensiveQueries && query !== "term") {
    const hint =
      query === "prefix"
        ? " For optimised prefix queries on text fields please enable [index_prefixes]."
        : "";
    throw expensive(`[${query}] queries`, hint);
  }
  const isString =
    field.text !== undefined ||
    field.name === "_id" ||
    field.name === "_routing" ||
    field.name === "_ignored";
  if (isString && field.name !== "_id") return;
  const { index, indexUuid } = context.searcher.view;
  const kind = query === "fuzzy" ? "fuzzy" : query;
  const reason =
    query === "fuzzy"
      ? `Can only use fuzzy queries on keyword and text fields - not on [${field.name}] which is of type [${field.type}]`
      : `Can only use ${kind} queries on keyword and text fields - not on [${field.name}] which is of type [${field.type}]`;
  if (query === "fuzzy") throw illegalArgument(reason);
  throw new OperationError({
    type: "query_shard_exception",
    reason,
    status: 400,
    metadata: { index, index_uuid: indexUuid },
  });
}

/** The error for a field without index. */
export function notIndexed(field: CompiledField): OperationError {
  const reason = `Cannot search on field [${field.name}] since it is not indexed.`;
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}
