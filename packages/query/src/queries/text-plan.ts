/**
 * Plans of analyzed texts, for `match`, `multi_match` and the query languages. Source:
 * `MatchQuery`, Lucene's `QueryBuilder`.
 */
import type { Analyzer } from "@orrery/analysis";
import { compareBytes, illegalArgument, OperationError, utf8Encode } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import { none, type PhrasePosition, type Plan } from "../language/plan.ts";
import type { Searcher } from "../language/searcher.ts";
import type { Rest } from "../work/steps.ts";
import type { Fuzziness } from "./fuzziness.ts";
import { nearTermsSteps, type NearTerm } from "./near-terms.ts";
import type { PositionedTerm } from "../language/build-work.ts";
import { checkClauseCount } from "./limits.ts";
import { minimumShouldMatch } from "./minimum-should-match.ts";
import type { BuildContext } from "../language/query.ts";
import { notIndexed, prefixPlan, termPlan } from "./term-plan.ts";

/** Options of a text query. */
export interface TextOptions {
  readonly operator: "and" | "or";
  readonly minimumShouldMatch: string | undefined;
  readonly analyzer: string | undefined;
  readonly fuzziness: FuzzyOptions | undefined;
  readonly zeroTerms: "none" | "all";
  readonly lenient: boolean;
  /** The last word is a prefix, as in `match_bool_prefix`. */
  readonly lastIsPrefix?: boolean | undefined;
}

/**
 * Options of fuzzy matching: the number of edits, the number of first characters that must be
 * equal, the number of near terms that are used, and whether a swap of two neighbours is one edit.
 */
export interface FuzzyOptions {
  readonly fuzziness: Fuzziness;
  readonly prefixLength: number;
  readonly maxExpansions: number;
  readonly transpositions: boolean;
}

/** How a text is analyzed. */
export interface AnalyzeOptions {
  /** Name of the analyzer; `undefined`: that of the field. */
  readonly analyzer: string | undefined;
  /** The text is a phrase, for which a field may have another analyzer. */
  readonly isQuote?: boolean;
  /**
   * Each position becomes a clause: the first one too many fails, before the whole text is
   * analyzed.
   */
  readonly areClauses?: boolean;
}

/**
 * The terms of a text with their positions; the whole text is one term for a field without
 * analyzer.
 * @throws OperationError 400 `too_many_clauses`
 */
export function analyzeText(
  context: BuildContext,
  field: CompiledField,
  text: string,
  { analyzer: given, isQuote = false, areClauses = false }: AnalyzeOptions,
): readonly PositionedTerm[] {
  const analyzer = analyzerOf(context, field, given, isQuote);
  if (analyzer === undefined) return [{ text: field.normalize(text), position: 0 }];
  const { limits, work } = context;
  return work.analyzed(analyzer, text, () => {
    const found: PositionedTerm[] = [];
    let position = -1;
    let clauses = 0;
    const push = (token: { readonly term: string; readonly positionIncrement: number }): void => {
      if (token.positionIncrement > 0 || clauses === 0) clauses += 1;
      if (areClauses) checkClauseCount(clauses, limits);
      position += token.positionIncrement;
      found.push({ text: token.term, position });
    };
    analyzer.visit(text, push, work.growth);
    return found;
  });
}

function analyzerOf(
  context: BuildContext,
  field: CompiledField,
  given: string | undefined,
  isQuote: boolean,
): Analyzer | undefined {
  if (given !== undefined) return context.mapping.analysis.analyzer(given);
  return isQuote ? field.searchQuoteAnalyzer : field.searchAnalyzer;
}

/** The field on which a text is searched. */
export interface TextSubject {
  readonly context: BuildContext;
  readonly field: CompiledField;
  readonly boost: number;
}

/** Whether the field has strings to search. */
function hasText({ text, isMetadata, values }: CompiledField): boolean {
  return text !== undefined || (isMetadata && values.kind === "terms");
}

/**
 * Builds the plan for documents with any or all of the words of a text.
 * @throws OperationError 400
 */
export function matchPlan(subject: TextSubject, text: string, options: TextOptions): Plan {
  const { field, boost, context } = subject;
  if (!hasText(field)) return lenient(options.lenient, () => termPlan(context, field, text, boost));
  const terms = analyzeText(context, field, text, {
    analyzer: options.analyzer,
    areClauses: true,
  });
  if (terms.length === 0) return zeroTerms(options.zeroTerms, boost);
  const positions = groupPositions(terms);
  checkClauseCount(positions.length, context.limits);
  context.work.willMake(positions.length, context.limits);
  const clauses = positions.map((group, i) => {
    const isPrefix = options.lastIsPrefix === true && i === positions.length - 1;
    return isPrefix
      ? prefixPlan(context, field, { text: group[0] ?? "", boost })
      : positionPlan(subject, group, options);
  });
  const [only] = clauses;
  if (clauses.length === 1 && only !== undefined) return only;
  return wordsPlan(clauses, options);
}

/**
 * Clauses of several words, of which all, any or `minimum_should_match` must match. Where all must,
 * none is optional, and a minimum above 0 matches nothing.
 */
export function wordsPlan(
  clauses: readonly Plan[],
  { operator, minimumShouldMatch: spec }: Pick<TextOptions, "operator" | "minimumShouldMatch">,
): Plan {
  const optional = operator === "and" ? 0 : clauses.length;
  const given = spec === undefined ? 0 : minimumShouldMatch(optional, spec);
  if (given > optional) return none("minimum_should_match is larger than the number of terms");
  return operator === "and"
    ? boolOf({ must: clauses })
    : boolOf({ should: clauses, minimum: Math.max(1, given) });
}

/** Builds a boolean plan: all of `must`, and at least `minimum` of `should`. */
export function boolOf(parts: {
  must?: readonly Plan[];
  should?: readonly Plan[];
  minimum?: number;
}): Plan {
  return {
    kind: "bool",
    must: parts.must ?? [],
    filter: [],
    should: parts.should ?? [],
    mustNot: [],
    minimumShouldMatch: parts.minimum ?? 0,
  };
}

/**
 * The plan of a text from which analysis has made no word: every document or none
 * (`zero_terms_query`).
 */
export function zeroTerms(mode: "none" | "all", boost: number): Plan {
  return mode === "all" ? { kind: "all", boost } : none("no terms");
}

/** Errors that `lenient` does not hide. */
const TOO_MANY = new Set(["too_many_clauses", "too_many_nested_clauses"]);

/**
 * Runs `build`. With `isLenient`, an operating error, such as for a value that does not fit its
 * field, gives a plan without matches; errors about too many clauses are thrown all the same.
 */
export function lenient(isLenient: boolean, build: () => Plan): Plan {
  if (!isLenient) return build();
  try {
    return build();
  } catch (error) {
    if (!(error instanceof OperationError) || TOO_MANY.has(error.problem.type)) throw error;
    return none(error.problem.reason ?? "");
  }
}

/** The words at each position. */
function groupPositions(terms: readonly PositionedTerm[]): string[][] {
  const groups: string[][] = [];
  let last = -1;
  for (const { text, position } of terms) {
    if (position === last) groups.at(-1)?.push(text);
    else groups.push([text]);
    last = position;
  }
  return groups;
}

/** The plan of one position: a word, a near word, or synonyms. */
function positionPlan(
  { context, field, boost }: TextSubject,
  group: readonly string[],
  options: TextOptions,
): Plan {
  const [first = ""] = group;
  const { fuzziness } = options;
  if (group.length === 1) {
    if (fuzziness !== undefined) return fuzzyPlan({ context, field, boost }, first, fuzziness);
    return analyzedTerm(field, first, boost);
  }
  const terms = [...new Set(group)].map(utf8Encode);
  return { kind: "synonym", field: field.name, terms, boost };
}

/** The plan of a term that analysis produced, which is searched as it is. */
export function analyzedTerm(field: CompiledField, text: string, boost: number): Plan {
  const term = utf8Encode(text);
  const name = field.aliasOf ?? field.name;
  if (field.hasConstantTermScore) return { kind: "term-set", field: name, terms: [term], boost };
  if (!field.isIndexed) throw notIndexed(field);
  return { kind: "term", field: name, term, boost };
}

/**
 * At most `maxExpansions` near terms, the nearest first. All are scored with the document frequency
 * of the most frequent, so that rare misspellings do not score best.
 * @throws OperationError 400
 */
export function fuzzyPlan(
  { context, field, boost }: TextSubject,
  word: string,
  options: FuzzyOptions,
): Plan {
  const edits = options.fuzziness(word);
  if (options.prefixLength < 0) throw illegalArgument("prefixLength cannot be negative.");
  if (options.maxExpansions <= 0) throw illegalArgument("maxExpansions must be positive.");
  if (edits === 0) return analyzedTerm(field, word, boost);
  const { prefixLength, transpositions } = options;
  const near = { word, rules: { edits, prefixLength, transpositions } };
  return context.work.later(boost, (rest) =>
    nearTermsPlan({ context, field, boost }, near, { most: options.maxExpansions, rest }),
  );
}

/** Looks up the near terms of all segments. The selection is that of Lucene's `TopTermsRewrite`. */
function* nearTermsPlan(
  { context, field, boost }: TextSubject,
  { word, rules }: { readonly word: string; readonly rules: Parameters<typeof nearTermsSteps>[2] },
  { most, rest }: { readonly most: number; readonly rest: Rest },
): Generator<undefined, Plan> {
  const name = field.aliasOf ?? field.name;
  const { searcher, limits } = context;
  const found = new Map<string, number>();
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(name);
    if (terms === undefined) continue;
    const near: NearTerm[] = yield* nearTermsSteps(terms, word, rules, rest);
    for (const { text, similarity } of near) found.set(text, similarity);
  }
  // Source: `TopTermsRewrite`.
  const best = [...found]
    .map(([text, similarity]) => ({ term: utf8Encode(text), similarity }))
    .toSorted((a, b) => b.similarity - a.similarity || compareBytes(a.term, b.term))
    .slice(0, Math.min(most, limits.maxClauseCount));
  const docFreq = best.reduce(
    (highest, { term }) => Math.max(highest, searcher.term(name, term).docFreq),
    0,
  );
  const should = best.map(({ term, similarity }): Plan => ({
    kind: "term",
    field: name,
    term,
    boost: Math.fround(boost * similarity),
    docFreq,
  }));
  const [only] = should;
  if (only === undefined) return none("no near terms");
  return should.length === 1 ? only : boolOf({ should, minimum: 1 });
}

/** Options with which a text becomes a phrase. */
export interface PhraseOptions {
  readonly slop: number;
  readonly analyzer: string | undefined;
  readonly zeroTerms: "none" | "all";
  /** The last word is a prefix with at most this many expansions; `undefined`: it is a word. */
  readonly prefixExpansions: number | undefined;
  readonly lenient: boolean;
}

/**
 * Builds the plan for documents with the words of a text in sequence.
 * @throws OperationError 400
 */
export function phrasePlan(subject: TextSubject, text: string, options: PhraseOptions): Plan {
  const { context, field, boost } = subject;
  if (!hasText(field)) return lenient(options.lenient, () => termPlan(context, field, text, boost));
  if (options.prefixExpansions !== undefined && field.text !== "analyzed") {
    throw illegalArgument(
      `Can only use phrase prefix queries on text fields - not on [${field.name}] which is of type [${field.type}]`,
    );
  }
  const plan = analyzedPhrase(subject, text, options);
  // Fields without frequencies score every hit alike.
  return field.hasConstantTermScore && plan.kind === "phrase"
    ? { kind: "constant", plan, boost }
    : plan;
}

function analyzedPhrase(subject: TextSubject, text: string, options: PhraseOptions): Plan {
  const { context, field, boost } = subject;
  const terms = analyzeText(context, field, text, {
    analyzer: options.analyzer,
    isQuote: true,
  });
  if (terms.length === 0) return zeroTerms(options.zeroTerms, boost);
  const positions = toPositions(terms);
  const [only] = positions;
  if (positions.length === 1 && only !== undefined) {
    if (options.prefixExpansions !== undefined)
      return singlePrefix(context.searcher, subject, options.prefixExpansions, only);
    const group = only.terms;
    return group.length === 1
      ? analyzedTerm(field, terms[0]?.text ?? "", boost)
      : { kind: "synonym", field: field.name, terms: group, boost };
  }
  requirePositions(field);
  return {
    kind: "phrase",
    field: field.aliasOf ?? field.name,
    positions,
    slop: options.slop,
    boost,
    prefixExpansions: options.prefixExpansions,
  };
}

function requirePositions(field: CompiledField): void {
  const { index } = field.spec;
  if (index === "positions" || index === "offsets") return;
  throw new OperationError({
    type: "illegal_argument_exception",
    reason: `field:[${field.name}] was indexed without position data; cannot run PhraseQuery`,
    status: 400,
  });
}

/** The terms at each position, counted from the first one. */
function toPositions(terms: readonly PositionedTerm[]): PhrasePosition[] {
  const byPosition = new Map<number, Set<string>>();
  const first = terms[0]?.position ?? 0;
  for (const { text, position } of terms) {
    const place = byPosition.get(position - first);
    if (place === undefined) byPosition.set(position - first, new Set([text]));
    else place.add(text);
  }
  return [...byPosition].map(([position, texts]) => ({
    position,
    terms: [...texts].map(utf8Encode),
  }));
}

/** A phrase of one prefix: the terms with the prefix, as one term. */
function singlePrefix(
  searcher: Searcher,
  { field, boost }: TextSubject,
  limit: number,
  only: PhrasePosition,
): Plan {
  const name = field.aliasOf ?? field.name;
  const found = new Map<string, Uint8Array>();
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(name);
    const [prefix] = only.terms;
    if (terms === undefined || prefix === undefined) continue;
    const { from, to } = terms.prefixRange(prefix);
    for (let ord = from; ord < to && found.size < limit; ord += 1)
      found.set(terms.text(ord), terms.term(ord));
  }
  const expanded = [...found.values()];
  if (expanded.length === 0) return none("no terms with this prefix");
  return { kind: "synonym", field: name, terms: expanded, boost };
}
