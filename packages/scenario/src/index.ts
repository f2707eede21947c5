/** Scenarios as data: plan, workloads, faults, checkers, and the run that judges them. */
export { capabilities } from "./worlds.ts";
export { parseScenario } from "./parse.ts";
export { writePlan } from "./plan-shape.ts";
export type { Plan } from "./plan.ts";
export { runScenario } from "./run.ts";
export type { Verdict } from "./verdict.ts";
