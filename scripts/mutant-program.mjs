/** What the bundle of a mutant holds: scenarios, and what nodes of the program are made of. */
export { lab } from "../packages/cli/src/lab.ts";
export { parseScenario, runScenario } from "@orrery/scenario";
