/**
 * `match_phrase` and `match_phrase_prefix`: the words of an analyzed text next to each other, in
 * order. Source: `MatchPhraseQueryBuilder`, `MatchPhrasePrefixQueryBuilder`.
 */
import { illegalArgument } from "@orrery/stdx";
import { none } from "../language/plan.ts";
import { parseFieldForm } from "./common.ts";
import { intOf, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { fieldOf, requireAnalyzer } from "./query.ts";
import type { Query } from "../language/query.ts";
import { phrasePlan } from "./text-plan.ts";

/**
 * Parses a `match_phrase` query.
 * @throws BodyError or OperationError 400
 */
export function parseMatchPhrase(at: Cursor): Query {
  return parsePhrase(at, "match_phrase", ["query", "analyzer", "slop", "zero_terms_query"]);
}

/**
 * Parses a `match_phrase_prefix` query, whose last word is a prefix.
 * @throws BodyError or OperationError 400
 */
export function parseMatchPhrasePrefix(at: Cursor): Query {
  return parsePhrase(at, "match_phrase_prefix", [
    "query",
    "analyzer",
    "slop",
    "max_expansions",
    "zero_terms_query",
  ]);
}

function parsePhrase(at: Cursor, query: string, parameters: readonly string[]): Query {
  const form = parseFieldForm(at, { query, parameters, empty: "No text specified for text query" });
  const given = form.scalar ?? form.parameters.get("query");
  if (given === undefined || given.json === null)
    throw parsingError(at, "No text specified for text query", "end");
  const text = scalarText(given);
  const slop = numberParameter(form.parameters, "slop", 0);
  if (slop < 0) throw illegalArgument("No negative slop allowed.");
  const expansions = numberParameter(form.parameters, "max_expansions", 50);
  if (expansions < 0) throw illegalArgument("No negative maxExpansions allowed.");
  const analyzer = form.parameters.get("analyzer");
  const zeroTerms = form.parameters.get("zero_terms_query");
  const options = {
    slop,
    analyzer: analyzer === undefined ? undefined : scalarText(analyzer),
    zeroTerms:
      zeroTerms !== undefined && scalarText(zeroTerms).toLowerCase() === "all"
        ? ("all" as const)
        : ("none" as const),
    prefixExpansions: query === "match_phrase_prefix" ? expansions : undefined,
    lenient: false,
  };
  return {
    boost: form.boost,
    label: form.label,
    build: (context, boost) => {
      requireAnalyzer(context, query, options.analyzer);
      const field = fieldOf(context, form.field);
      if (field === undefined) return none(`unmapped field [${form.field}]`);
      return phrasePlan({ context, field, boost }, text, options);
    },
  };
}

function numberParameter(
  parameters: ReadonlyMap<string, Cursor>,
  name: string,
  fallback: number,
): number {
  const at = parameters.get(name);
  return at === undefined ? fallback : intOf(at);
}
