/** Phrases: terms at given distances, exactly or within a slop; scored by BM25 with the sum of the terms' idfs. */
import { NO_MORE_DOCS, type Bm25Scorer, type Postings, type Terms } from "@orrery/segment";
import type { PhrasePlan } from "../plan.ts";
import type { Scorer } from "../scorer.ts";
import type { Searcher, SegmentContext } from "../searcher.ts";
import { exactFrequency, sloppyFrequency, type PhrasePart } from "./phrase-match.ts";
import { PhraseSource } from "./phrase-source.ts";
import { acceptFilters } from "./term.ts";
import type { Prepare, Weight } from "./weight.ts";

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
    scorer: (segment) => phraseScorer(plan, parts, { segment, bm25 }),
    source: (segment, needsScores) => {
      if (plan.slop > 0) return undefined;
      const opened = openParts(plan, parts, segment);
      if (opened?.some(({ postings }) => postings.length > 1) !== false) return undefined;
      return new PhraseSource(
        opened.map(({ position, postings }) => ({
          place: position,
          postings: postings[0] as Postings,
        })),
        {
          bm25,
          norms: segment.reader.norms(plan.field),
          filters: acceptFilters(segment),
          needsScores,
        },
      );
    },
  };
}

type Parts = readonly { readonly position: number; readonly terms: readonly Uint8Array[] }[];

/** The last position's prefix becomes the terms of the index that start with it. */
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
      }
    }
  }
  return [...plan.positions.slice(0, -1), { position: last.position, terms: [...found.values()] }];
}

interface Opened {
  readonly segment: SegmentContext;
  readonly bm25: Bm25Scorer;
}

function phraseScorer(
  plan: PhrasePlan,
  parts: Parts,
  { segment, bm25 }: Opened,
): Scorer | undefined {
  const opened = openParts(plan, parts, segment);
  return (
    opened &&
    new PhraseScorer(opened, { bm25, norms: segment.reader.norms(plan.field), slop: plan.slop })
  );
}

/** `undefined`: a place of the phrase has no term in this segment. */
function openParts(
  plan: PhrasePlan,
  parts: Parts,
  { reader }: SegmentContext,
): PhrasePart[] | undefined {
  const terms = reader.terms(plan.field);
  if (terms === undefined) return undefined;
  const opened: PhrasePart[] = [];
  for (const { position, terms: wanted } of parts) {
    const postings = wanted.flatMap((term) => {
      const ord = terms.find(term);
      return ord < 0 ? [] : [terms.postings(ord)];
    });
    if (postings.length === 0) return undefined;
    opened.push({ position, postings, positions: new Int32Array(16), count: 0 });
  }
  return opened.length === 0 ? undefined : opened;
}

interface PhraseOptions {
  readonly bm25: Bm25Scorer;
  readonly norms: Uint8Array | undefined;
  readonly slop: number;
}

class PhraseScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly parts: PhrasePart[];
  /** By rising frequency. */
  private readonly order: readonly PhrasePart[];
  /** By rising frequency, when no place has alternatives. */
  private readonly single: readonly Postings[] | undefined;
  private readonly options: PhraseOptions;
  private at = -1;
  private checked = -1;
  private frequency = 0;

  constructor(parts: PhrasePart[], options: PhraseOptions) {
    this.parts = parts;
    this.options = options;
    this.order = parts.toSorted((a, b) => costOf(a) - costOf(b));
    this.single = parts.every(({ postings }) => postings.length === 1)
      ? this.order.map(({ postings }) => postings[0] as Postings)
      : undefined;
    this.cost = costOf(this.order[0] as PhrasePart);
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
      for (const part of order) {
        const at = advancePart(part, doc);
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
      for (const part of this.parts) loadPositions(part, this.at);
      this.frequency = slop === 0 ? exactFrequency(this.parts) : sloppyFrequency(this.parts, slop);
    }
    return this.frequency > 0;
  }
  score(): number {
    const { bm25, norms } = this.options;
    return bm25.score(this.frequency, norms === undefined ? 1 : (norms[this.at] as number));
  }
}

function costOf(part: PhrasePart): number {
  return part.postings.reduce((sum, postings) => sum + postings.docFreq, 0);
}

/** The first document at or after `target` that all have. */
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

function advancePart(part: PhrasePart, target: number): number {
  let first = NO_MORE_DOCS;
  for (const postings of part.postings) {
    const doc = postings.docId() < target ? postings.advance(target) : postings.docId();
    if (doc < first) first = doc;
  }
  return first;
}

/** All positions of the part's terms in the document, ascending. */
function loadPositions(part: PhrasePart, doc: number): void {
  part.count = 0;
  let sources = 0;
  for (const postings of part.postings) {
    if (postings.docId() !== doc) continue;
    appendPositions(part, postings);
    sources += 1;
  }
  if (sources > 1) part.positions.subarray(0, part.count).sort();
}

function appendPositions(part: PhrasePart, postings: Postings): void {
  const freq = postings.freq();
  if (part.positions.length < part.count + freq) {
    const larger = new Int32Array((part.count + freq) * 2);
    larger.set(part.positions.subarray(0, part.count));
    part.positions = larger;
  }
  part.count += postings.readPositions(
    part.count === 0 ? part.positions : part.positions.subarray(part.count),
  );
}
