/** Scenarios as data: plan, workloads, faults, checkers, and the run that judges them. */
export { parseScenario } from "./parse.ts";
export { runScenario, type Verdict } from "./run.ts";
export type { Scenario, Timed } from "./scenario.ts";
