/** The GitHub action: the shell of its steps, run in order with the environment that GitHub sets. */
import { spawnSync } from "node:child_process";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { parse } from "yaml";
import { failing, passing } from "../packages/cli/test/command.ts";
import { read, root } from "./repository.ts";

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly env?: Readonly<Record<string, string>>;
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly runs: { readonly steps: readonly Step[] };
}

const action = parse(read("action.yml")) as Action;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-action-"));
  for (const name of ["temp", "bin", "work"]) mkdirSync(join(folder, name));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

interface Ended {
  readonly codes: Readonly<Record<string, number | null>>;
  readonly shown: string;
}

/** Runs the steps with a command as GitHub does: a failed step skips the others. */
function runSteps(inputs: Readonly<Record<string, string>>): Ended {
  // A registry is not asked: this npm installs the command of this repository.
  const bin = join(root, "packages/cli/bin/orrery.mjs");
  writeFileSync(
    join(folder, "bin/npm"),
    `#!/bin/sh
echo "$@" >> "${folder}/npm.log"
mkdir -p "$RUNNER_TEMP/orrery/node_modules/.bin"
printf '#!/bin/sh\\nexec "${process.execPath}" "${bin}" "$@"\\n' > "$RUNNER_TEMP/orrery/node_modules/.bin/orrery"
chmod +x "$RUNNER_TEMP/orrery/node_modules/.bin/orrery"
`,
  );
  chmodSync(join(folder, "bin/npm"), 0o755);
  const given = { ...defaults(), ...inputs };
  const path = [join(folder, "bin"), dirname(process.execPath), process.env["PATH"]].join(
    delimiter,
  );
  const environment = {
    ...{ PATH: path, HOME: folder, CI: "true", GITHUB_ACTIONS: "true", RUNNER_OS: "Linux" },
    ...{ RUNNER_TEMP: join(folder, "temp"), GITHUB_WORKSPACE: join(folder, "work") },
    ...{ GITHUB_ACTION_PATH: root, GITHUB_OUTPUT: join(folder, "output") },
    GITHUB_STEP_SUMMARY: join(folder, "summary.md"),
  };
  const codes: Record<string, number | null> = {};
  let shown = "";
  for (const { name = "", run, env = {} } of action.runs.steps) {
    if (run === undefined) continue;
    const filled = Object.entries(env).map(([key, value]) => [
      key,
      value.replaceAll(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => given[input] ?? ""),
    ]);
    const { status, stdout, stderr } = spawnSync(
      "bash",
      ["--noprofile", "--norc", "-eo", "pipefail", "-c", run],
      {
        cwd: join(folder, "work"),
        env: { ...environment, ...(Object.fromEntries(filled) as Record<string, string>) },
        encoding: "utf8",
      },
    );
    codes[name] = status;
    shown += stdout + stderr;
    if (status !== 0) break;
  }
  return { codes, shown };
}

function defaults(): Record<string, string> {
  return Object.fromEntries(
    Object.entries(action.inputs).map(([name, { default: value = "" }]) => [name, value]),
  );
}

function write(name: string, text: string): void {
  writeFileSync(join(folder, "work", name), text);
}

test("scenarios that pass pass the job, with a summary and a report", () => {
  write("good.yaml", passing);
  write("other one.yaml", passing.replace("test/short", "test/other"));
  mkdirSync(join(folder, "work/more"));
  write("more/third.yaml", passing.replace("test/short", "test/third"));

  const { codes } = runSteps({ scenarios: "good.yaml\nmore", seeds: "2" });

  expect(codes).toEqual({ Install: 0, Sweep: 0, Annotate: 0 });
  expect(readFileSync(join(folder, "npm.log"), "utf8")).toMatch(/^install .* @orrery\/cli\n$/);
  expect(readFileSync(join(folder, "summary.md"), "utf8")).toContain("4 of 4 runs passed");
  expect(readFileSync(join(folder, "output"), "utf8")).toBe(
    "junit=orrery-failures/junit.xml\nfailed=0\n",
  );
  expect(existsSync(join(folder, "work/orrery-failures/junit.xml"))).toBe(true);
}, 120_000);

test("a failure fails the job with an annotation of its file, and bundles to upload", () => {
  write("lossy.yaml", failing);

  const { codes, shown } = runSteps({ scenarios: "lossy.yaml", seeds: "2", keep: "kept" });

  expect(codes).toEqual({ Install: 0, Sweep: 0, Annotate: 1 });
  expect(shown).toMatch(
    /^::error file=lossy\.yaml,title=no-acknowledged-write-lost%3A 2 of this cause::INV-DATA-1, .*%0Aseeds 1, 2%0Areplay: npx orrery run lossy\.yaml --seed 1$/m,
  );
  expect(readdirSync(join(folder, "work/kept")).toSorted()).toEqual([
    ...["junit.xml", "test-lossy-seed-1.bundle", "test-lossy-seed-2.bundle"],
  ]);
}, 120_000);

test("input that is invalid fails the sweep at once", () => {
  const { codes, shown } = runSteps({ scenarios: "missing.yaml" });

  expect(codes).toEqual({ Install: 0, Sweep: 2 });
  expect(shown).toContain("there is no scenario [missing.yaml]");
});

test("steps use no expression inside their shell, where an input could be code", () => {
  for (const { run = "" } of action.runs.steps) expect(run).not.toContain("${{");
});
