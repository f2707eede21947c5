/** The end of a sweep for people: causes, the Markdown of a job summary, JUnit properties, and folders of scenarios. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { TimedVerdict } from "../src/recorded-run.ts";
import { causeOfFailure, groupsOf, type FailureCause } from "../src/sweep/causes.ts";
import { causeLines, markdownOf, writeJobSummary } from "../src/sweep/job-summary.ts";
import { junitOf } from "../src/sweep/junit.ts";
import { scenarioPaths } from "../src/sweep/scenario-paths.ts";
import type { SweptRun } from "../src/sweep/totals.ts";
import { failing, passing, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const lost: FailureCause = {
  ...{ checker: "no-acknowledged-write-lost", invariant: "INV-DATA-1", subject: "document" },
  fault: "crash",
};

function swept(seed: number, cause?: FailureCause, given: Partial<SweptRun> = {}): SweptRun {
  const verdict = cause === undefined ? "pass" : "fail";
  return {
    ...{ file: "a.yaml", seed, verdict, hash: "00ff", wall_ms: 10, why: cause ? "it is lost" : "" },
    ...{ replay: `npx orrery run a.yaml --seed ${seed}`, ...(cause ? { cause } : {}), ...given },
  };
}

const outcome = { wallMs: 1500, notRun: 0, reason: "interrupted", interrupted: [] };

describe("the cause of a failure", () => {
  const verdict = {
    ...{ verdict: "fail", scenario: "s", seed: 1, world: "sim", hash: "", events: 1 },
    ...{ virtual_ms: 1, operations: 1, acknowledged: 1, failed_writes: 0, unanswered_writes: 0 },
    ...{ doubts: [], last_events: [], wall_ms: 1, receipts: [], findings: [] },
  } satisfies TimedVerdict as TimedVerdict;
  const receipt = (fault: string, startedMs: number, endedMs: number) => ({
    ...{ fault, description: "", place: "", startedMs, endedMs, hits: 1 },
  });
  const receipts = [
    receipt("delay", 10, 20),
    receipt("crash", 300, 400),
    receipt("loss", 600, 700),
  ];
  const finding = { checker: "no-acknowledged-write-lost", says: "lost", atMs: 900 };

  test("has the first fault since a lost write was sent", () => {
    const subjects = [{ document: "a", index: "books", sentMs: 250 }];

    expect(causeOfFailure({ ...verdict, receipts, findings: [{ ...finding, subjects }] })).toEqual({
      checker: finding.checker,
      subject: "document",
      fault: "crash",
    });
  });

  test("has the last fault before anything else was found, also one that lasts", () => {
    const lasting = { at_ms: 800, node: "", kind: "fault-started", fault: "partition" };
    const findings = [{ ...finding, subjects: [{ node: "node-1", term: 3 }] }];
    const last = [JSON.stringify(lasting)];

    expect(causeOfFailure({ ...verdict, receipts, findings })).toMatchObject({
      ...{ subject: "term", fault: "loss" },
    });
    expect(causeOfFailure({ ...verdict, receipts, findings, last_events: last })).toMatchObject({
      fault: "partition",
    });
  });

  test("is none of a run that passed", () => {
    expect(causeOfFailure({ ...verdict, verdict: "pass" })).toBeUndefined();
  });
});

describe("groups", () => {
  test("hold the failures of a checker, subject and fault, the largest first", () => {
    const other = { ...lost, fault: "partition" };
    const runs = [
      swept(5, lost),
      swept(1),
      swept(2, other),
      swept(3, lost),
      swept(9, other),
      swept(4, lost),
    ];

    expect(
      groupsOf(runs).map(({ cause, runs: of }) => [cause.fault, of.map(({ seed }) => seed)]),
    ).toEqual([
      ["crash", [3, 4, 5]],
      ["partition", [2, 9]],
    ]);
  });

  test("tell failures of the run itself apart by their sentence, without its numbers", () => {
    const broken = (seed: number, why: string) => swept(seed, { checker: "run" }, { why });

    expect(
      groupsOf([
        broken(1, "TypeError: x of node-1"),
        broken(2, "TypeError: x of node-2"),
        broken(3, "the run did not end within 60 s"),
      ]).map(({ runs }) => runs.length),
    ).toEqual([2, 1]);
  });
});

test("the last lines tell causes, runs that were interrupted, and bundles that were not kept", () => {
  const runs = [swept(1), swept(2, lost, { bundle: "kept/a.bundle" }), swept(3, lost)];

  expect(causeLines({ ...outcome, runs, interrupted: ["a.yaml seed 4"] })).toEqual([
    "one cause:",
    "  2 × no-acknowledged-write-lost (INV-DATA-1) of a document, after the fault crash: seeds 2, 3",
    "      it is lost",
    "      replay: npx orrery run a.yaml --seed 2",
    "      report: npx orrery report kept/a.bundle",
    "1 run failed without a kept bundle: the replay line of each was printed",
    "interrupted: a.yaml seed 4",
  ]);
  expect(causeLines({ ...outcome, runs: [swept(1)] })).toEqual([]);
});

test("the job summary is a table of scenarios, and a section for each cause", () => {
  const why = "the <b> of [books]|x";
  const runs = [swept(1), swept(2, lost, { why, bundle: "kept/a.bundle" })];
  const text = markdownOf({ ...outcome, runs, notRun: 3 });

  expect(text.split("\n").slice(0, 7)).toEqual([
    ...["## ❌ Orrery: 1 of 2 runs passed in 1.5 s", ""],
    ...["| Scenario | Runs | Passed | Failed | Inconclusive | ms a run |"],
    ...["| --- | ---: | ---: | ---: | ---: | ---: |", "| a.yaml | 2 | 1 | 1 | 0 | 10 |", ""],
    "3 runs not run: interrupted.",
  ]);
  expect(text).toContain(String.raw`seed 2. the &lt;b> of \[books\]\|x`);
  expect(text).toContain("```sh\nnpx orrery run a.yaml --seed 2\n```");
});

test("the job summary is appended where GitHub wants it, and nowhere else", () => {
  const file = join(folder, "summary.md");
  writeFileSync(file, "before\n");
  const runs = [swept(1)];

  writeJobSummary({ ...outcome, runs }, {});
  writeJobSummary({ ...outcome, runs }, { GITHUB_STEP_SUMMARY: file });

  expect(readFileSync(file, "utf8")).toMatch(/^before\n## ✅ Orrery: 1 of 1 runs passed/);
  expect(() => writeJobSummary({ ...outcome, runs }, { GITHUB_STEP_SUMMARY: folder })).toThrow(
    `the job summary [${folder}] cannot be written`,
  );
});

test("JUnit has seed, hash, replay line, cause and bundle of each run", () => {
  const xml = junitOf(
    [swept(1), swept(2, lost, { bundle: "kept/<a>.bundle" })],
    ["a.yaml"],
    () => 2,
  );
  const of = (name: string) =>
    [...xml.matchAll(new RegExp(`name="${name}" value="([^"]*)"`, "g"))].map(([, value]) => value);

  expect(of("seed")).toEqual(["1", "2"]);
  expect(of("hash")).toEqual(["00ff", "00ff"]);
  expect(of("replay")).toEqual([
    "npx orrery run a.yaml --seed 1",
    "npx orrery run a.yaml --seed 2",
  ]);
  expect(of("cause")).toEqual([
    "no-acknowledged-write-lost (INV-DATA-1) of a document, after the fault crash",
  ]);
  expect(of("bundle")).toEqual(["kept/&lt;a&gt;.bundle"]);
});

describe("a folder", () => {
  test("stands for the scenarios below it, each once", () => {
    mkdirSync(join(folder, "deep/er"), { recursive: true });
    mkdirSync(join(folder, "node_modules"));
    for (const name of [
      "b.yaml",
      "deep/er/a.yml",
      "deep/notes.md",
      "node_modules/c.yaml",
      ".d.yaml",
    ])
      writeFileSync(join(folder, name), "");
    symlinkSync(folder, join(folder, "deep/circle"));
    const [first, second] = [join(folder, "b.yaml"), join(folder, "deep/er/a.yml")];

    expect(scenarioPaths([second, folder, "missing.yaml"])).toEqual([
      second,
      first,
      "missing.yaml",
    ]);
  });

  test("without scenarios is refused", async () => {
    expect(await run("sweep", folder)).toEqual({
      ...{ code: 2, out: "", err: `orrery: the folder [${folder}] has no scenario (*.yaml)\n` },
    });
  });

  test("is swept, and its failures are told by cause", async () => {
    writeFileSync(join(folder, "good.yaml"), passing);
    writeFileSync(join(folder, "lossy.yaml"), failing);

    const { code, out } = await run(
      ...["sweep", folder, "--seeds", "1", "--jobs", "1", "--keep", join(folder, "kept")],
    );

    expect(code).toBe(1);
    expect(out).toMatch(
      /^one cause:\n {2}1 × no-acknowledged-write-lost \(INV-DATA-1\) of a document, after the fault crash: seed 1\n/,
    );
    expect(out).toContain("1 passed, 1 failed, 0 inconclusive");
  });
});

test("reasons of any length are grouped, and code of any file name stays in its block", () => {
  const why = `${"a".repeat(2_000_000)}${"[".repeat(200_000)}`;
  const file = "a```\n<img src=x>.yaml";
  const runs = [1, 2].map((seed) =>
    swept(seed, { checker: "run" }, { file, why, replay: `npx orrery run ${file} --seed ${seed}` }),
  );

  const markdown = markdownOf({ ...outcome, runs });

  expect(groupsOf(runs)).toHaveLength(1);
  expect(markdown).toContain("\n````sh\nnpx orrery run a``` <img src=x>.yaml --seed 1\n````\n");
});

test("a report of JUnit has no character that XML lacks", () => {
  const xml = junitOf([swept(1, lost, { why: "\uFFFE\uFFFF\u0001" })], ["a.yaml"], () => 1);

  expect(xml).not.toMatch(/[\uFFFE\uFFFF\u0001]/);
});

test("a report that would replace a scenario, or cannot be written, is refused before the first run", async () => {
  const scenario = join(folder, "a.yaml");
  writeFileSync(scenario, passing);

  const junit = await run("sweep", scenario, "--seeds", "1", "--junit", scenario);
  vi.stubEnv("GITHUB_STEP_SUMMARY", join(folder, "none", "summary.md"));
  const summary = await run("sweep", scenario, "--seeds", "1");
  vi.stubEnv("GITHUB_STEP_SUMMARY", scenario);
  const both = await run("sweep", scenario, "--seeds", "1");
  vi.unstubAllEnvs();

  expect([junit, summary, both].map(({ code, out }) => [code, out])).toEqual([
    [2, ""],
    [2, ""],
    [2, ""],
  ]);
  expect(readFileSync(scenario, "utf8")).toBe(passing);
});
