/** The process of `reach.mjs`: runs scenarios on a bundle with probes, and prints what each reached. */
import { coreSeconds } from "./core-seconds.mjs";
import { readPlans } from "./plans.mjs";

const [bundle, count, seeds, ...files] = process.argv.slice(2);
globalThis.orreryReach = new Float64Array(Number(count));
const { lab, parseScenario, runScenario } = await import(bundle);
const runs = [];
for (const { file, plan } of readPlans({ parseScenario, lab }, files)) {
  for (let seed = 1; seed <= Number(seeds); seed += 1) {
    globalThis.orreryReach.fill(0);
    const before = coreSeconds();
    const { verdict, hash, failure } = await runScenario(plan, seed, lab);
    if (verdict === "fail") throw new Error(`${file}, seed ${seed}: ${failure}`);
    const reached = [...globalThis.orreryReach.keys()].filter(
      (at) => globalThis.orreryReach[at] > 0,
    );
    runs.push({ file, seed, hash, seconds: coreSeconds() - before, reached });
  }
}
console.log(JSON.stringify(runs));
process.exit(0);
