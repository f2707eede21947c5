/**
 * `dis_max` and the fields of `multi_match`: the best score of several plans, plus a share of the
 * others'. Source: Lucene's `DisjunctionMaxQuery`.
 */
import type { DisMaxPlan } from "../../language/plan.ts";
import type { Searcher } from "../../language/searcher.ts";
import { DisMaxScorer } from "./combine.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

/**
 * The weight of a `dis-max` plan. In a segment where only one inner plan has a match, that plan's
 * cursor is used alone.
 */
export function disMaxWeight(plan: DisMaxPlan, searcher: Searcher, prepare: Prepare): Weight {
  const weights = plan.plans.map((inner) => prepare.weightOf(inner, searcher, prepare));
  return {
    constantScore: undefined,
    scorer: (segment) => {
      const scorers = weights.flatMap((weight) => weight.scorer(segment) ?? []);
      const [only] = scorers;
      if (scorers.length <= 1) return only;
      return new DisMaxScorer(scorers, plan.tieBreaker);
    },
  };
}
