/**
 * `npm run integrations`: tests of the helpers for other languages, `integrations/*`, each with the command of this repository. One
 * whose toolchain is missing is skipped by name. Ends with a line of JSON: `{"event":"summary","passed","failed","skipped"}`.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { prepare, root } from "./prepare.mjs";

prepare();
const scratch = mkdtempSync(join(tmpdir(), "orrery-integrations-"));
const env = { ...process.env, ORRERY_COMMAND: join(root, "node_modules/.bin/orrery") };
const isWindows = process.platform === "win32";
const passed = [];
const failed = [];
const skipped = [];

const isThere = (program) => spawnSync(program, ["--version"]).status === 0;

/** Runs a program; throws with its output if it fails. */
function run(program, args, cwd) {
  const { status, stdout, stderr, error } = spawnSync(program, args, {
    ...{ cwd, env, encoding: "utf8", shell: isWindows },
  });
  if (status !== 0) throw new Error(`${program}: ${stdout ?? ""}${stderr ?? ""}${error ?? ""}`);
}

const rows = {
  pytest: {
    needs: ["python3"],
    test: (folder) => {
      const venv = join(scratch, "venv");
      const bin = join(venv, isWindows ? "Scripts" : "bin");
      run("python3", ["-m", "venv", venv], folder);
      // Installed as users do it, and not from the sources: the build must have every file.
      run(join(bin, "pip"), ["install", "--quiet", "."], folder);
      run(join(bin, "pytest"), ["-q", "-p", "no:cacheprovider"], folder);
    },
  },
  junit5: {
    needs: ["java", "mvn"],
    test: (folder) => run("mvn", ["-q", "-B", "test"], folder),
  },
};

const only = process.argv.slice(2);
const unknown = only.find((name) => !Object.hasOwn(rows, name));
if (unknown !== undefined) {
  console.error(
    `unknown integration [${unknown}]: expected one of [${Object.keys(rows).join(", ")}]`,
  );
  process.exit(2);
}
try {
  for (const [name, { needs, test }] of Object.entries(rows)) {
    if (only.length > 0 && !only.includes(name)) continue;
    const missing = needs.filter((program) => !isThere(program));
    if (missing.length > 0) {
      console.error(`${name}: skipped, without [${missing.join(", ")}]`);
      skipped.push(name);
      continue;
    }
    try {
      test(join(root, "integrations", name));
      passed.push(name);
    } catch (error) {
      failed.push(name);
      console.error(`${name}: ${error.message.slice(-4000)}`);
    }
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
console.log(
  JSON.stringify({
    ...{ event: "summary", passed: passed.length, failed: failed.length, skipped: skipped.length },
    names: { passed, failed, skipped },
  }),
);
process.exit(failed.length === 0 ? 0 : 1);
