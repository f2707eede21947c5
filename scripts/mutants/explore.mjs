/** Whether an exploration (`orrery explore`) with the mutant in it finds something. */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { newerNode, root } from "../prepare.mjs";
import { bundle } from "./bundle.mjs";

const sources = join(root, "packages/cli/src");

export function hasExplore() {
  return existsSync(join(sources, "explore/job.ts"));
}

/** The command and its jobs, as a build has them, with other texts in place of some sources'. Ends at the first finding. */
export async function exploreWith(texts, folder, seconds) {
  const jobs = readdirSync(sources)
    .filter((name) => existsSync(join(sources, name, "job.ts")))
    .map((name) => [`${name}-job`, join(sources, name, "job.ts")]);
  const input = { index: join(sources, "index.ts"), ...Object.fromEntries(jobs) };
  await bundle(texts, input, {
    dir: folder,
    entryFileNames: "[name].js",
    chunkFileNames: "[name].js",
  });
  return runExplore(join(folder, "index.js"), folder, seconds);
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
      if (child.exitCode === null) process.kill(-child.pid, "SIGKILL");
    };
    let finding;
    let runs = 0;
    let errors = "";
    child.stderr.on("data", (chunk) => (errors = `${errors}${chunk}`.slice(-2000)));
    // The first line of a finding is a line of text: what it was shrunk to comes a minute later.
    createInterface(child.stdout).on("line", (text) => {
      const line = JSON.parse(text);
      if (line.event === "summary") runs = line.runs;
      if (line.event !== "finding") return;
      finding = line;
      end();
    });
    child.on("close", (code) => {
      clearTimeout(timer);
      const spent = Math.round((performance.now() - startedMs) / 100) / 10;
      const why = finding?.says ?? (code === 2 ? errors.trim() : undefined);
      resolve({ found: finding !== undefined, seconds: spent, runs, why, seed: finding?.seed });
    });
  });
}
