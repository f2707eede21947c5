/** Scenarios as data: plan, workloads, faults, checkers, and the run that judges them. */
export { capabilities } from "./worlds.ts";
export { parseScenario } from "./parse.ts";
export { writePlan } from "./plan-shape.ts";
export type { Plan } from "./plan.ts";
export type { OnState } from "./observe.ts";
export { printScenario } from "./print.ts";
export { runScenario } from "./run.ts";
export { shrink, type Failure } from "./shrink/shrink.ts";
export type { Finding, Verdict } from "./verdict.ts";
export type { RecordedEvent } from "./world.ts";
