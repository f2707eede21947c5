/**
 * Which scenarios execute the statement of which mutant, what each costs, and the hash of its trace: one run of every scenario of
 * library and soaks for the first seed, on a bundle with a probe at every mutant. Kept for as long as sources and scenarios are the same.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { newerNode, root } from "../prepare.mjs";
import { bundleScenarios } from "./bundle.mjs";
import { digestOf, digestOfFile, packageSources, readCache, writeCache } from "./cache.mjs";
import { scenarioFiles } from "./plans.mjs";
import { edited, probing } from "./sites.mjs";

/** Seeds of the map: what another seed reaches besides, the soaks find. */
const SEEDS = 1;

/** `runs`: one for each scenario and seed, with the names of the mutants it reaches. A scenario that is new or changed is run alone. */
export async function reachOf(mutants) {
  const sources = digestOf(packageSources(), /\.ts$/);
  const rules = digestOf(
    ["scripts/mutants"],
    /^(areas|list|operators|reach|sites|survey|types)\.mjs$/,
  );
  const name = `reach-${sources}-${rules}.json`;
  const known = new Map(readCache(name) ?? []);
  const files = scenarioFiles().map((file) => [file, `${file} ${digestOfFile(file)}`]);
  const missing = files.filter(([, key]) => !known.has(key));
  if (missing.length > 0) {
    const runs = await survey(
      mutants,
      missing.map(([file]) => file),
    );
    const byFile = Map.groupBy(runs, ({ file }) => file);
    for (const [file, key] of missing) known.set(key, byFile.get(file));
    writeCache(name, [...known]);
  }
  return { seeds: SEEDS, runs: files.flatMap(([, key]) => known.get(key)) };
}

async function survey(mutants, files) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-mutants-"));
  try {
    const bundle = join(folder, "scenario.mjs");
    await bundleScenarios(probedSources(mutants), bundle);
    const runs = await runAll(bundle, mutants.length, files);
    return runs.map((run) => ({ ...run, reached: run.reached.map((at) => mutants[at].name) }));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function probedSources(mutants) {
  const texts = new Map();
  const numbered = mutants.map((mutant, at) => ({ ...mutant, at }));
  for (const [file, here] of Map.groupBy(numbered, (mutant) => mutant.file)) {
    const path = join(root, file);
    const edits = here.flatMap(({ probe, at }) =>
      probing(probe, `globalThis.orreryReach[${at}]++`),
    );
    texts.set(path, edited(readFileSync(path, "utf8"), edits));
  }
  return texts;
}

/** In a process of its own, so that another program than the one that asks may be loaded. */
function runAll(bundle, count, files) {
  return new Promise((resolve, reject) => {
    const program = join(import.meta.dirname, "survey.mjs");
    const args = [program, bundle, String(count), String(SEEDS), ...files];
    const child = spawn(newerNode(), ["--max-semi-space-size=64", ...args], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    let printed = "";
    child.stdout.on("data", (chunk) => (printed += chunk));
    child.on("close", (code) => {
      if (code === 0) resolve(JSON.parse(printed));
      else reject(new Error("the sources without a mutant could not be surveyed"));
    });
  });
}
