/**
 * Same scenario, same seed: same hash, in this process, another one, a thread, on the oldest Node that is supported, and in a
 * browser. Another seed: another hash. `.ci/run` sweeps over all scenarios with more seeds, each twice.
 */
import { execFile } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, relative } from "node:path";
import { promisify } from "node:util";
import { parseScenario, runScenario } from "@orrery/scenario";
import { beforeAll, describe, expect, test } from "vitest";
import { lab } from "../packages/cli/src/lab.ts";
import { chromiumHere, hashesInChromium, workOf } from "./browser/chromium.ts";
import type { Hashed } from "./hashes.ts";

const root = join(import.meta.dirname, "..");
const files = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => relative(root, join(root, "scenarios", file)));

/** The oldest supported Node, where npm has it for this machine. */
const oldestNode = nodeOf("packages/scenario/package.json");
const SEED = 1;
const PATIENCE_MS = 600_000;
const EVERY = 12;

/** A twelfth of the scenarios, spread over all folders: it also runs twice, with another seed and in a thread. */
const sample = files.filter((_, i) => i % EVERY === 0);

/**
 * Other places that run scenarios. The process takes all of them in the opposite order: state that one run leaves to the next
 * would change a hash.
 */
const elsewhere = {
  "another process, on the oldest Node": {
    files,
    run: () => hashesOf(oldestNode ?? process.execPath, "process", files.toReversed()),
  },
  "a thread of another process": {
    files: sample,
    run: () => hashesOf(process.execPath, "thread", sample),
  },
};

type Hashes = ReadonlyMap<string, Hashed>;

const here = new Map<string, string>();
let started: ReadonlyMap<string, Promise<Hashes>> | undefined;

/** One process after the other, while scenarios run here: that takes another core. */
function hashesElsewhere(): ReadonlyMap<string, Promise<Hashes>> {
  if (started !== undefined) return started;
  let before: Promise<unknown> = Promise.resolve();
  const all = Object.entries(elsewhere).map(([name, { run }]): [string, Promise<Hashes>] => {
    const hashes = before.then(run);
    // The tests that await these hashes report the error.
    before = hashes.catch(() => undefined);
    return [name, hashes];
  });
  started = new Map(all);
  return started;
}

async function passes(file: string, seed: number) {
  const scenario = parseScenario(file, readFileSync(join(root, file), "utf8"), lab);
  const result = await runScenario(scenario, seed, lab);
  expect(result.failure).toBeUndefined();
  expect(result.doubts).toEqual([]);
  return result;
}

const hashHere = async (file: string): Promise<string> =>
  here.get(file) ?? (await passes(file, SEED)).hash;

test.each(files)(
  "%s passes",
  async (file) => {
    hashesElsewhere();
    here.set(file, (await passes(file, SEED)).hash);
  },
  PATIENCE_MS,
);

test.each(sample)(
  "%s has the same trace twice, and with another seed another one",
  async (file) => {
    const first = await passes(file, SEED);
    const second = await passes(file, SEED);
    const other = await passes(file, SEED + 1);

    expect(first.hash).toBe(await hashHere(file));
    expect(second.hash).toBe(first.hash);
    expect(second.events).toBe(first.events);
    expect(other.hash).not.toBe(first.hash);
  },
  PATIENCE_MS,
);

test("Node 22 is there to compare with", ({ skip }) => {
  if (process.platform !== "linux") return skip("npm has it for Linux only");
  expect(oldestNode).toBeDefined();
  return undefined;
});

describe.each(Object.entries(elsewhere))("in %s", (name, { files: there }) => {
  let hashes: Hashes | undefined;

  beforeAll(async () => {
    hashes = await hashesElsewhere().get(name);
  }, PATIENCE_MS);

  test.each(there)("%s has the hash it has here", async (file) => {
    const hash = await hashHere(file);

    expect(hashes?.get(file)).toMatchObject({ verdict: "pass", hash });
  });
});

/** A page takes a turn of its own for each event. */
const inBrowser = [
  "scenarios/failover/cluster-manager-crash.yaml",
  "scenarios/replication-lease/follow-and-catch-up.yaml",
  "scenarios/snapshot-status/second-copies-nothing.yaml",
];

describe.each([
  ["with memory that threads share", true],
  ["without", false],
])("in a browser, Chromium, %s", (_, isIsolated) => {
  test(
    "some scenarios have the hash they have here",
    async ({ skip }) => {
      const chromium = chromiumHere();
      if (chromium === undefined) return skip("there is no Chromium on this machine");
      const work = workOf(inBrowser, SEED);

      const hashes = await hashesInChromium(chromium, work, { isIsolated });

      for (const { file } of work.scenarios) {
        expect(hashes.get(file)).toEqual({ file, verdict: "pass", hash: await hashHere(file) });
      }
      return undefined;
    },
    PATIENCE_MS,
  );
});

function nodeOf(manifest: string): string | undefined {
  const name = `node-${process.platform}-${process.arch}/package.json`;
  try {
    return join(dirname(createRequire(join(root, manifest)).resolve(name)), "bin/node");
  } catch {
    return undefined;
  }
}

async function hashesOf(
  node: string,
  where: "process" | "thread",
  plans: readonly string[],
): Promise<Hashes> {
  const flags = ["--conditions=source", "--no-warnings"];
  const program = [join(import.meta.dirname, "hashes.ts"), where, String(SEED), ...plans];
  const { stdout } = await promisify(execFile)(node, [...flags, ...program], { cwd: root });
  const lines = stdout.trimEnd().split("\n");
  const hashed = lines.map((line) => JSON.parse(line) as Hashed);
  return new Map(hashed.map((one) => [one.file, one]));
}
