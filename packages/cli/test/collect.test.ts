/** Parts of a sweep: what several machines printed makes the reports of one. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { readShard } from "../src/sweep/seeds.ts";
import { last, passing, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-collect-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  return path;
}

const verdict = (seed: number, change: object = {}): string => {
  const own = { event: "verdict", verdict: "pass", hash: "0a", wall_ms: 5, why: "" };
  const replay = `npx orrery run a.yaml --seed ${seed}`;
  return `${JSON.stringify({ ...own, file: "a.yaml", seed, replay, ...change })}\n`;
};
const summary = (number: number, change: object = {}): string => {
  const own = { event: "summary", passed: 2, failed: 0, inconclusive: 0, not_run: 0, wall_ms: 9 };
  const shard = { number, of: 2, seeds: 4, files: ["a.yaml"] };
  return `${JSON.stringify({ ...own, seeds: [1, 2], shard, ...change })}\n`;
};

test("the parts of a sweep give the summary of the whole, and the JUnit report", async () => {
  const scenario = file("a.yaml", passing);
  const sweep = ["sweep", scenario, "--seeds", "5", "--jobs", "1", "--json"];
  const whole = await run(...sweep);
  for (const number of [1, 2]) {
    const part = await run(...sweep, "--shard", `${number}/2`);
    expect(last(part)).toMatchObject({ shard: { number, of: 2, seeds: 5 } });
    file(`parts/machine-${number}/sweep.ndjson`, part.out);
  }
  const junit = join(folder, "all.xml");

  const collected = await run("collect", join(folder, "parts"), "--junit", junit, "--json");

  expect(collected.code).toBe(0);
  expect(last(collected)).toEqual({ ...last(whole), wall_ms: expect.any(Number) });
  expect(readFileSync(junit, "utf8")).toContain('tests="5" failures="0" errors="0"');
}, 120_000);

test("a log of a container has other lines, and a time before each", async () => {
  const lines = [
    ...verdict(1).split("\n"),
    "{ not a record",
    ...summary(1, { shard: undefined, passed: 1 }).split("\n"),
  ];
  const log = file("pod.log", lines.map((line) => `2026-11-28T07:00:00Z ${line}`).join("\n"));

  const { code, out } = await run("collect", log);

  expect(code).toBe(0);
  expect(out).toBe("a.yaml  1/1 passed  5 ms a run\n1 passed, 0 failed, 0 inconclusive in 0.0 s\n");
});

test("a sweep writes its part into a folder, named by its share", async () => {
  const scenario = file("a.yaml", passing);
  const out = join(folder, "parts");
  for (const number of [1, 2])
    await run("sweep", scenario, "--seeds", "3", "--shard", `${number}/2`, "--out", out);

  await run("sweep", file("b.yaml", passing), "--seeds", "3", "--shard", "1/2", "--out", out);

  expect(readdirSync(out).toSorted()).toEqual([
    expect.stringMatching(/^sweep-[0-9a-f]{8}-1-of-2\.ndjson$/),
    expect.stringMatching(/^sweep-[0-9a-f]{8}-[12]-of-2\.ndjson$/),
    expect.stringMatching(/^sweep-[0-9a-f]{8}-[12]-of-2\.ndjson$/),
  ]);
  const { code, err } = await run("collect", out);
  expect([code, err]).toEqual([
    1,
    expect.stringMatching(/^part 2\/2 of \[.*b\.yaml\] has no summary\n$/),
  ]);
  rmSync(join(folder, "b.yaml"));
  for (const name of readdirSync(out))
    if (readFileSync(join(out, name), "utf8").includes("b.yaml")) rmSync(join(out, name));
  const collected = await run("collect", out, "--json");
  expect(last(collected)).toMatchObject({ passed: 3, failed: 0, not_run: 0, seeds: [1, 2, 3] });
}, 120_000);

test("a part that was interrupted is a failure, one whose budget was used up is none", async () => {
  const whole = { shard: undefined, passed: 1, not_run: 3 };
  const part = (reason: string): string =>
    file("a.ndjson", `${verdict(1)}${summary(1, { ...whole, left_out: reason })}`);

  const interrupted = await run("collect", part("interrupted"));
  const ended = await run("collect", part("the budget was used up"));

  expect([interrupted.code, ended.code]).toEqual([1, 0]);
  expect(interrupted.err).toContain("left out 3 runs: interrupted");
});

test("a log that was cut is a failure that says how much is lost", async () => {
  const log = file("pod.log", `${verdict(3)}${summary(1)}`);
  file("two.ndjson", `${verdict(2)}${verdict(4)}${summary(2)}`);

  const { code, err } = await run("collect", folder);

  expect(code).toBe(1);
  expect(err).toBe(`[${log}] has 1 of 2 runs: its beginning or other lines are lost\n`);
});

test("a part that is missing, and one that did not end, are a failure that names them", async () => {
  file("one.ndjson", `${verdict(1)}${verdict(3)}${summary(1)}`);
  const unfinished = file("two.ndjson", `${verdict(2)}${verdict(4).slice(0, 40)}`);

  const { code, out, err } = await run("collect", folder);

  expect(code).toBe(1);
  expect(out).toContain(
    "3 passed, 0 failed, 0 inconclusive in 0.0 s; 1 not run: parts are missing\n",
  );
  expect(err).toBe(
    `[${unfinished}] has no summary: its sweep did not end\npart 2/2 of [a.yaml] has no summary\n`,
  );
});

test("a seed that two attempts of a part ran counts once, and is a failure if the runs differ", async () => {
  file("one.ndjson", `${verdict(1)}${verdict(3)}${summary(1)}`);
  file("one-again.ndjson", `${verdict(1)}${verdict(3, { hash: "0b" })}${summary(1)}`);
  file("two.ndjson", `${verdict(2)}${verdict(4)}${summary(2)}`);

  const { code, out, err } = await run("collect", folder, "--json");

  expect(code).toBe(1);
  expect(JSON.parse(out)).toMatchObject({ passed: 3, failed: 1, not_run: 0, seeds: [1, 2, 3, 4] });
  expect(err).toMatch(
    /^fail: a.yaml seed 3: the same seed gave the hash 0b in .*one-again.*, and 0a in .*one.ndjson\]\nreplay: /,
  );
});

test.each([
  [[], "expected [orrery collect DIR...], the folders or files of the parts"],
  [["none"], "there is no file or folder [none]"],
  [
    ["FOLDER"],
    "no part of a sweep in [FOLDER]: a part is the output of [orrery sweep --json], saved as .ndjson, .jsonl or .log",
  ],
])("%j is refused", async (args, sentence) => {
  const named = (text: string): string => text.replace("FOLDER", folder);

  const { code, err } = await run("collect", ...args.map(named));

  expect([code, err]).toEqual([2, `orrery: ${named(sentence)}\n`]);
});

describe("the shard of a machine", () => {
  test.each([
    ["auto/4", { JOB_COMPLETION_INDEX: "0" }, { number: 1, of: 4 }],
    ["auto/4", { JOB_COMPLETION_INDEX: "3" }, { number: 4, of: 4 }],
    ["auto", { CI_NODE_INDEX: "2", CI_NODE_TOTAL: "3" }, { number: 2, of: 3 }],
    ["auto/3", { CI_NODE_INDEX: "2" }, { number: 2, of: 3 }],
  ])("[%s] is by %j the one of %j", (text, env, shard) => {
    expect(readShard(text, env)).toEqual(shard);
  });

  test("needs a variable that tells its number", () => {
    expect(() => readShard("auto/4", {})).toThrow(
      "[--shard auto/4] needs the number of this machine: [auto/N] reads JOB_COMPLETION_INDEX or CI_NODE_INDEX, [auto] also CI_NODE_TOTAL",
    );
    expect(() => readShard("auto", { JOB_COMPLETION_INDEX: "0" })).toThrow("[--shard auto] needs");
  });

  test("must be one of them", () => {
    expect(() => readShard("auto/4", { JOB_COMPLETION_INDEX: "4" })).toThrow(
      "[--shard] must be of the form",
    );
  });
});
