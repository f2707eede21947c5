/** Whether an exploration (`orrery explore`) with the mutant in it finds something. */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newerNode, root } from "../prepare.mjs";
import { bundle, bundleScenarios } from "./bundle.mjs";

const sources = join(root, "packages/cli/src");

/**
 * The command and its jobs, as a build has them, with other texts in place of some sources'. Ends at the first finding, which is none of
 * the mutant's when the program without it fails in the same scenario.
 */
export async function exploreWith(texts, folder, seconds) {
  const jobs = readdirSync(sources)
    .filter((name) => existsSync(join(sources, name, "job.ts")))
    .map((name) => [`${name}-job`, join(sources, name, "job.ts")]);
  const input = { index: join(sources, "index.ts"), ...Object.fromEntries(jobs) };
  const names = { entryFileNames: "[name].js", chunkFileNames: "[name].js" };
  await bundle(texts, input, { dir: folder, ...names });
  const { finding, ...figures } = await runExplore(join(folder, "index.js"), folder, seconds);
  if (finding === undefined) return { found: false, ...figures };
  if (await failsWithout(finding, folder))
    return { found: false, ...figures, why: `fails without the mutant, too: ${finding.says}` };
  return { found: true, ...figures, why: finding.says, seed: finding.seed };
}

async function failsWithout({ file, seed }, folder) {
  const program = join(folder, "without.mjs");
  await bundleScenarios(new Map(), program);
  const replay = join(import.meta.dirname, "replay.mjs");
  const { stdout } = spawnSync(newerNode(), [replay, program, file, String(seed)], {
    encoding: "utf8",
  });
  const line = stdout.trim().split("\n").at(-1) ?? "";
  return !line.startsWith("{") || JSON.parse(line).verdict !== "pass";
}

function runExplore(program, folder, seconds) {
  const args = [
    ...["explore", "--budget", `${Math.ceil(seconds)}s`, "--jobs", "1", "--seed", "1"],
    ...["--keep", join(folder, "findings"), "--json"],
  ];
  const start = `import(process.argv[1]).then(async ({ main }) => process.exit(await main(process.argv.slice(2))))`;
  return new Promise((resolve) => {
    const startedMs = performance.now();
    const child = spawn(newerNode(), ["-e", start, program, ...args], {
      ...{ cwd: folder, stdio: ["ignore", "pipe", "pipe"], detached: true },
    });
    // A run that began in time may end after it.
    const timer = setTimeout(() => end(), (seconds + 60) * 1000);
    const end = () => {
      if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGKILL");
    };
    let finding;
    let runs = 0;
    let errors = "";
    child.stderr.on("data", (chunk) => (errors = `${errors}${chunk}`.slice(-2000)));
    // The scenario of a finding is written once it was shrunk.
    createInterface(child.stdout).on("line", (text) => {
      const line = JSON.parse(text);
      if (line.event === "summary") runs = line.runs;
      if (line.event !== "scenario") return;
      finding = line;
      end();
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const spent = Math.round((performance.now() - startedMs) / 100) / 10;
      const why = code === 2 ? errors.trim() : undefined;
      resolve({ finding, seconds: spent, runs, why });
    });
  });
}
