/**
 * Same scenario, same seed: same hash, in this process, another one, a thread, on the oldest Node that is supported, and in a
 * browser. Another seed: another hash.
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

const runtimes = {
  "another process": () => hashesOf(process.execPath, "process"),
  "a thread of another process": () => hashesOf(process.execPath, "thread"),
  ...(oldestNode === undefined ? {} : { "Node 22": () => hashesOf(oldestNode, "process") }),
};

type Hashes = ReadonlyMap<string, Hashed>;

const here = new Map<string, string>();
let elsewhere: ReadonlyMap<string, Promise<Hashes>> | undefined;

/** One runtime after the other, in processes of their own, while scenarios run here: that takes another core. */
function hashesElsewhere(): ReadonlyMap<string, Promise<Hashes>> {
  if (elsewhere !== undefined) return elsewhere;
  let before: Promise<unknown> = Promise.resolve();
  const started = Object.entries(runtimes).map(([name, run]): [string, Promise<Hashes>] => {
    const hashes = before.then(run);
    // Whoever asks for them is told.
    before = hashes.catch(() => undefined);
    return [name, hashes];
  });
  elsewhere = new Map(started);
  return elsewhere;
}

describe.each(files)("%s", (file) => {
  const scenario = parseScenario(file, readFileSync(join(root, file), "utf8"), lab);

  test(
    "passes with two seeds, each twice with the same trace, and each with a trace of its own",
    async () => {
      hashesElsewhere();
      const hashes = new Set<string>();
      for (const seed of [SEED, 2]) {
        const first = await runScenario(scenario, seed, lab);
        const second = await runScenario(scenario, seed, lab);
        if (seed === SEED) here.set(file, first.hash);
        hashes.add(first.hash);

        expect(first.failure).toBeUndefined();
        expect(first.doubts).toEqual([]);
        expect(second.hash).toBe(first.hash);
        expect(second.events).toBe(first.events);
      }
      expect(hashes.size).toBe(2);
    },
    PATIENCE_MS,
  );
});

test("Node 22 is there to compare with", ({ skip }) => {
  if (process.platform !== "linux") return skip("npm has it for Linux only");
  expect(oldestNode).toBeDefined();
  return undefined;
});

describe.each(Object.keys(runtimes))("in %s", (name) => {
  let hashes: Hashes | undefined;

  beforeAll(async () => {
    hashes = await hashesElsewhere().get(name);
  }, PATIENCE_MS);

  test.each(files)("%s has the hash it has here", async (file) => {
    const scenario = parseScenario(file, readFileSync(join(root, file), "utf8"), lab);
    const hash = here.get(file) ?? (await runScenario(scenario, SEED, lab)).hash;

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

      for (const { file, source } of work.scenarios) {
        const plan = parseScenario(file, source, lab);
        const hash = here.get(file) ?? (await runScenario(plan, SEED, lab)).hash;
        expect(hashes.get(file)).toEqual({ file, verdict: "pass", hash });
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

async function hashesOf(node: string, where: "process" | "thread"): Promise<Hashes> {
  const flags = ["--conditions=source", "--no-warnings"];
  const program = [join(import.meta.dirname, "hashes.ts"), where, String(SEED), ...files];
  const { stdout } = await promisify(execFile)(node, [...flags, ...program], { cwd: root });
  const lines = stdout.trimEnd().split("\n");
  const hashed = lines.map((line) => JSON.parse(line) as Hashed);
  return new Map(hashed.map((one) => [one.file, one]));
}
