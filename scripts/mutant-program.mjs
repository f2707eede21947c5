/** What the bundle of a mutant holds: scenarios, and what nodes of the program are made of. */
export { product } from "../packages/cli/src/product.ts";
export { parseScenario, runScenario } from "@orrery/scenario";
