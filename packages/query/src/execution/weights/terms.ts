/**
 * Sets of terms whose hits all score alike: listed terms, patterns, ranges. Lucene's
 * `TermInSetQuery` and `MultiTermQuery` with constant scores. Few terms are read from their
 * postings; many, or those of a field that is not indexed, are tested by their ordinals in the
 * column. Dictionaries may hold millions of terms, so patterns and ranges are expanded in steps
 * that can yield the turn (`expandPatterns`).
 */
import type { Postings, SegmentReader, TermDictionary, Terms } from "@orrery/segment";
import type { SearchOptions } from "../../language/view.ts";
import {
  innerPlans,
  type Plan,
  type TermPatternPlan,
  type TermRangePlan,
  type TermSetPlan,
} from "../../language/plan.ts";
import { emptyWords } from "../bits.ts";
import { termRange } from "../searcher.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import { allSteps, restOf } from "../../work/steps.ts";
import { ordinalBitsSet, ordinalRangeSet } from "./columns.ts";
import { scorerFilter } from "./filters.ts";
import { setWeight, type SegmentSet } from "./sets.ts";
import { acceptFilters, countOf, TermScorer, TermSource } from "./term.ts";
import type { Weight } from "../../language/weight.ts";
import { ConstantScorer } from "./constant.ts";

/**
 * The weight of a `term-set` plan. A single term uses its postings, several are joined to a set of
 * documents.
 */
export function termSetWeight(plan: TermSetPlan, searcher: Searcher): Weight {
  const [first] = plan.terms;
  if (plan.terms.length === 1 && first !== undefined)
    return singleTermWeight(plan, first, searcher);
  return setWeight(plan.boost, ({ reader, maxDoc }) => {
    const terms = reader.terms(plan.field);
    if (terms === undefined) return columnTerms(plan, reader);
    const words = emptyWords(maxDoc);
    let isEmpty = true;
    for (const term of plan.terms) {
      const ord = terms.find(term);
      if (ord < 0) continue;
      isEmpty = false;
      addPostings(terms, ord, words);
    }
    return isEmpty ? undefined : { kind: "bits", words };
  });
}

/**
 * The documents with one of the terms in the column, for keyword fields with doc values and without
 * an index.
 */
function columnTerms(plan: TermSetPlan, reader: SegmentReader): SegmentSet | undefined {
  const column = reader.ordinals(plan.field);
  if (column === undefined) return undefined;
  const wanted = new Uint8Array(column.dictionary.size);
  for (const term of plan.terms) {
    const ord = column.dictionary.find(term);
    if (ord >= 0) wanted[ord] = 1;
  }
  return ordinalBitsSet(column, wanted);
}

/**
 * A single term with a constant score: its postings are the set, in order, and no bits are built.
 */
function singleTermWeight(plan: TermSetPlan, term: Uint8Array, searcher: Searcher): Weight {
  const { field } = plan;
  const { ords } = searcher.term(field, term);
  const score = Math.fround(plan.boost);
  const isColumnOnly = ({ reader }: SegmentContext): boolean =>
    reader.terms(field) === undefined && reader.ordinals(field) !== undefined;
  const byColumn = setWeight(plan.boost, ({ reader }) => columnTerms(plan, reader));
  const scorer = (segment: SegmentContext): TermScorer | undefined => {
    const ord = ords[segment.ord] as number;
    if (ord < 0) return undefined;
    const postings = segment.reader.terms(field)?.postings(ord);
    return postings && new TermScorer(postings, searcher.scorer(field, 0, 0), undefined);
  };
  return {
    constantScore: score,
    scorer: (segment) => {
      if (isColumnOnly(segment)) return byColumn.scorer(segment);
      const inner = scorer(segment);
      return inner && new ConstantScorer(inner, score);
    },
    source: (segment, needsScores) => {
      if (isColumnOnly(segment)) return byColumn.source?.(segment, needsScores);
      const inner = scorer(segment);
      if (inner === undefined) return undefined;
      return new TermSource(inner.postings, {
        bm25: undefined,
        norms: undefined,
        filters: acceptFilters(segment),
        score,
      });
    },
    filter: (segment) => {
      // A dense column tests a document with one comparison, without decoding a block of postings.
      const column = segment.reader.ordinals(field);
      if (column !== undefined && column.isDense) {
        const ord = column.dictionary.find(term);
        if (ord < 0) return undefined;
        const set = ordinalRangeSet(column, ord, ord + 1, undefined);
        return set.kind === "test" ? set.filter : undefined;
      }
      const inner = scorer(segment);
      return inner && scorerFilter(inner);
    },
    count: (segment) => {
      if (isColumnOnly(segment)) return byColumn.count?.(segment) ?? -1;
      const ord = ords[segment.ord] as number;
      return ord < 0 ? 0 : countOf(segment, segment.reader.terms(field)?.docFreq(ord) ?? 0);
    },
  };
}

export function termRangeWeight(plan: TermRangePlan): Weight {
  return setWeight(plan.boost, (segment) => expandedSet(plan, segment));
}

export function termPatternWeight(plan: TermPatternPlan): Weight {
  return setWeight(plan.boost, (segment) => expandedSet(plan, segment));
}

/** Plans that stand for a part of a dictionary. */
type SomeTermsPlan = TermPatternPlan | TermRangePlan;

/**
 * Sets that `expandPatterns` built before their weights ask for them. Keys are weak: a set ends
 * with the plan of its request.
 */
const expanded = new WeakMap<SomeTermsPlan, Map<SegmentContext, SegmentSet | undefined>>();

/** The set of a plan in a segment: the one expanded before, or else built here without rests. */
function expandedSet(plan: SomeTermsPlan, segment: SegmentContext): SegmentSet | undefined {
  const known = expanded.get(plan);
  if (known?.has(segment) === true) return known.get(segment);
  return allSteps(setSteps(plan, segment, { isTurnOver: undefined }));
}

/** Steps of the budget for testing one term. */
const TERM_STEPS = 20;

/** Number of terms that the plan examines in a segment; 0 if the segment lacks the field. */
function countTerms(plan: SomeTermsPlan, segment: SegmentContext): number {
  const dictionary = dictionaryOf(plan, segment);
  if (dictionary === undefined) return 0;
  const { from, to } = rangeOf(plan, dictionary);
  return Math.max(1, to - from);
}

/** Terms that are expanded without rests. */
const MANY_TERMS = 10_000;

/**
 * The plan's clauses that stand for a part of a dictionary, at any depth. A stack of its own
 * replaces recursion, since plans may be nested deeply.
 */
export function patternsOf(plan: Plan): readonly SomeTermsPlan[] {
  const patterns: SomeTermsPlan[] = [];
  const waiting = [plan];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one.kind === "term-pattern" || one.kind === "term-range") patterns.push(one);
    for (const inner of innerPlans(one)) waiting.push(inner);
  }
  return patterns;
}

/**
 * Builds the sets of clauses in steps, once they have more than `MANY_TERMS` terms together:
 * weights are synchronous and cannot rest. The first clauses, below that number, are left to their
 * weights.
 */
export function* expandPatterns(
  patterns: readonly SomeTermsPlan[],
  segment: SegmentContext,
  options: StepOptions,
): Generator<undefined, void> {
  let terms = 0;
  for (const one of patterns) {
    const own = countTerms(one, segment);
    if (own === 0) continue;
    terms += own;
    if (terms <= MANY_TERMS) continue;
    const known = expanded.get(one) ?? new Map<SegmentContext, SegmentSet | undefined>();
    expanded.set(one, known);
    known.set(segment, yield* setSteps(one, segment, options));
  }
}

/** The options for yielding, for cancellation, and for the budget. */
type StepOptions = Pick<SearchOptions, "isTurnOver" | "checkCancelled" | "budget">;

/** Opening the postings of a term costs as much as testing this many documents of a column. */
const TERM_DOCS = 32;

/** Terms between two looks at the clock. */
const TERMS_A_LOOK = 256;

/**
 * Expands a plan: by its range of ordinals if the prefix alone decides, else by testing each term.
 */
function setSteps(
  plan: SomeTermsPlan,
  segment: SegmentContext,
  options: StepOptions,
): Generator<undefined, SegmentSet | undefined> {
  return plan.kind === "term-pattern" && plan.matches !== undefined
    ? patternSteps(plan, plan.matches, segment, options)
    : rangeSteps(plan, segment, options);
}

/** Ordinals [from, to) among which all terms of the plan lie. */
function rangeOf(
  plan: SomeTermsPlan,
  dictionary: TermDictionary,
): { readonly from: number; readonly to: number } {
  return plan.kind === "term-range"
    ? termRange(dictionary, plan)
    : dictionary.prefixRange(plan.prefix);
}

/**
 * The set of a range of terms, every one of which matches. The column tests documents where there
 * are many terms or no index; else postings are collected into bits.
 */
function* rangeSteps(
  plan: SomeTermsPlan,
  { reader, maxDoc, budget }: SegmentContext,
  options: StepOptions,
): Generator<undefined, SegmentSet | undefined> {
  const terms = reader.terms(plan.field);
  const column = reader.ordinals(plan.field);
  const dictionary = column?.dictionary ?? terms;
  if (dictionary === undefined) return undefined;
  const { from, to } = rangeOf(plan, dictionary);
  if (from >= to) return undefined;
  if (column !== undefined && (terms === undefined || (to - from) * TERM_DOCS > maxDoc)) {
    if (to - from === dictionary.size && column.docCount === maxDoc) return { kind: "all" };
    return ordinalRangeSet(column, from, to, undefined);
  }
  if (terms === undefined) return undefined;
  // The dictionary of the column may have other ordinals than that of the index.
  const range = dictionary === terms ? { from, to } : rangeOf(plan, terms);
  const words = emptyWords(maxDoc);
  // Documents with the field that are not in the set yet: at 0 the remaining terms cannot add any.
  let left = terms.stats.docCount;
  let postings: Postings | undefined;
  for (let ord = range.from; ord < range.to && left > 0; ord += 1) {
    if ((ord - range.from) % TERMS_A_LOOK === TERMS_A_LOOK - 1) {
      budget.step(TERMS_A_LOOK * TERM_STEPS);
      yield* restOf(options);
    }
    // The postings object is reused for the next term.
    postings = terms.postings(ord, postings);
    left -= addDocs(postings, words);
  }
  return { kind: "bits", words };
}

function dictionaryOf(
  { field }: SomeTermsPlan,
  { reader }: SegmentContext,
): TermDictionary | undefined {
  return reader.terms(field) ?? reader.ordinals(field)?.dictionary;
}

/**
 * The set of the terms that match a pattern. Terms are tested in dictionary order, as bytes if the
 * pattern can read those: decoding a string for each term costs more than the test.
 */
function* patternSteps(
  plan: TermPatternPlan,
  matches: (term: string) => boolean,
  segment: SegmentContext,
  options: StepOptions,
): Generator<undefined, SegmentSet | undefined> {
  const { reader, maxDoc, budget } = segment;
  const { matchesUtf8 } = plan;
  const terms = reader.terms(plan.field);
  const column = terms === undefined ? reader.ordinals(plan.field) : undefined;
  const dictionary = terms ?? column?.dictionary;
  if (dictionary === undefined) return undefined;
  const { from, to } = dictionary.prefixRange(plan.prefix);
  const words = emptyWords(maxDoc);
  const wanted = column === undefined ? undefined : new Uint8Array(dictionary.size);
  let isEmpty = true;
  const cursor = dictionary.cursor(from);
  for (let seen = 1; cursor.next() && cursor.ord < to; seen += 1) {
    if (seen % TERMS_A_LOOK === 0) {
      budget.step(TERMS_A_LOOK * TERM_STEPS);
      yield* restOf(options);
    }
    const isMatch =
      matchesUtf8 === undefined ? matches(cursor.text()) : matchesUtf8(cursor.bytes, cursor.length);
    if (!isMatch) continue;
    isEmpty = false;
    if (wanted === undefined) addPostings(terms as Terms, cursor.ord, words);
    else wanted[cursor.ord] = 1;
  }
  if (isEmpty) return undefined;
  return column === undefined || wanted === undefined
    ? { kind: "bits", words }
    : ordinalBitsSet(column, wanted);
}

/** Adds the documents of a term to a bit set; returns how many were not in it. */
export function addPostings(terms: Terms, ord: number, words: Int32Array): number {
  return addDocs(terms.postings(ord), words);
}

function addDocs(postings: Postings, words: Int32Array): number {
  let added = 0;
  for (let count = postings.nextBlock(false); count > 0; count = postings.nextBlock(false)) {
    const { docs } = postings;
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      const word = words[doc >> 5] as number;
      const bit = 1 << (doc & 31);
      if ((word & bit) === 0) added += 1;
      words[doc >> 5] = word | bit;
    }
  }
  return added;
}
