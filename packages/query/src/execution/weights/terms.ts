/** Constant-score sets of terms: listed terms, patterns, ranges. By ordinals where a column has them, else by postings. */
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

/** A keyword field that is not indexed can still be searched by its column. */
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

/** One keyword: its postings, in order, without a bit set. */
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
  return setWeight(plan.boost, (segment) => knownOr(plan, segment));
}

export function termPatternWeight(plan: TermPatternPlan): Weight {
  return setWeight(plan.boost, (segment) => knownOr(plan, segment));
}

type SomeTermsPlan = TermPatternPlan | TermRangePlan;

/** Sets that were made before their weight asked for them. */
const expanded = new WeakMap<SomeTermsPlan, Map<SegmentContext, SegmentSet | undefined>>();

function knownOr(plan: SomeTermsPlan, segment: SegmentContext): SegmentSet | undefined {
  const known = expanded.get(plan);
  if (known?.has(segment) === true) return known.get(segment);
  return allSteps(setSteps(plan, segment, { isTurnOver: undefined }));
}

/** Of a term that is looked at. */
const TERM_STEPS = 20;

function countTerms(plan: SomeTermsPlan, segment: SegmentContext): number {
  const dictionary = dictionaryOf(plan, segment);
  if (dictionary === undefined) return 0;
  const { from, to } = rangeOf(plan, dictionary);
  return Math.max(1, to - from);
}

/** So many terms are looked at in one go. */
const MANY_TERMS = 10_000;

/** The clauses of a query that stand for some of a dictionary's terms. */
export function patternsOf(plan: Plan): readonly SomeTermsPlan[] {
  const patterns: SomeTermsPlan[] = [];
  const waiting = [plan];
  for (let one = waiting.pop(); one !== undefined; one = waiting.pop()) {
    if (one.kind === "term-pattern" || one.kind === "term-range") patterns.push(one);
    for (const inner of innerPlans(one)) waiting.push(inner);
  }
  return patterns;
}

/** Makes the sets of clauses that have many terms together, in steps: a weight has none. */
export function* expandPatterns(
  patterns: readonly SomeTermsPlan[],
  segment: SegmentContext,
  options: Resting,
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

type Resting = Pick<SearchOptions, "isTurnOver" | "checkCancelled" | "budget">;

/** Opening the postings of a term costs as much as looking at so many documents of a column. */
const TERM_DOCS = 32;

/** Terms between two looks at the clock. */
const TERMS_A_LOOK = 256;

function setSteps(
  plan: SomeTermsPlan,
  segment: SegmentContext,
  options: Resting,
): Generator<undefined, SegmentSet | undefined> {
  return plan.kind === "term-pattern" && plan.matches !== undefined
    ? patternSteps(plan, plan.matches, segment, options)
    : rangeSteps(plan, segment, options);
}

/** All terms of a pattern's range may match it. */
function rangeOf(
  plan: SomeTermsPlan,
  dictionary: TermDictionary,
): { readonly from: number; readonly to: number } {
  return plan.kind === "term-range"
    ? termRange(dictionary, plan)
    : dictionary.prefixRange(plan.prefix);
}

function* rangeSteps(
  plan: SomeTermsPlan,
  { reader, maxDoc, budget }: SegmentContext,
  options: Resting,
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
  const range = dictionary === terms ? { from, to } : rangeOf(plan, terms);
  const words = emptyWords(maxDoc);
  let left = terms.stats.docCount;
  let postings: Postings | undefined;
  for (let ord = range.from; ord < range.to && left > 0; ord += 1) {
    if ((ord - range.from) % TERMS_A_LOOK === TERMS_A_LOOK - 1) {
      budget.step(TERMS_A_LOOK * TERM_STEPS);
      yield* restOf(options);
    }
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

function* patternSteps(
  plan: TermPatternPlan,
  matches: (term: string) => boolean,
  segment: SegmentContext,
  options: Resting,
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

/** Returns how many documents are new. */
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
