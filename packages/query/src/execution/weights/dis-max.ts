/** The best of several: `dis_max`, `multi_match`. */
import type { DisMaxPlan } from "../../language/plan.ts";
import type { Searcher } from "../../language/searcher.ts";
import { DisMaxScorer } from "./combine.ts";
import type { Prepare, Weight } from "../../language/weight.ts";

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
