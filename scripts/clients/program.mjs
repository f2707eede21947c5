/**
 * A client's program: its packages, brought into the cache once, and its run. It writes TAP to standard output: `ok 1 - name`, or
 * `not ok 1 - name` and comments that say why.
 */
import { createHash } from "node:crypto";
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { root } from "../prepare.mjs";
import { startChild } from "./children.mjs";

const PATIENCE_MS = 600_000;
const STAMP = ".packages-are-here";

/**
 * The folder in which the client runs: a copy of its sources beside its packages. Another list of packages is another folder, so the
 * packages of an earlier run are never mixed with it.
 */
export async function prepareClient({ name, packages, install, compile = [] }, cache) {
  const source = join(root, "test/clients", name);
  const lists = packages.map((file) => readFileSync(join(source, file)));
  const hash = createHash("sha256").update(JSON.stringify([install, lists.map(String)]));
  const folder = join(cache, `${name}-${hash.digest("hex").slice(0, 12)}`);
  mkdirSync(folder, { recursive: true });
  cpSync(source, folder, { recursive: true });
  if (!existsSync(join(folder, STAMP))) {
    for (const command of install) await succeed(command, folder);
    writeFileSync(join(folder, STAMP), "");
  }
  for (const command of compile) await succeed(command, folder);
  return folder;
}

async function succeed(command, folder) {
  const { code, stdout, stderr } = await output(command, folder, {});
  if (code !== 0) throw new Error(`${command.join(" ")}: ${lastLines(stdout + stderr)}`);
}

/**
 * Number of checks that the program made, and those that failed with what was said of them. Checks that the program skips, or expects
 * to fail (`# TODO`), are not counted.
 */
export async function runClient({ run }, folder, env) {
  const { code, stdout, stderr } = await output(run, folder, env);
  const results = resultsOf(stdout);
  const failures = results
    .filter(({ isFailed }) => isFailed)
    .map(({ name, about }) => `${name}${lastLines(about)}`);
  if (code !== 0 && failures.length === 0)
    failures.push(`ended with ${code}: ${lastLines(stdout + stderr)}`);
  if (results.length === 0 && failures.length === 0) failures.push("it made no check");
  return { checks: results.length, failures };
}

/** Results of the outermost tests; lines between two of them belong to the first. */
function resultsOf(tap) {
  const results = [];
  let last = { about: "" };
  for (const line of tap.split("\n")) {
    const [found, not, name, directive] =
      /^(not )?ok\b(?: \d+)?(?: - )?(.*?)( # (?:TODO|SKIP)\b.*)?$/.exec(line) ?? [];
    if (found === undefined) last.about += `\n${line}`;
    else results.push((last = { name, isFailed: not !== undefined, about: "", directive }));
  }
  return results.filter(({ directive }) => directive === undefined);
}

function lastLines(text) {
  return text.trimEnd().slice(-1200);
}

function output([program, ...args], cwd, env) {
  return new Promise((resolve, reject) => {
    const child = startChild(program, args, { cwd, env: { ...process.env, ...env } });
    let stdout = "";
    let stderr = "";
    const timer = setTimeout(() => child.kill("SIGKILL"), PATIENCE_MS);
    child.stdout.setEncoding("utf8").on("data", (text) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code, signal) => {
      clearTimeout(timer);
      resolve({ code: code ?? signal, stdout, stderr });
    });
  });
}
