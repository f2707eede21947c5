/** Sweeps: which seeds run, what comes of failures and of processes that die, and what is reported. */
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { junitOf } from "../src/sweep/junit.ts";
import { barOf } from "../src/sweep/progress.ts";
import { readShard, seedsOf } from "../src/sweep/seeds.ts";
import type { SweptRun } from "../src/sweep/totals.ts";
import { failing, last, passing, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(name: string, text: string): string {
  writeFileSync(join(folder, name), text);
  return join(folder, name);
}

test("every scenario runs under every seed, each run by the hash it has alone", async () => {
  const files = [file("a.yaml", passing), file("b.yaml", passing.replace("short", "other"))];

  const outcome = await run("sweep", ...files, "--seeds", "3", "--jobs", "2", "--json");

  const lines = outcome.out.trimEnd().split("\n");
  const verdicts = lines.slice(0, -1).map((line) => JSON.parse(line) as SweptRun);
  const alone = last(await run("run", files[0] ?? "", "--seed", "2", "--json"));
  expect(outcome.code).toBe(0);
  expect(last(outcome)).toEqual({
    ...{ event: "summary", passed: 6, failed: 0, inconclusive: 0, not_run: 0 },
    ...{ wall_ms: expect.any(Number), seeds: [1, 2, 3] },
  });
  expect(verdicts.find((one) => one.file === files[0] && one.seed === 2)?.hash).toBe(alone["hash"]);
});

test("a failure keeps a bundle that replays, and tells the line that runs it again", async () => {
  const lossy = file("lossy.yaml", failing);
  const keep = join(folder, "kept/here");
  const junit = join(folder, "junit.xml");

  const outcome = await run(
    ...["sweep", lossy, file("good.yaml", passing), "--seeds", "1", "--jobs", "1"],
    ...["--keep", keep, "--junit", junit, "--json"],
  );

  expect(outcome.code).toBe(1);
  expect(last(outcome)).toMatchObject({ passed: 1, failed: 1, inconclusive: 0 });
  expect(outcome.err).toContain(`\nreplay: npx orrery run ${lossy} --seed 1\n`);
  expect(readdirSync(keep)).toEqual(["test-lossy-seed-1.bundle"]);
  const replayed = await run("replay", join(keep, "test-lossy-seed-1.bundle"), "--json");
  expect(last(replayed)).toMatchObject({ same: true, verdict: "fail" });
  const xml = readFileSync(junit, "utf8");
  expect(xml.match(/<testcase /g)).toHaveLength(2);
  expect(xml.match(/<failure message="INV-DATA-1, no-acknowledged-write-lost: /g)).toHaveLength(1);
});

test("a budget that is spent ends the sweep with the seeds that ran", async () => {
  const outcome = await run(
    ...["sweep", file("a.yaml", passing), "--seeds", "100000", "--jobs", "1"],
    ...["--budget", "1ms", "--json"],
  );

  const { passed, seeds, not_run } = last(outcome) as {
    passed: number;
    seeds: readonly number[];
    not_run: number;
  };
  expect(outcome.code).toBe(0);
  expect(not_run).toBe(100_000 - passed);
  expect(passed).toBeLessThan(10);
  expect(seeds).toHaveLength(passed);
});

test("the runs that a budget left out are told in the line and in the JUnit file", async () => {
  const junit = join(folder, "junit.xml");

  const { code, out } = await run(
    ...["sweep", file("a.yaml", passing), "--seeds", "100000", "--jobs", "1"],
    ...["--budget", "1ms", "--junit", junit],
  );

  const notRun = /; (\d+) not run: the budget was used up\n$/.exec(out)?.[1];
  expect(code).toBe(0);
  expect(Number(notRun)).toBeGreaterThan(99_990);
  expect(readFileSync(junit, "utf8")).toContain(`<property name="not_run" value="${notRun}"/>`);
});

test("a part without seeds says so", async () => {
  const { code, out } = await run(
    ...["sweep", file("a.yaml", passing), "--shard", "2/2", "--seeds", "1"],
  );

  expect(code).toBe(0);
  expect(out).toMatch(/^0 passed, 0 failed, 0 inconclusive in .* s; this part has no seeds\n$/);
});

/** A sweep whose jobs begin with this code. */
async function sweepAfter(code: string, ...args: readonly string[]) {
  const before = process.env["NODE_OPTIONS"];
  process.env["NODE_OPTIONS"] = `--import=${file("first.mjs", code)}`;
  try {
    return await run("sweep", ...args, "--jobs", "1", "--keep", join(folder, "kept"), "--json");
  } finally {
    if (before === undefined) delete process.env["NODE_OPTIONS"];
    else process.env["NODE_OPTIONS"] = before;
  }
}

test("a run that takes its process down is a failure, and the sweep goes on", async () => {
  const death = 'process.on("message", () => process.kill(process.pid, 9));';

  const outcome = await sweepAfter(death, file("a.yaml", passing), "--seeds", "2");

  expect(outcome.code).toBe(1);
  expect(last(outcome)).toMatchObject({ passed: 0, failed: 2, seeds: [1, 2] });
  expect(outcome.err).toContain("the run's process ended with SIGKILL");
});

test("an interrupted recording leaves nothing half-written", async () => {
  const keep = join(folder, "kept");
  const death = `import { existsSync, readdirSync } from "node:fs";
    const isBegun = () => existsSync("${keep}") && readdirSync("${keep}").some((name) => name.endsWith(".part"));
    setInterval(() => { if (isBegun()) process.kill(process.pid, 9); }, 1).unref();`;

  const outcome = await sweepAfter(death, file("lossy.yaml", failing), "--seeds", "1");

  expect(outcome.err).toContain("the run's process ended with SIGKILL");
  expect(existsSync(keep)).toBe(false);
});

test("a folder that another sweep has removed is made again", async () => {
  const keep = join(folder, "kept");
  const removal = `import { rmSync } from "node:fs";
    process.on("message", () => rmSync("${keep}", { recursive: true, force: true }));`;

  await sweepAfter(removal, file("lossy.yaml", failing), "--seeds", "1");

  expect(readdirSync(keep)).toEqual(["test-lossy-seed-1.bundle"]);
});

test("a bundle that cannot be kept hides no verdict", async () => {
  const keep = join(folder, "kept");
  mkdirSync(join(keep, "test-lossy-seed-1.bundle"), { recursive: true });

  const { code, err } = await run(
    ...["sweep", file("lossy.yaml", failing), "--seeds", "1", "--jobs", "1", "--keep", keep],
  );

  expect(code).toBe(1);
  expect(err).toMatch(
    /^fail: .*seed 1: INV-DATA-1, no-acknowledged-write-lost: .*; the bundle \[.*\] cannot be written: it is a folder\nreplay: /,
  );
});

describe("a sweep with --twice", () => {
  test("passes when each run has the hash again that it had", async () => {
    const outcome = await run(
      "sweep",
      file("a.yaml", passing),
      "--seeds",
      "2",
      "--twice",
      "--json",
    );

    expect(outcome.code).toBe(0);
    expect(last(outcome)).toMatchObject({ passed: 2, failed: 0 });
  });

  test("fails when something outside of the simulation makes a run another one", async () => {
    const now = `const { imul } = Math;
      let calls = 0;
      Math.imul = (a, b) => imul(a, b) ^ ((calls += 1) % 4999 === 0 ? 1 : 0);`;

    const outcome = await sweepAfter(now, file("a.yaml", passing), "--seeds", "1", "--twice");

    expect(outcome.code).toBe(1);
    expect(last(outcome)).toMatchObject({ passed: 0, failed: 1 });
    expect(outcome.err).toMatch(/seed 1: the same seed gave the hash \w{16}, then \w{16}/);
  });
});

describe("shards", () => {
  test.each([1, 2, 3, 7, 40, 50])("%i parts are the whole, each seed once", (of) => {
    const parts = Array.from({ length: of }, (_, i) => seedsOf(40, { number: i + 1, of }));

    const all = parts.flat().toSorted((a, b) => a - b);
    const sizes = parts.map((part) => part.length);
    expect(all).toEqual(Array.from({ length: 40 }, (_, i) => i + 1));
    expect(Math.max(...sizes) - Math.min(...sizes)).toBeLessThanOrEqual(1);
  });

  test.each(["0/2", "3/2", "1/0", "1", "a/b", "-1/2", "1.5/2"])("[%s] is refused", (text) => {
    expect(() => readShard(text)).toThrow(
      `[--shard] must be of the form [I/N] with I from 1 to N, such as [2/4], not [${text}]`,
    );
  });
});

describe("refused before anything runs", () => {
  test.each([
    [[], "expected [orrery sweep SCENARIO...], at least one scenario file"],
    [["none.yaml"], "there is no scenario [none.yaml]"],
    [
      ["GOOD", "--seeds", "many"],
      "[--seeds] must be a whole number from 1 to 10000000, not [many]",
    ],
    [["GOOD", "--jobs", "0"], "[--jobs] must be a whole number from 1 to 256, not [0]"],
    [["GOOD", "--budget", "soon"], "[--budget] must be a time value such as [10m], not [soon]"],
    [["GOOD", "--keep", "GOOD"], "the folder [GOOD] cannot be made: [GOOD] is no folder"],
    [["GOOD", "--keep", "GOOD/x"], "the folder [GOOD/x] cannot be made: [GOOD] is no folder"],
    [["GOOD", "--seeds", "-1"], "[--seeds] must be a whole number from 1 to 10000000, not [-1]"],
    [["GOOD", "--seeds"], "[--seeds] takes a value"],
    [["GOOD", "--seed", "1"], "unknown option [--seed] -> did you mean [--seeds]?"],
  ])("%j", async (args, sentence) => {
    const good = file("good.yaml", passing);
    const real = `${passing.replace("test/short", "test/real")}worlds: [grpc]\n`;
    const named = (text: string): string =>
      text.replaceAll("GOOD", good).replace("REAL", file("real.yaml", real));

    const { code, out, err } = await run("sweep", ...args.map(named));

    expect([code, out, err]).toEqual([2, "", `orrery: ${named(sentence)}\n`]);
  });

  test.skipIf(!existsSync("/proc/self"))("a folder that takes no file", async () => {
    const { code, out, err } = await run("sweep", file("a.yaml", passing), "--keep", "/proc");

    expect([code, out]).toEqual([2, ""]);
    expect(err).toMatch(/^orrery: the folder \[\/proc\] cannot be written: /);
  });

  test("a JUnit file that is there stays when nothing runs", async () => {
    const junit = file("junit.xml", "old");

    await run("sweep", file("a.yaml", passing), "--junit", junit, "--keep", junit);

    expect(readFileSync(junit, "utf8")).toBe("old");
  });

  test("a JUnit file that cannot be written", async () => {
    const junit = join(folder, "no/junit.xml");

    const { code, out } = await run("sweep", file("a.yaml", passing), "--junit", junit);

    expect([code, out, existsSync(junit)]).toEqual([2, "", false]);
  });
});

test("JUnit text is escaped, and an inconclusive run is an error", () => {
  const swept: SweptRun = {
    ...{ file: "a<b>.yaml", seed: 4, verdict: "inconclusive", hash: "", wall_ms: 1500 },
    ...{ why: 'it "never" took\u0007 effect & more', replay: "npx orrery run a.yaml" },
  };
  const xml = junitOf([swept], [swept.file], () => 1);

  expect(xml).toContain(
    '<testsuite name="a&lt;b&gt;.yaml" tests="1" failures="0" errors="1" time="1.500">',
  );
  expect(xml).toContain('<error message="it &quot;never&quot; took\uFFFD effect &amp; more">');
});

test("the bar says how far it is and how long it takes yet", () => {
  expect(barOf({ done: 30, failed: 2, total: 120, seconds: 10 })).toBe(
    `[${"#".repeat(7)}${".".repeat(23)}] 30/120, 2 not passed, 3.0 runs/s, 30 s left`,
  );
});

test.each([80, 40, 20])("the bar has one row of %i columns", (columns) => {
  const bar = barOf({ done: 1234, failed: 0, total: 11_200, seconds: 398 }, columns);

  expect(bar.length).toBe(columns - 1);
  expect(bar).toContain("1234/11200, 0 not p");
});
