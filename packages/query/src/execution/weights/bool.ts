/**
 * `bool` queries. The shapes that most searches have run as batch sources: one term with filters,
 * terms of which all or any must match, filters alone. Every other shape is composed of the cursors
 * of `combine.ts`, with the same hits and scores. Source: Lucene's `BooleanWeight`.
 */
import { greatest } from "@orrery/stdx";
import type { BoolPlan } from "../../language/plan.ts";
import type { BatchSource, DocFilter, Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import {
  ConjunctionScorer,
  DisjunctionScorer,
  ExclusionScorer,
  OptionalScorer,
  UnscoredScorer,
} from "./combine.ts";
import { popCount } from "../bits.ts";
import { countAll, countAny, countKept, type CountedTerm } from "./count-any.ts";
import { ConjunctionSource } from "./conjunction-source.ts";
import { AllScorer } from "./cursors.ts";
import { DisjunctionSource } from "./disjunction-source.ts";
import { dropAll, negated, scorerFilter } from "./filters.ts";
import { FilteredSource, ScorerSource } from "./sets.ts";
import { acceptFilters, type TermScorer, type TermWeight } from "./term.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/** The weights of the clauses by occurrence. */
interface Clauses {
  readonly must: readonly Weight[];
  readonly filter: readonly Weight[];
  readonly should: readonly Weight[];
  readonly mustNot: readonly Weight[];
  /**
   * Number of `should` clauses that must match. 0 makes them optional where another clause is
   * required; without one, at least one must match in any case.
   */
  readonly minimum: number;
}

/**
 * The weight of a `bool` plan. Clauses in filter context (`filter`, `must_not`) compute no scores.
 */
export function boolWeight(plan: BoolPlan, searcher: Searcher, prepare: Prepare): Weight {
  const scored = (plans: BoolPlan["must"]): Weight[] =>
    plans.map((inner) => prepare.weightOf(inner, searcher, prepare));
  const unscored = (plans: BoolPlan["must"]): Weight[] =>
    plans.map((inner) => prepare.weightOf(inner, searcher, { ...prepare, needsScores: false }));
  const clauses: Clauses = {
    must: scored(plan.must),
    filter: unscored(plan.filter),
    should: scored(plan.should),
    mustNot: unscored(plan.mustNot),
    minimum: plan.minimumShouldMatch,
  };
  const isUnscored = clauses.must.length === 0 && clauses.should.length === 0;
  return {
    constantScore: isUnscored ? 0 : undefined,
    scorer: (segment) => composeScorer(clauses, segment),
    source: (segment, needsScores) => sourceOf(clauses, segment, needsScores),
    count: (segment) => countOf(clauses, segment),
    countAhead: (segment, limit) => countAhead(clauses, segment, limit),
  };
}

// ------------------------------------------------------------------------------------------ batches

/**
 * The fastest source for the shape. A single term is asked first: its source applies the filters
 * before it scores, while `FilteredSource` filters scored documents.
 */
function sourceOf(
  clauses: Clauses,
  segment: SegmentContext,
  needsScores: boolean,
): BatchSource | undefined {
  const term = onlyTerm(clauses);
  if (term !== undefined && !isFilterRarer(clauses, [term], segment))
    return term.filteredSource(segment, needsScores, filtersOf(clauses, segment));
  const inner = scoringSource(clauses, segment, needsScores);
  if (inner === "none") return undefined;
  if (inner === undefined) return composed(clauses, segment, needsScores);
  const filters = filtersOf(clauses, segment);
  return filters.length === 0 ? inner : new FilteredSource(inner, filters);
}

/** A source over composed cursors, for any shape. */
function composed(
  clauses: Clauses,
  segment: SegmentContext,
  needsScores: boolean,
): BatchSource | undefined {
  const scorer = composeScorer(clauses, segment);
  return (
    scorer && new ScorerSource(scorer, segment, { filters: [], score: needsScores ? undefined : 0 })
  );
}

/**
 * The one term that every hit has, if all other clauses only filter; `undefined` for other shapes.
 */
function onlyTerm({ must, should, filter, minimum }: Clauses): TermWeight | undefined {
  const [term] = must.length > 0 ? must : should;
  // With a filter and no minimum, documents without the optional term are hits, too.
  const isOptional = must.length === 0 && minimum === 0 && filter.length > 0;
  if (term === undefined || must.length + should.length > 1 || isOptional || minimum > 1)
    return undefined;
  return isTermWeight(term) ? term : undefined;
}

/**
 * The source of the scoring clauses, if it alone finds every hit; filters are then applied to its
 * batches. "none": no document of this segment matches. `undefined`: the shape needs cursors.
 */
function scoringSource(
  clauses: Clauses,
  segment: SegmentContext,
  needsScores: boolean,
): BatchSource | "none" | undefined {
  const { must, should, filter, minimum } = clauses;
  if (must.length === 0 && should.length === 0) return filterSource(clauses, segment);
  // Required and optional clauses together: the source of the required ones would lack the scores
  // of the others.
  if (must.length > 0 && should.length > 0) return undefined;
  const clause = must.length > 0 ? must : should;
  const isOptional = must.length === 0 && minimum === 0 && filter.length > 0;
  if (isOptional || minimum > 1) return undefined;
  // Cursors let the filter lead.
  if (isFilterRarer(clauses, clause, segment)) return undefined;
  if (clause.length === 1) return singleSource(clause[0] as Weight, segment, needsScores);
  const terms = termScorers(clause, segment);
  if (terms === undefined) return undefined;
  if (must.length > 0) {
    // A required term that the segment lacks leaves no hit.
    return terms.length < must.length ? "none" : new ConjunctionSource(terms, segment, needsScores);
  }
  if (terms.length === 0) return "none";
  return terms.length === 1
    ? singleSource(
        should.find((weight) => (weight as TermWeight).termScorer(segment) !== undefined) as Weight,
        segment,
        needsScores,
      )
    : new DisjunctionSource(terms, segment, needsScores);
}

/** The source of a single clause. */
function singleSource(
  weight: Weight,
  segment: SegmentContext,
  needsScores: boolean,
): BatchSource | "none" | undefined {
  const source = weight.source?.(segment, needsScores);
  if (source !== undefined) return source;
  const scorer = weight.scorer(segment);
  return scorer === undefined
    ? "none"
    : new ScorerSource(scorer, segment, { filters: [], score: undefined });
}

/**
 * The source of a single filter, whose hits all score 0 in a `bool` query; `undefined` if there are
 * several filters or the filter has no source.
 */
function filterSource(
  { filter }: Clauses,
  segment: SegmentContext,
): BatchSource | "none" | undefined {
  const [lead] = filter;
  if (filter.length !== 1 || lead === undefined) return undefined;
  const source = lead.source?.(segment, false);
  source?.scores?.fill(0);
  return source;
}

/**
 * Cursors of clauses that are all plain terms, without those that the segment lacks; `undefined` if
 * one is no term.
 */
function termScorers(
  weights: readonly Weight[],
  segment: SegmentContext,
): TermScorer[] | undefined {
  const scorers: TermScorer[] = [];
  for (const weight of weights) {
    if (!isTermWeight(weight)) return undefined;
    const scorer = weight.termScorer(segment);
    if (scorer !== undefined) scorers.push(scorer);
  }
  return scorers;
}

/** Recognised by a member, as weights are no classes. */
function isTermWeight(weight: Weight): weight is TermWeight {
  return "termScorer" in weight;
}

/**
 * Whether a filter has so many fewer documents than the scoring clauses that it should lead:
 * advancing a few times beats filtering every block.
 */
function isFilterRarer(
  { filter }: Clauses,
  scoring: readonly Weight[],
  segment: SegmentContext,
): boolean {
  if (filter.length === 0) return false;
  const cost = greatest(scoring.map((weight) => costOf(weight, segment)));
  return cost > 512 && filter.some((weight) => costOf(weight, segment) * 16 < cost);
}

/** Estimated number of the clause's documents; 0 where it has none. */
function costOf(weight: Weight, segment: SegmentContext): number {
  if (isTermWeight(weight)) return weight.postings(segment)?.docFreq ?? 0;
  return weight.scorer(segment)?.cost ?? 0;
}

/**
 * Filters and exclusions of the clauses, cheapest first. An exclusion without matches in the
 * segment excludes nothing and is left out. In a query of filters alone the filter is the source.
 */
function filtersOf(clauses: Clauses, segment: SegmentContext): DocFilter[] {
  const isFilterOnly = clauses.must.length === 0 && clauses.should.length === 0;
  const filters = (isFilterOnly ? [] : clauses.filter).map((weight) => filterOf(weight, segment));
  const exclusions = clauses.mustNot
    .map((weight) => filterOf(weight, segment))
    .filter((filter) => filter !== dropAll);
  return [...filters, ...exclusions.map(negated)].toSorted((a, b) => a.cost - b.cost);
}

/** The filter that a weight offers for a segment, or else one over its cursor. */
export function filterOf(weight: Weight, segment: SegmentContext): DocFilter {
  const filter = weight.filter?.(segment);
  if (filter !== undefined) return filter;
  const scorer = weight.scorer(segment);
  return scorer === undefined ? dropAll : scorerFilter(scorer);
}

/**
 * The number of hits from statistics alone: that of the only clause which decides. -1 for other
 * shapes.
 */
function countOf(
  { must, filter, should, mustNot, minimum }: Clauses,
  segment: SegmentContext,
): number {
  if (mustNot.length > 0) return -1;
  const required = [...must, ...filter];
  const [only] = required.length > 0 ? required : should;
  const isSingle =
    required.length > 0 ? required.length === 1 && minimum === 0 : should.length === 1;
  return isSingle ? (only?.count?.(segment) ?? -1) : -1;
}

/**
 * Terms with fewer documents than this are counted while they are scored: counting ahead saves
 * nothing.
 */
const FEW_DOCS = 512;

/** More clauses are not counted ahead, as each of their documents would be read twice. */
const MOST_CLAUSES = 16;

/**
 * Counts for the shapes that have a source which skips blocks, and for no other: elsewhere every
 * hit is visited anyway.
 */
function countAhead(clauses: Clauses, segment: SegmentContext, limit: number): number {
  const { must, filter, should, mustNot, minimum } = clauses;
  const term = onlyTerm(clauses);
  if (term !== undefined) return countFiltered(clauses, term, segment, limit);
  if (filter.length > 0 || mustNot.length > 0 || minimum > 1) return -1;
  if (must.length > 0) return should.length > 0 ? -1 : countRequired(must, segment);
  return countOptional(should, segment, limit);
}

/**
 * Returns the number of hits of one term with filters. If a filter leads, cursors visit every hit.
 */
function countFiltered(
  clauses: Clauses,
  term: TermWeight,
  segment: SegmentContext,
  limit: number,
): number {
  const postings = term.postings(segment);
  if (postings === undefined) return 0;
  if (postings.docFreq < FEW_DOCS || isFilterRarer(clauses, [term], segment)) return -1;
  const filters = [...acceptFilters(segment), ...filtersOf(clauses, segment)];
  return countKept(postings, filters, limit);
}

/**
 * Number of documents with all terms, if the segment keeps the bits of each. Decoding the postings
 * of the rarest would cost as much as searching.
 */
function countRequired(must: readonly Weight[], segment: SegmentContext): number {
  const bits: Int32Array[] = [];
  for (const weight of must) {
    const own = isTermWeight(weight) ? weight.dense(segment)?.bits : undefined;
    if (own === undefined) return -1;
    bits.push(own);
  }
  return countAll(bits, segment);
}

/**
 * Number of documents with any of the terms. The most frequent term gives a lower bound without
 * reading a document, which often exceeds `limit` (10,000 by default) already.
 */
function countOptional(should: readonly Weight[], segment: SegmentContext, limit: number): number {
  if (should.length > MOST_CLAUSES) return -1;
  const terms: CountedTerm[] = [];
  let most = 0;
  let all = 0;
  for (const weight of should) {
    if (!isTermWeight(weight)) return -1;
    const postings = weight.postings(segment);
    if (postings === undefined) continue;
    terms.push({ postings, bits: weight.dense(segment)?.bits });
    most = Math.max(most, postings.docFreq);
    all += postings.docFreq;
  }
  const { accept, maxDoc } = segment;
  // Of the most frequent term's documents at most `maxDoc` minus the accepted ones are deleted or
  // nested.
  const least = accept === undefined || most <= limit ? most : most - maxDoc + popCount(accept);
  if (least > limit) return least;
  return all < FEW_DOCS ? -1 : countAny(terms, segment, limit);
}

// ------------------------------------------------------------------------------------------ cursors

/** The cursor of any shape: required and optional clauses, then exclusions around them. */
function composeScorer(clauses: Clauses, segment: SegmentContext): Scorer | undefined {
  const included = includedScorer(clauses, segment);
  if (included === undefined) return undefined;
  const excluded = clauses.mustNot.flatMap((weight) => weight.scorer(segment) ?? []);
  if (excluded.length === 0) return included;
  const [first] = excluded;
  return new ExclusionScorer(
    included,
    excluded.length === 1 && first !== undefined ? first : new DisjunctionScorer(excluded, 1),
  );
}

/**
 * The cursor of all clauses but `must_not`; `undefined` if the segment lacks a required clause, or
 * has too few of the optional ones.
 */
function includedScorer(
  { must, filter, should, minimum }: Clauses,
  segment: SegmentContext,
): Scorer | undefined {
  const required: Scorer[] = [];
  const scoring: Scorer[] = [];
  for (const weight of must) {
    const scorer = weight.scorer(segment);
    if (scorer === undefined) return undefined;
    required.push(scorer);
    scoring.push(scorer);
  }
  for (const weight of filter) {
    const scorer = weight.scorer(segment);
    if (scorer === undefined) return undefined;
    required.push(new UnscoredScorer(scorer));
  }
  const optional = should.flatMap((weight) => weight.scorer(segment) ?? []);
  if (optional.length < minimum) return undefined;
  if (required.length === 0) {
    // A query of exclusions alone starts from every document.
    if (should.length === 0) return new AllScorer(segment.maxDoc, 0);
    return optional.length === 0 ? undefined : disjunction(optional, Math.max(1, minimum));
  }
  if (minimum > 0) {
    // A minimum makes the optional clauses, together, one more required clause.
    const any = disjunction(optional, minimum);
    return new ConjunctionScorer([...required, any], [...scoring, any]);
  }
  const [single] = required;
  const both =
    required.length === 1 && single !== undefined
      ? single
      : new ConjunctionScorer(required, scoring);
  // Without a minimum they only add to the score.
  return optional.length === 0 ? both : new OptionalScorer(both, disjunction(optional, 1));
}

/** A disjunction of one clause is the clause. */
function disjunction(scorers: readonly Scorer[], minimum: number): Scorer {
  const [only] = scorers;
  return scorers.length === 1 && only !== undefined
    ? only
    : new DisjunctionScorer(scorers, minimum);
}
