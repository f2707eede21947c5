/**
 * `terms_set`: documents that match a number of clauses which each document states itself, in a
 * field or by a script. Source: Lucene's `CoveringQuery`.
 */
import { NO_MORE_DOCS } from "@orrery/segment";
import type { Plan } from "../../language/plan.ts";
import type { Scorer } from "../../language/scorer.ts";
import type { Searcher, SegmentContext } from "../../language/searcher.ts";
import type { Prepare, Weight } from "../../language/weight.ts";
import type { Budget } from "../../work/budget.ts";

/**
 * Opens a segment; the function returned gives the number of clauses that a document must match.
 * Fractions are truncated, and less than 1 counts as 1.
 */
export type RequiredMatches = (segment: SegmentContext) => (doc: number) => number;

/** The clauses, and the number of them that a document must match. */
export interface Covering {
  readonly plans: readonly Plan[];
  readonly required: RequiredMatches;
}

/**
 * The plan of a `terms_set` query; its score is the sum of the scores of the clauses that match.
 */
export function coveringPlan(covering: Covering): Plan {
  const { plans } = covering;
  return {
    kind: "own",
    description: "terms_set",
    inner: plans,
    scored: plans,
    weight: (searcher, prepare) => coveringWeight(covering, searcher, prepare),
  };
}

function coveringWeight(
  { plans, required }: Covering,
  searcher: Searcher,
  prepare: Prepare,
): Weight {
  const weights = plans.map((plan) => prepare.weightOf(plan, searcher, prepare));
  return {
    constantScore: undefined,
    scorer: (segment) => {
      const scorers = weights.flatMap((weight) => weight.scorer(segment) ?? []);
      if (scorers.length === 0) return undefined;
      return new CoveringScorer(scorers, required(segment), segment.budget);
    },
  };
}

/**
 * A disjunction whose minimum is looked up for each document. `advance` charges the budget for each
 * clause, since a query may have many.
 */
class CoveringScorer implements Scorer {
  readonly cost: number;
  readonly maxScore = Infinity;
  private readonly scorers: readonly Scorer[];
  private readonly required: (doc: number) => number;
  private readonly budget: Budget;
  private now = -1;

  constructor(scorers: readonly Scorer[], required: (doc: number) => number, budget: Budget) {
    this.scorers = scorers;
    this.required = required;
    this.budget = budget;
    this.cost = scorers.reduce((sum, { cost }) => sum + cost, 0);
  }

  doc(): number {
    return this.now;
  }

  next(): number {
    return this.advance(this.now + 1);
  }

  advance(target: number): number {
    let least = NO_MORE_DOCS;
    this.budget.step(this.scorers.length);
    for (const scorer of this.scorers) {
      const doc = scorer.doc() < target ? scorer.advance(target) : scorer.doc();
      if (doc < least) least = doc;
    }
    this.now = least;
    return least;
  }

  matches(): boolean {
    const required = Math.max(1, Math.trunc(this.required(this.now)) || 0);
    let found = 0;
    for (const scorer of this.scorers) {
      if (scorer.doc() === this.now && scorer.matches()) found += 1;
      if (found >= required) return true;
    }
    return false;
  }

  score(): number {
    let sum = 0;
    for (const scorer of this.scorers)
      if (scorer.doc() === this.now && scorer.matches()) sum += scorer.score();
    return Math.fround(sum);
  }
}
