/**
 * Plants one bug after the other and tells whether, and how soon, the scenarios of the library find it:
 * npm run mutants -- [--list] [--only NAME or AREA] [--seconds 120] [--scenarios PART OF A NAME] [--json]
 *
 * A mutant is an entry of a file of test/mutants: a sentence, and which text of a source is replaced by which. It is applied to
 * a scratch copy: a bundle of the sources in which that text is another. The sweep begins with the families of scenarios that are
 * about the mutant's area (the name of its file) and goes on with all others, small scenarios before big ones; then again with the
 * next seed, until a run fails or so many seconds of one core are spent. Exit code 1: some mutant survived.
 *
 * With --systematic it is about mutants that are made mechanically (docs/reference/mutants.md).
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { bundleScenarios } from "./mutants/bundle.mjs";
import { coreSeconds } from "./mutants/core-seconds.mjs";
import { watchForEndlessRuns } from "./mutants/endless.mjs";
import { readPlans, scenarioFiles } from "./mutants/plans.mjs";
import { createProgress } from "./mutants/progress.mjs";
import { install, newerNode, root } from "./prepare.mjs";

const args = process.argv.slice(2);
const flags = ["json", "list", "systematic", "units", "help"];
const values = ["jobs", "only", "sample", "scenarios", "seconds", "seed", "wall-seconds"];
/** Of a process of its own. */
const inner = ["area", "sweep"];
const given = readArguments();
const has = (flag) => given[flag.slice(2)] !== undefined;
const valueOf = (flag) => given[flag.slice(2)];
const isJson = has("--json");

/** Families of scenarios that are about an area; those of the others are about what happens when nodes and links fail. */
const familiesOf = {
  dangling: ["dangling-index"],
  decommission: ["decommission"],
  leases: ["replication-lease"],
  recovery: ["failover", "disk", "replication-lease"],
  search: ["search"],
  snapshot: ["snapshot-status"],
};
const otherwise = ["failover", "disk", "partition", "network"];

if (given.help === true) console.log(usage());
else if (valueOf("--sweep") !== undefined) await sweep(valueOf("--sweep"));
else if (Number(process.versions.node.split(".")[0]) >= 22) await main();
else runOnNewerNode();

/** Ends the program where an argument is none that it has. */
function readArguments() {
  const options = Object.fromEntries([
    ...flags.map((name) => [name, { type: "boolean" }]),
    ...[...values, ...inner].map((name) => [name, { type: "string" }]),
  ]);
  try {
    return parseArgs({ args, options }).values;
  } catch (error) {
    console.error(`${error.message}\n${usage()}`);
    process.exit(2);
  }
}

function usage() {
  const all = [...flags.map((name) => `[--${name}]`), ...values.map((name) => `[--${name} …]`)];
  return `npm run mutants -- ${all.join(" ")}; docs/reference/mutants.md says what they do`;
}

function runOnNewerNode() {
  install();
  const again = spawnSync(newerNode(), [import.meta.filename, ...args], { stdio: "inherit" });
  process.exitCode = again.status ?? 1;
}

async function main() {
  install();
  if (has("--systematic")) {
    // The modules that it needs are there only once all is installed.
    const { systematic } = await import("./mutants/systematic.mjs");
    await systematic({ has, valueOf });
    return;
  }
  const mutants = await readMutants();
  if (has("--list")) {
    for (const { name, says } of mutants)
      console.log(isJson ? JSON.stringify({ name }) : `${name}: ${says}`);
    return;
  }
  const only = valueOf("--only");
  const isChosen = ({ name }) => only === undefined || name === only || name.startsWith(`${only}/`);
  const chosen = mutants.filter(isChosen);
  if (chosen.length === 0) {
    console.error(`there is no mutant [${only}]; --list tells them all`);
    process.exitCode = 2;
    return;
  }
  const results = [];
  const progress = createProgress(chosen.length);
  for (const mutant of chosen) {
    progress.show(mutant.name);
    const onRun = ({ scenario, seed }) =>
      progress.show(`${mutant.name} against ${scenario}, seed ${seed}`);
    const result = await judge(mutant, Number(valueOf("--seconds") ?? 120), onRun);
    progress.count(result.found);
    results.push(result);
    tell(mutant, result);
  }
  if (chosen.length > 1 && !isJson) summarize(results);
  if (results.some(({ found }) => !found)) process.exitCode = 1;
}

/** All of them, named `area/name`. */
async function readMutants() {
  const { parse } = await import("yaml");
  const folder = join(root, "test/mutants");
  return readdirSync(folder)
    .filter((file) => file.endsWith(".yaml"))
    .toSorted()
    .flatMap((file) =>
      parse(readFileSync(join(folder, file), "utf8")).map((mutant) => ({
        ...mutant,
        name: `${file.slice(0, -".yaml".length)}/${mutant.name}`,
      })),
    );
}

async function judge(mutant, seconds, onRun) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-mutant-"));
  const before = coreSeconds();
  try {
    const file = join(folder, "scenario.mjs");
    await bundleScenarios(textsOf(mutant), file);
    const bundling = coreSeconds() - before;
    const outcome = await runSweep(file, mutant, { seconds, onRun });
    return { ...outcome, seconds: Math.round((bundling + outcome.seconds) * 10) / 10 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The sources that the mutant changes, as it changes them. */
function textsOf({ name, file: first, replace, with: by, also = [] }) {
  const edits = new Map();
  for (const one of [{ file: first, replace, with: by }, ...also]) {
    const path = join(root, one.file);
    const text = edits.get(path) ?? readFileSync(path, "utf8");
    if (text.split(one.replace).length !== 2)
      throw new Error(`${name}: the text to replace is not once in ${one.file}`);
    edits.set(
      path,
      text.replace(one.replace, () => one.with),
    );
  }
  return edits;
}

/** In a process of its own: a planted bug may well be an endless loop, or eat all memory. */
function runSweep(bundle, { name }, { seconds, onRun }) {
  return new Promise((resolve) => {
    const child = spawn(
      newerNode(),
      // Young garbage is most of what a run makes: with room for it hardly any is copied.
      [
        "--max-semi-space-size=64",
        import.meta.filename,
        ...args,
        ...["--sweep", bundle, "--area", name.split("/")[0], "--seconds", String(seconds)],
      ],
      { cwd: root, stdio: ["ignore", "pipe", "pipe"] },
    );
    let last = {};
    let errors = "";
    child.stderr.on("data", (chunk) => (errors += chunk));
    createInterface(child.stdout).on("line", (line) => {
      if (!line.startsWith("{")) return;
      last = { ...last, ...JSON.parse(line) };
      if (last.found === undefined) onRun(last);
    });
    child.on("close", () => {
      // Whoever sweeps sees that a process dies, too: the scenario is named, and has no verdict.
      const died = { seconds, found: last.scenario !== undefined, why: errors.trim() };
      resolve(last.found === undefined ? { ...last, ...died } : last);
    });
  });
}

async function sweep(bundle) {
  const { lab, parseScenario, runScenario } = await import(bundle);
  const begun = watchForEndlessRuns();
  const isOver = () => coreSeconds() >= Number(valueOf("--seconds"));
  let runs = 0;
  for (const { plan, seed } of inOrder(plansOf(parseScenario, lab), valueOf("--area"))) {
    if (isOver()) break;
    runs += 1;
    Atomics.store(begun, 0, runs);
    console.log(JSON.stringify({ scenario: plan.name, seed, runs }));
    const { verdict, failure = "" } = await runScenario(plan, seed, lab);
    if (verdict !== "fail") continue;
    const why = failure.split("\n", 1)[0];
    const found = { found: true, scenario: plan.name, seed, runs, why, seconds: coreSeconds() };
    console.log(JSON.stringify(found));
    process.exit(0);
  }
  console.log(JSON.stringify({ found: false, runs, seconds: coreSeconds() }));
  process.exit(0);
}

/** The small ones first: most bugs show early, and what takes long is left for those that do not. */
function plansOf(parseScenario, lab) {
  return readPlans({ parseScenario, lab }, scenarioFiles(["scenarios"]))
    .filter(({ plan }) => plan.name.includes(valueOf("--scenarios") ?? ""))
    .map(({ plan }) => ({ plan, effort: effortOf(plan) }))
    .toSorted((a, b) => a.effort - b.effort || (a.plan.name < b.plan.name ? -1 : 1))
    .map(({ plan }) => plan);
}

/** Seconds of CPU, roughly: what is written on how many copies, and how many nodes tick for how long. */
function effortOf({ workload, indices, clusters, faults, phases: { faultsMs } }) {
  // A client waits for two requests and two answers; the time of each is about the same on a network without faults.
  const delays = faults.map(({ fault: { lowMs = 0, highMs = 0 } }) => 2 * (lowMs + highMs));
  const roundMs = 10 + delays.reduce((sum, ms) => sum + ms, 0);
  const writes = workload.map(({ clients, requests = Infinity, forMs = faultsMs, ...one }) => {
    const turns = Math.min(requests, forMs / (one.everyMs + roundMs));
    return clients * turns * (1 + (one.documents ?? 0) / 4);
  });
  const copies = 1 + Math.max(0, ...indices.map(({ replicas }) => replicas));
  const nodes = clusters.reduce((count, cluster) => count + cluster.nodes.length, 0);
  const written = writes.reduce((sum, one) => sum + one, 0);
  return (written * copies) / 2000 + nodes * Math.min(60, faultsMs / 1000) * 0.004;
}

/** Without an end. */
function* inOrder(plans, area) {
  const families = familiesOf[area] ?? otherwise;
  const isNear = ({ name }) => families.includes(name.split("/")[0]);
  const [near, far] = [plans.filter(isNear), plans.filter((plan) => !isNear(plan))];
  for (let seed = 1; plans.length > 0; seed += 1) {
    for (const plan of [...near, ...far]) yield { plan, seed };
  }
}

function tell({ name, says }, { found, seconds, scenario, seed, runs, why }) {
  if (isJson) {
    const where = found ? { scenario, seed } : {};
    console.log(JSON.stringify({ name, found, seconds, ...where, why }));
    return;
  }
  const outcome = found
    ? `found after ${seconds} s by ${scenario}, seed ${seed}: ${why}`
    : `SURVIVES ${seconds} s, ${runs ?? "?"} runs${why === undefined ? "" : ` (${why})`}: ${says}`;
  console.log(`${name}: ${outcome}`);
}

function summarize(results) {
  const found = results.filter((one) => one.found);
  const times = found.map(({ seconds }) => seconds).toSorted((a, b) => a - b);
  const total = results.reduce((sum, { seconds }) => sum + seconds, 0);
  const median = times[Math.floor(times.length / 2)] ?? 0;
  console.log(
    `${found.length} of ${results.length} found, median ${median} s, ${(total / 60).toFixed(1)} core-minutes in all`,
  );
}
