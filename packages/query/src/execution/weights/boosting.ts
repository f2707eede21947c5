/**
 * `boosting` queries: the documents of a positive query, those that a negative query matches, too,
 * with a lower score. Source: Lucene's `FunctionScoreQuery.boostByQuery`, which OpenSearch uses.
 */
import type { Plan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher } from "../../language/searcher.ts";
import { UnscoredScorer } from "./combine.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/** The two queries; `negativeBoost` multiplies the scores of documents that match both. */
export interface Boosting {
  readonly positive: Plan;
  readonly negative: Plan;
  readonly negativeBoost: number;
}

/**
 * The plan of a `boosting` query. Terms of the negative query take no part in statistics and
 * highlighting.
 */
export function boostingPlan(boosting: Boosting): Plan {
  const { positive, negative } = boosting;
  return {
    kind: "own",
    description: "boosting",
    inner: [positive, negative],
    scored: [positive],
    weight: (searcher, prepare) => boostingWeight(boosting, searcher, prepare),
  };
}

function boostingWeight(plan: Boosting, searcher: Searcher, prepare: Prepare): Weight {
  const positive = prepare.weightOf(plan.positive, searcher, prepare);
  const negative = prepare.weightOf(plan.negative, searcher, { ...prepare, needsScores: false });
  const factor = Math.fround(plan.negativeBoost);
  return {
    constantScore: undefined,
    scorer: (segment) => {
      const inner = positive.scorer(segment);
      const demoting = negative.scorer(segment);
      if (inner === undefined || demoting === undefined) return inner;
      return new BoostingScorer(inner, new UnscoredScorer(demoting), factor);
    },
  };
}

/**
 * The candidates of the positive query. The negative one advances only to documents that are
 * scored. Its bound accounts for a factor above 1.
 */
class BoostingScorer implements Scorer {
  readonly cost: number;
  readonly maxScore: number;
  private readonly inner: Scorer;
  private readonly demoting: Scorer;
  private readonly factor: number;

  constructor(inner: Scorer, demoting: Scorer, factor: number) {
    this.inner = inner;
    this.demoting = demoting;
    this.factor = factor;
    this.cost = inner.cost;
    this.maxScore = inner.maxScore * Math.max(1, factor);
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
    const doc = this.inner.doc();
    const { demoting } = this;
    const at = demoting.doc() < doc ? demoting.advance(doc) : demoting.doc();
    const score = this.inner.score();
    return at === doc && demoting.matches() ? Math.fround(score * this.factor) : score;
  }
}
