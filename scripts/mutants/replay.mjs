/** A process of its own: `node replay.mjs BUNDLE SCENARIO SEED` prints the verdict of one run on a bundle. */
import { readFileSync } from "node:fs";
import { watchForEndlessRuns } from "./endless.mjs";

const [bundle, file, seed] = process.argv.slice(2);
const { lab, parseScenario, runScenario } = await import(bundle);
Atomics.store(watchForEndlessRuns(), 0, 1);
const plan = parseScenario(file, readFileSync(file, "utf8"), lab);
const { verdict } = await runScenario(plan, Number(seed), lab);
console.log(JSON.stringify({ verdict }));
process.exit(0);
