/** A plan from code: what is not said is as in a file, and what a file may not say is refused in the same words. */
import { defaultCluster } from "./cluster-shape.ts";
import { parsePlan } from "./parse.ts";
import type { Plan } from "./plan.ts";
import { writePlan } from "./plan-shape.ts";
import { worldNames } from "./world.ts";

type PlanInput = Partial<Plan> & Pick<Plan, "name" | "claim">;

/** Throws `OperationError` (`parse_exception`). */
export function buildScenario(input: PlanInput): Plan {
  const plan: Plan = {
    worlds: worldNames,
    clusters: [defaultCluster],
    indices: [],
    workload: [],
    timeline: [],
    faults: [],
    checkers: [],
    phases: { faultsMs: 10_000, convergeMs: 120_000 },
    ...input,
  };
  return parsePlan(plan.name, writePlan(plan));
}
