/**
 * Judgement of one mutant: a bundle with it is made, then the scenarios that reach its statement run, the cheap ones first.
 *
 * Its class says more than found or not: `unreached` (no run executes its statement), `no difference` (every run that is compared has
 * the trace of the program without it, so that it may be equivalent), `no judge` (traces differ and nothing complains), `found`.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newerNode, root } from "../prepare.mjs";
import { bundleScenarios } from "./bundle.mjs";
import { coreSeconds } from "./core-seconds.mjs";
import { exploreWith } from "./explore.mjs";
import { edited, probing } from "./sites.mjs";
import { testWith } from "./units.mjs";

/** The part of the budget that the library may take before an exploration gets the rest. */
const LIBRARY_SHARE = 0.6;

/** Seconds of CPU count, and of the wall: a machine that is busy must not make this wait for ever. */
export async function judge(mutant, reach, { seconds, wallSeconds, withUnits }) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-mutant-"));
  try {
    const texts = mutatedSource(mutant);
    const units = withUnits ? { units: await testWith(texts, mutant.file, folder) } : {};
    const budget = { seconds: seconds * LIBRARY_SHARE, wallSeconds: wallSeconds * LIBRARY_SHARE };
    const library = await runLibrary(mutant, texts, { reach, folder, ...budget });
    if (library.found) return { ...library, ...units };
    const rest = Math.min(seconds - library.seconds, wallSeconds * (1 - LIBRARY_SHARE) - 60);
    const explored = await exploreWith(texts, join(folder, "explore"), Math.max(1, rest));
    const spent = Math.round((library.seconds + explored.seconds) * 10) / 10;
    const how = explored.found
      ? { found: true, class: "found", by: "explore", why: explored.why }
      : {};
    return { ...library, ...how, seconds: spent, explored: explored.runs, ...units };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function runLibrary(mutant, texts, { reach, folder, seconds, wallSeconds }) {
  const before = coreSeconds();
  const program = join(folder, "scenario.mjs");
  await bundleScenarios(texts, program);
  const bundling = coreSeconds() - before;
  const order = join(folder, "order.json");
  writeFileSync(order, JSON.stringify(orderFor(mutant, reach)));
  const outcome = await runJob(program, order, seconds - bundling, wallSeconds);
  return { ...outcome, seconds: Math.round((bundling + outcome.seconds) * 10) / 10 };
}

/** With a probe, so that a run tells whether it came there. */
function mutatedSource({ file, edit, probe }) {
  const path = join(root, file);
  const edits = [...probing(probe, "globalThis.orreryReached++"), edit];
  return new Map([[path, edited(readFileSync(path, "utf8"), edits)]]);
}

/** Scenarios that reach the mutant, cheap ones first; all of them if none does. Soaks differ with the seed: they are always tried. */
function orderFor({ name }, { seeds, runs }) {
  const reaching = new Set(
    runs.flatMap(({ file, reached }) => (reached.includes(name) ? file : [])),
  );
  const cost = new Map();
  for (const { file, seconds } of runs) cost.set(file, (cost.get(file) ?? 0) + seconds);
  const isTried = (file) =>
    reaching.size === 0 || reaching.has(file) || file.startsWith("test/soak/");
  const rank = (file) => cost.get(file) * (reaching.size === 0 || reaching.has(file) ? 1 : 100);
  return {
    seeds,
    files: [...cost.keys()].filter(isTried).toSorted((a, b) => rank(a) - rank(b)),
    hashes: Object.fromEntries(runs.map(({ file, seed, hash }) => [`${file} ${seed}`, hash])),
  };
}

/** In a process of its own: a planted bug may eat all memory. */
function runJob(bundle, order, seconds, wallSeconds) {
  return new Promise((resolve) => {
    const job = join(import.meta.dirname, "job.mjs");
    // Young garbage is most of what a run makes: with room for it hardly any is copied.
    const args = ["--max-semi-space-size=64", job, bundle, order, String(seconds)];
    const child = spawn(newerNode(), args, { cwd: root, stdio: ["ignore", "pipe", "pipe", "ipc"] });
    const timer = setTimeout(() => child.kill("SIGKILL"), wallSeconds * 1000);
    const done = { runs: 0, reachedBy: 0, different: 0, compared: 0, spent: 0 };
    let begun;
    let end;
    let errors = "";
    child.stderr.on("data", (chunk) => (errors = `${errors}${chunk}`.slice(-2000)));
    createInterface(child.stdout).on("line", (text) => {
      const line = JSON.parse(text);
      if (line.begun !== undefined) begun = line;
      else if (line.found !== undefined) end = line;
      else count(done, line);
    });
    child.on("close", (_code, signal) => {
      clearTimeout(timer);
      resolve(outcomeOf({ done, begun, end, errors: errors.trim(), isOver: signal === "SIGKILL" }));
    });
  });
}

function count(done, { isReached, isDifferent, spent }) {
  done.runs += 1;
  done.spent += spent;
  if (isReached) done.reachedBy += 1;
  if (isDifferent === undefined) return;
  done.compared += 1;
  if (isDifferent) done.different += 1;
}

function outcomeOf({ done, begun, end, errors, isOver }) {
  const { runs, reachedBy, different, compared, spent } = done;
  const figures = { runs, reachedBy, different, compared };
  if (end?.found) {
    const { scenario = begun?.begun, seed = begun?.seed, why, seconds } = end;
    return { found: true, class: "found", by: "library", scenario, seed, why, seconds, ...figures };
  }
  // A sweep sees that a process dies, too: the scenario is named, and has no verdict.
  if (end === undefined && !isOver && begun !== undefined) {
    const where = { scenario: begun.begun, seed: begun.seed, why: errors.split("\n", 1)[0] };
    return { found: true, class: "found", by: "library", ...where, seconds: spent, ...figures };
  }
  const reachedClass = different > 0 ? "no judge" : "no difference";
  const nature = reachedBy === 0 ? "unreached" : reachedClass;
  const why = end === undefined ? errors : undefined;
  return { found: false, class: nature, seconds: end?.seconds ?? spent, why, ...figures };
}
