/**
 * Phrases: terms at given distances, exactly or within a slop, scored by BM25 with the sum of the
 * terms' idfs. Source: Lucene's `PhraseQuery` and `MultiPhraseQuery`. Three executions find the
 * same documents:
 *
 * - `SignedPhraseSource`: exact, one term at each place, and the frequent terms have signatures;
 * - `PhraseSource`: exact, one term at each place;
 * - `PhraseScorer`, here: any phrase, one document at a time.
 */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings, type Terms } from "@orrery/segment";
import type { Budget } from "../../work/budget.ts";
import type { PhrasePlan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import {
  DocumentWork,
  exactFrequency,
  loadPositions,
  type PhrasePart,
  type PhraseWords,
} from "./phrase-match.ts";
import { PhraseSource } from "./phrase-source.ts";
import { signaturesOf } from "./position-signatures.ts";
import { SignedPhraseSource, type SignedPhrase, type SignedTerm } from "./signed-phrase-source.ts";
import { repeatGroups, sloppyFrequency, type RepeatGroup } from "./sloppy-match.ts";
import { acceptFilters } from "./term.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/** The weight of a phrase. A prefix at the last position is expanded once, for all segments. */
export function phraseWeight(plan: PhrasePlan, searcher: Searcher, prepare: Prepare): Weight {
  const parts = expand(plan, searcher);
  let idf = 0;
  if (prepare.needsScores) {
    for (const { terms } of parts) {
      for (const term of terms) {
        const { docFreq } = searcher.term(plan.field, term);
        // Terms that occur nowhere add nothing, as in `MultiPhraseQuery`.
        if (docFreq > 0) idf += searcher.idf(plan.field, docFreq);
      }
    }
  }
  const bm25 = searcher.scorer(plan.field, Math.fround(idf), plan.boost);
  return {
    constantScore: undefined,
    scorer: (segment) => phraseScorer(plan, parts, { segment, bm25, budget: searcher.budget }),
    source: (segment, needsScores) => {
      if (plan.slop > 0) return undefined;
      const terms = segment.reader.terms(plan.field);
      const places = terms && placesOf(terms, parts);
      if (terms === undefined || places === undefined || !isPlain(places)) return undefined;
      const options = {
        bm25,
        norms: segment.reader.norms(plan.field),
        filters: acceptFilters(segment),
        needsScores,
      };
      const signed = signedPhrase(terms, places, segment);
      if (signed !== undefined) return new SignedPhraseSource(signed, options);
      return new PhraseSource(
        places.map(({ position, ords }) => ({
          place: position,
          postings: terms.postings(ords[0] as number),
        })),
        options,
      );
    },
  };
}

/**
 * Highest number of places of one term for which each place has a decoded block of its own; the
 * cursor shares the positions of equal terms instead.
 */
const MOST_REPEATS = 3;

/** Whether each place has one term, and no term has more places than `MOST_REPEATS`. */
function isPlain(places: readonly Place[]): boolean {
  const counts = new Map<number, number>();
  for (const { ords } of places) {
    const [ord = -1] = ords;
    const count = (counts.get(ord) ?? 0) + 1;
    if (ords.length > 1 || count > MOST_REPEATS) return false;
    counts.set(ord, count);
  }
  return true;
}

/**
 * The phrase with the signatures of its terms; `undefined` unless all terms but the rarest have
 * them. The rarest leads and is decoded anyway.
 */
function signedPhrase(
  terms: Terms,
  places: readonly Place[],
  { reader, budget }: SegmentContext,
): SignedPhrase | undefined {
  if (places.length === 1) return undefined;
  const ordOf = ({ ords }: Place): number => ords[0] as number;
  const [rarest, ...others] = places.toSorted(
    (a, b) => terms.docFreq(ordOf(a)) - terms.docFreq(ordOf(b)),
  ) as [Place, ...Place[]];
  const signed: SignedTerm[] = [];
  for (const place of others) {
    const signatures = signaturesOf(reader, terms, ordOf(place));
    if (signatures === undefined) return undefined;
    signed.push({ place: place.position, signatures });
  }
  const own = signaturesOf(reader, terms, ordOf(rarest));
  if (own !== undefined) signed.push({ place: rarest.position, signatures: own });
  return {
    lead: terms.postings(ordOf(rarest)),
    signed,
    parts: openParts(terms, places),
    work: new DocumentWork(budget),
  };
}

/** Terms at positions; alternatives share one. */
type Parts = readonly { readonly position: number; readonly terms: readonly Uint8Array[] }[];

/** Steps of the budget for a term of a prefix: it is copied, and looked up in each segment. */
const EXPANSION_STEPS = 100;

/**
 * Replaces the prefix at the last position by at most `prefixExpansions` terms of the index: the
 * first ones in byte order of each segment, segments in order.
 */
function expand(plan: PhrasePlan, searcher: Searcher): Parts {
  const limit = plan.prefixExpansions;
  const last = plan.positions.at(-1);
  if (limit === undefined || last === undefined) return plan.positions;
  const found = new Map<string, Uint8Array>();
  for (const { reader } of searcher.segments) {
    const terms = reader.terms(plan.field);
    for (const prefix of terms === undefined ? [] : last.terms) {
      const { from, to } = (terms as Terms).prefixRange(prefix);
      for (let ord = from; ord < to && found.size < limit; ord += 1) {
        const term = (terms as Terms).term(ord);
        found.set(term.join(), term);
        searcher.budget.step(EXPANSION_STEPS);
      }
    }
  }
  return [...plan.positions.slice(0, -1), { position: last.position, terms: [...found.values()] }];
}

/** A segment with the scorer of the whole shard. */
interface Opened {
  readonly segment: SegmentContext;
  readonly bm25: Bm25Scorer;
  readonly budget: Budget;
}

/** A cursor over the phrase's candidates; `undefined`: the segment lacks the terms of a place. */
function phraseScorer(
  plan: PhrasePlan,
  parts: Parts,
  { segment, bm25, budget }: Opened,
): Scorer | undefined {
  const terms = segment.reader.terms(plan.field);
  const places = terms && placesOf(terms, parts);
  if (terms === undefined || places === undefined) return undefined;
  const norms = segment.reader.norms(plan.field);
  return new PhraseScorer(openParts(terms, places), { bm25, norms, slop: plan.slop, budget });
}

/** A place of the phrase in one segment, with the ordinals of its terms there. */
interface Place {
  readonly position: number;
  readonly ords: readonly number[];
}

/** The places of the phrase; `undefined` if the segment has no term for one of them. */
function placesOf(terms: Terms, parts: Parts): readonly Place[] | undefined {
  const places: Place[] = [];
  for (const { position, terms: wanted } of parts) {
    const ords = wanted.map((term) => terms.find(term)).filter((ord) => ord >= 0);
    if (ords.length === 0) return undefined;
    places.push({ position, ords });
  }
  return places.length === 0 ? undefined : places;
}

/**
 * Opens postings for each place. Places with equal terms share postings and positions: they are at
 * the same document at any time, and its positions are decoded once.
 */
function openParts(terms: Terms, places: readonly Place[]): PhrasePart[] {
  const opened = new Map<string, PhraseWords>();
  return places.map(({ position, ords }) => {
    const key = ords.join();
    let words = opened.get(key);
    if (words === undefined) {
      const postings = ords.map((ord) => terms.postings(ord));
      words = { postings, ords, positions: new Int32Array(16), count: 0 };
      opened.set(key, words);
    }
    return { position, words };
  });
}

interface PhraseOptions {
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly slop: number;
  readonly budget: Budget;
}

/** Positions compared in the time in which one is decoded. */
const COMPARED_A_LOAD = 4;

/**
 * Candidates are documents that have a term of each place; `matches` reads their positions and
 * computes the frequency of the phrase, which `score` uses. Phrases have no bound on scores.
 */
class PhraseScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly parts: readonly PhrasePart[];
  /** Parts that share a term; needed only with slop, where one word must not serve two parts. */
  private readonly groups: readonly RepeatGroup[];
  /** Distinct words by rising frequency: the rarest proposes documents. */
  private readonly order: readonly PhraseWords[];
  /** The postings of `order` if each has one term; the general loop is skipped then. */
  private readonly single: readonly Postings[] | undefined;
  private readonly options: PhraseOptions;
  private readonly work: DocumentWork;
  private at = -1;
  /**
   * Document that `frequency` belongs to. `matches` may be called again for it, and `score`
   * follows.
   */
  private checked = -1;
  /** Frequency of the phrase in it, a fraction with slop; 0: no match. */
  private frequency = 0;

  constructor(parts: readonly PhrasePart[], options: PhraseOptions) {
    this.parts = parts;
    this.groups = options.slop === 0 ? [] : repeatGroups(parts);
    this.options = options;
    this.work = new DocumentWork(options.budget);
    const words = new Set(parts.map((part) => part.words));
    this.order = [...words].toSorted((a, b) => costOf(a) - costOf(b));
    this.single = this.order.every(({ postings }) => postings.length === 1)
      ? this.order.map(({ postings }) => postings[0] as Postings)
      : undefined;
    this.cost = costOf(this.order[0] as PhraseWords);
    this.maxScore = Infinity;
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    if (this.single !== undefined) return (this.at = meet(this.single, target));
    let doc = target;
    const { order } = this;
    outer: for (;;) {
      for (const words of order) {
        const at = advanceWords(words, doc);
        if (at === NO_MORE_DOCS) return (this.at = NO_MORE_DOCS);
        if (at === doc) continue;
        doc = at;
        continue outer;
      }
      return (this.at = doc);
    }
  }
  matches(): boolean {
    if (this.checked !== this.at) {
      this.checked = this.at;
      const { slop } = this.options;
      // Positions of a long document are charged to the budget while they are compared, not after.
      this.work.start();
      for (const words of this.order) {
        loadPositions(words, this.at);
        this.work.compare(words.postings.length + words.count * COMPARED_A_LOAD);
      }
      this.frequency =
        slop === 0
          ? exactFrequency(this.parts, this.work)
          : sloppyFrequency(this.parts, { groups: this.groups, slop, work: this.work });
    }
    return this.frequency > 0;
  }
  score(): number {
    const { bm25, norms } = this.options;
    return bm25.score(this.frequency, norms === undefined ? 1 : (norms[this.at] as number));
  }
}

/** Documents of all terms of a place. */
function costOf(words: PhraseWords): number {
  return words.postings.reduce((sum, postings) => sum + postings.docFreq, 0);
}

/**
 * The first document at or after `target` that all postings have, by leapfrog: after each
 * disagreement the loop restarts at the second one, with the lead's new document.
 */
function meet(all: readonly Postings[], target: number): number {
  const lead = all[0] as Postings;
  let doc = lead.docId() < target ? lead.advance(target) : lead.docId();
  for (let i = 1; i < all.length && doc !== NO_MORE_DOCS; i += 1) {
    const other = all[i] as Postings;
    const at = other.docId() < doc ? other.advance(doc) : other.docId();
    if (at === doc) continue;
    doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : lead.advance(at);
    i = 0;
  }
  return doc;
}

/** The first document at or after `target` with one of the terms of a place. */
function advanceWords(words: PhraseWords, target: number): number {
  let first = NO_MORE_DOCS;
  for (const postings of words.postings) {
    const doc = postings.docId() < target ? postings.advance(target) : postings.docId();
    if (doc < first) first = doc;
  }
  return first;
}
