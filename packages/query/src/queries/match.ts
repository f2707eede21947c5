/**
 * `match` and `match_bool_prefix`: any or all words of an analyzed text. Source:
 * `MatchQueryBuilder`, `MatchBoolPrefixQueryBuilder`.
 */
import { illegalArgument } from "@orrery/stdx";
import { none } from "../language/plan.ts";
import { parseFieldForm, type FieldForm } from "./common.ts";
import { booleanOf, intOf, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseFuzziness } from "./fuzziness.ts";
import { requireAnalyzer, fieldOf } from "./query.ts";
import type { Query } from "../language/query.ts";
import { matchPlan, type FuzzyOptions, type TextOptions } from "./text-plan.ts";

const PARAMETERS = [
  "query",
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
  "lenient",
  "cutoff_frequency",
  "zero_terms_query",
  "auto_generate_synonyms_phrase_query",
];

/**
 * Parameters of `match_bool_prefix`: phrases and texts without tokens do not apply where the last
 * word is a prefix.
 */
const PREFIX_PARAMETERS = [
  "query",
  "analyzer",
  "fuzziness",
  "prefix_length",
  "max_expansions",
  "operator",
  "minimum_should_match",
  "fuzzy_rewrite",
  "fuzzy_transpositions",
];

/**
 * Parses a `match` query.
 * @throws BodyError or OperationError 400
 */
export function parseMatch(at: Cursor): Query {
  return parseMatchLike(at, "match", false);
}

/**
 * Parses a `match_bool_prefix` query, whose last word is a prefix.
 * @throws BodyError or OperationError 400
 */
export function parseMatchBoolPrefix(at: Cursor): Query {
  return parseMatchLike(at, "match_bool_prefix", true);
}

function parseMatchLike(at: Cursor, query: string, lastIsPrefix: boolean): Query {
  const form = parseFieldForm(at, {
    query,
    parameters: lastIsPrefix ? PREFIX_PARAMETERS : PARAMETERS,
    empty: "No text specified for text query",
  });
  const given = form.scalar ?? form.parameters.get("query");
  if (given === undefined || given.json === null)
    throw parsingError(at, "No text specified for text query", "end");
  const text = scalarText(given);
  const expansions = form.parameters.get("max_expansions");
  if (expansions !== undefined && intOf(expansions) <= 0)
    throw illegalArgument(`[${query}] requires maxExpansions to be positive.`);
  const options: TextOptions = { ...parseTextOptions(form), lastIsPrefix };
  return {
    boost: form.boost,
    label: form.label,
    build: (context, boost) => {
      requireAnalyzer(context, query, options.analyzer);
      const field = fieldOf(context, form.field);
      if (field === undefined) return none(`unmapped field [${form.field}]`);
      return matchPlan({ context, field, boost }, text, options);
    },
  };
}

/**
 * Reads the parameters that say how a text becomes a plan: operator, analyzer, fuzziness and
 * others.
 * @throws BodyError or OperationError 400
 */
export function parseTextOptions({ parameters }: Pick<FieldForm, "parameters">): TextOptions {
  const get = <T>(name: string, read: (at: Cursor) => T, fallback: T): T => {
    const at = parameters.get(name);
    return at === undefined || at.json === null ? fallback : read(at);
  };
  return {
    operator: get("operator", parseOperator, "or"),
    minimumShouldMatch: get<string | undefined>("minimum_should_match", scalarText, undefined),
    analyzer: get<string | undefined>("analyzer", scalarText, undefined),
    fuzziness: parseFuzzyOptions(parameters),
    zeroTerms: get("zero_terms_query", parseZeroTerms, "none"),
    lenient: get("lenient", booleanOf, false),
  };
}

/**
 * Reads the parameters of fuzzy matching; `undefined`: without `fuzziness`, words must match
 * exactly.
 * @throws BodyError or OperationError 400
 */
export function parseFuzzyOptions(
  parameters: ReadonlyMap<string, Cursor>,
): FuzzyOptions | undefined {
  const at = parameters.get("fuzziness");
  if (at === undefined || at.json === null) return undefined;
  const prefix = parameters.get("prefix_length");
  const expansions = parameters.get("max_expansions");
  const transpositions = parameters.get("fuzzy_transpositions") ?? parameters.get("transpositions");
  return {
    fuzziness: parseFuzziness(at),
    prefixLength: prefix === undefined ? 0 : intOf(prefix),
    maxExpansions: expansions === undefined ? 50 : intOf(expansions),
    transpositions: transpositions === undefined || booleanOf(transpositions),
  };
}

/**
 * Parses an `operator`, in any case of its letters.
 * @throws BodyError 400
 */
export function parseOperator(at: Cursor): "and" | "or" {
  const word = scalarText(at).toLowerCase();
  if (word === "and" || word === "or") return word;
  throw parsingError(at, `operator needs to be either AND or OR, but not [${scalarText(at)}]`);
}

function parseZeroTerms(at: Cursor): "none" | "all" {
  const word = scalarText(at).toLowerCase();
  if (word === "none" || word === "all") return word;
  throw parsingError(at, `Unsupported zero_terms_query value [${scalarText(at)}]`);
}
