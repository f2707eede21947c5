/**
 * A process of its own that runs scenarios on a bundle: `node job.mjs BUNDLE ORDER SECONDS`.
 *
 * ORDER is a file of JSON: names of scenario files with the hashes of the program without a mutant. Every round runs the next seed.
 * Scenarios whose first runs show no difference come less often in later rounds. Ends at the first run that fails, or when so many
 * seconds of CPU are spent; prints a line of JSON a run, and one at the end.
 */
import { readFileSync } from "node:fs";
import { coreSeconds } from "./core-seconds.mjs";
import { watchForEndlessRuns } from "./endless.mjs";
import { readPlans } from "./plans.mjs";

const ROUNDS_WITHOUT_DIFFERENCE = 4;

// No outcome is waited for any more.
process.on("disconnect", () => process.exit(0));

const [bundle, orderFile, seconds] = process.argv.slice(2);
const { lab, parseScenario, runScenario } = await import(bundle);
const order = JSON.parse(readFileSync(orderFile, "utf8"));
const plans = new Map(
  readPlans({ parseScenario, lab }, order.files).map(({ file, plan }) => [file, plan]),
);
const begun = watchForEndlessRuns();
const hasDifferent = new Set();
let runs = 0;

for (const { file, seed } of turns()) {
  if (coreSeconds() >= Number(seconds)) break;
  runs += 1;
  Atomics.store(begun, 0, runs);
  say({ begun: file, seed, runs });
  globalThis.orreryReached = 0;
  const before = coreSeconds();
  const verdict = await runScenario(plans.get(file), seed, lab);
  const spent = coreSeconds() - before;
  const { hash } = verdict;
  const isReached = globalThis.orreryReached > 0;
  const known = order.hashes[`${file} ${seed}`];
  if (known !== undefined && known !== hash) hasDifferent.add(file);
  say({ file, seed, hash, isReached, spent, isDifferent: known && known !== hash });
  if (verdict.verdict !== "fail") continue;
  const why = (verdict.failure ?? "").split("\n", 1)[0];
  say({ found: true, scenario: file, seed, runs, why, seconds: coreSeconds() });
  process.exit(0);
}
say({ found: false, runs, seconds: coreSeconds() });
process.exit(0);

/** Without an end. */
function* turns() {
  for (let round = 1; order.files.length > 0; round += 1) {
    for (const file of order.files) {
      const isDue = round <= order.seeds || hasDifferent.has(file);
      if (isDue || round % ROUNDS_WITHOUT_DIFFERENCE === 0) yield { file, seed: round };
    }
  }
}

function say(line) {
  console.log(JSON.stringify(line));
}
