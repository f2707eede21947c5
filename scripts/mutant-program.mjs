/** What the bundle of a mutant holds: scenarios, and the plugins that nodes of the program are made with. */
export { plugins } from "../packages/cli/src/plugins.ts";
export { parseScenario, runScenario } from "@orrery/scenario";
