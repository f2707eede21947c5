/**
 * Cursors composed of cursors: conjunction, disjunction, maximum, exclusion, optional clause. They
 * run every combination of clauses that has no batch source. Scores of clauses are floats and are
 * added in doubles, then rounded to a float once, as Lucene's `ConjunctionScorer` and
 * `DisjunctionSumScorer` do; another order of rounding gives other bits.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { Scorer } from "../../language/scorer.ts";

/**
 * Documents that every clause of `all` has. Only the clauses of `scoring`, a subset, add to the
 * score.
 */
export class ConjunctionScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly all: readonly Scorer[];
  private readonly scoring: readonly Scorer[];
  private at = -1;

  constructor(all: readonly Scorer[], scoring: readonly Scorer[]) {
    // The cheapest clause leads: it proposes documents, and the others advance to them (leapfrog).
    // `scoring` keeps the query's order, in which scores are added.
    this.all = all.toSorted((a, b) => a.cost - b.cost);
    this.scoring = scoring;
    this.cost = this.all[0]?.cost ?? 0;
    this.maxScore = scoring.reduce((sum, scorer) => sum + scorer.maxScore, 0);
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    const { all } = this;
    const lead = all[0] as Scorer;
    let doc = lead.doc() < target ? lead.advance(target) : lead.doc();
    outer: while (doc !== NO_MORE_DOCS) {
      for (let i = 1; i < all.length; i += 1) {
        const other = all[i] as Scorer;
        const at = other.doc() < doc ? other.advance(doc) : other.doc();
        if (at === doc) continue;
        // A clause is ahead: the lead follows, and all other clauses are asked again, as one of
        // them may have agreed only on the old document.
        doc = at === NO_MORE_DOCS ? NO_MORE_DOCS : lead.advance(at);
        continue outer;
      }
      break;
    }
    this.at = doc;
    return doc;
  }
  matches(): boolean {
    // Cheap agreement on the document comes first, in `advance`; expensive tests run for documents
    // that all clauses have.
    for (const scorer of this.all) if (!scorer.matches()) return false;
    return true;
  }
  score(): number {
    let sum = 0;
    for (const scorer of this.scoring) sum += scorer.score();
    return Math.fround(sum);
  }
}

/**
 * Documents that at least `minimum` clauses have. Every step moves every clause that lies before
 * the target; there is no heap, which would cost more than this loop for the few clauses of most
 * queries.
 */
export class DisjunctionScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  protected readonly scorers: readonly Scorer[];
  private readonly minimum: number;
  private at = -1;

  constructor(scorers: readonly Scorer[], minimum: number) {
    this.scorers = scorers;
    this.minimum = minimum;
    this.cost = scorers.reduce((sum, scorer) => sum + scorer.cost, 0);
    this.maxScore = scorers.reduce((sum, scorer) => sum + scorer.maxScore, 0);
  }
  doc(): number {
    return this.at;
  }
  next(): number {
    return this.advance(this.at + 1);
  }
  advance(target: number): number {
    let first = NO_MORE_DOCS;
    const { scorers } = this;
    for (let i = 0; i < scorers.length; i += 1) {
      const scorer = scorers[i] as Scorer;
      // Every clause moves to the target before the least document is chosen; a clause left behind
      // would not be counted in `matches`.
      const doc = scorer.doc() < target ? scorer.advance(target) : scorer.doc();
      if (doc < first) first = doc;
    }
    this.at = first;
    return first;
  }
  matches(): boolean {
    let count = 0;
    for (const scorer of this.scorers) {
      if (scorer.doc() !== this.at || !scorer.matches()) continue;
      count += 1;
      // Further clauses are not tested: `score` tests them again if scores are read.
      if (count >= this.minimum) return true;
    }
    return false;
  }
  score(): number {
    let sum = 0;
    for (const scorer of this.scorers) {
      if (scorer.doc() === this.at && scorer.matches()) sum += scorer.score();
    }
    return Math.fround(sum);
  }
}

/**
 * Documents that any clause has, scored by the best score of the clauses plus `tieBreaker` times
 * the sum of the others. Source: Lucene's `DisjunctionMaxScorer`.
 */
export class DisMaxScorer extends DisjunctionScorer {
  private readonly tieBreaker: number;

  constructor(scorers: readonly Scorer[], tieBreaker: number) {
    super(scorers, 1);
    this.tieBreaker = Math.fround(tieBreaker);
  }
  override score(): number {
    let best = 0;
    let others = 0;
    for (const scorer of this.scorers) {
      if (scorer.doc() !== this.doc() || !scorer.matches()) continue;
      const score = scorer.score();
      if (score >= best) {
        // The former best becomes one of the others; it starts as 0, which adds nothing.
        others += best;
        best = score;
      } else {
        others += score;
      }
    }
    return Math.fround(best + others * this.tieBreaker);
  }
}

/** Documents of `inner` that `excluded` does not match. Source: Lucene's `ReqExclScorer`. */
export class ExclusionScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly inner: Scorer;
  private readonly excluded: Scorer;

  constructor(inner: Scorer, excluded: Scorer) {
    this.inner = inner;
    this.excluded = excluded;
    this.cost = inner.cost;
    this.maxScore = inner.maxScore;
  }
  doc(): number {
    return this.inner.doc();
  }
  next(): number {
    return this.inner.next();
  }
  advance(target: number): number {
    return this.inner.advance(target);
  }
  matches(): boolean {
    const doc = this.inner.doc();
    const { excluded } = this;
    // The exclusion is tested before `inner.matches`, which may compare positions or run a script.
    const at = excluded.doc() < doc ? excluded.advance(doc) : excluded.doc();
    if (at === doc && excluded.matches()) return false;
    return this.inner.matches();
  }
  score(): number {
    return this.inner.score();
  }
}

/**
 * Documents of `required`, scored higher where `optional` matches, too. Both scores are floats and
 * their sum is rounded again. Source: Lucene's `ReqOptSumScorer`.
 */
export class OptionalScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly required: Scorer;
  private readonly optional: Scorer;

  constructor(required: Scorer, optional: Scorer) {
    this.required = required;
    this.optional = optional;
    this.cost = required.cost;
    this.maxScore = required.maxScore + optional.maxScore;
  }
  doc(): number {
    return this.required.doc();
  }
  next(): number {
    return this.required.next();
  }
  advance(target: number): number {
    return this.required.advance(target);
  }
  matches(): boolean {
    return this.required.matches();
  }
  score(): number {
    const doc = this.required.doc();
    const { optional } = this;
    // The optional clause follows the required one lazily, only for documents that are scored.
    const score = this.required.score();
    const at = optional.doc() < doc ? optional.advance(doc) : optional.doc();
    return at === doc && optional.matches() ? Math.fround(score + optional.score()) : score;
  }
}

/**
 * A clause in filter context: its matches with score 0, so that its inner scores are never
 * computed.
 */
export class UnscoredScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = 0;
  private readonly inner: Scorer;

  constructor(inner: Scorer) {
    this.inner = inner;
    this.cost = inner.cost;
  }
  doc(): number {
    return this.inner.doc();
  }
  next(): number {
    return this.inner.next();
  }
  advance(target: number): number {
    return this.inner.advance(target);
  }
  matches(): boolean {
    return this.inner.matches();
  }
  score(): number {
    return 0;
  }
}
