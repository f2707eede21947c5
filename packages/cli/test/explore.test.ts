/** Explorations from the command line: what they end with, what a seed repeats, what they keep, and what is refused. */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createExplorer, parseScenario } from "@orrery/scenario";
import { afterEach, beforeEach, expect, test } from "vitest";
import { writeFinding, reportFinding } from "../src/explore/found.ts";
import { lab } from "../src/lab.ts";
import { last, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

const explore = (...options: readonly string[]) =>
  run(
    "explore",
    "--area",
    "administration",
    "--jobs",
    "1",
    "--json",
    "--keep",
    join(folder, "findings"),
    ...options,
  );

test("so many runs end with a summary, and the same seed with the same one", async () => {
  const curve = join(folder, "curve.csv");

  const first = await explore("--runs", "2", "--seed", "7", "--curve", curve);
  const again = await explore("--runs", "2", "--seed", "7");

  const { wall_ms: _, ...summary } = last(first);
  expect(summary).toMatchObject({ event: "summary", runs: 2, findings: 0, drawn: { runs: 2 } });
  expect(last(again)).toEqual({ ...summary, wall_ms: expect.any(Number) });
  expect(readFileSync(curve, "utf8").split("\n")).toHaveLength(4);
  expect(first.code).toBe(0);
}, 120_000);

test("a corpus is gone on from", async () => {
  const corpus = join(folder, "corpus");

  const first = last(await explore("--runs", "1", "--corpus", corpus));
  const kept = readdirSync(corpus).length;
  const second = last(await explore("--runs", "1", "--corpus", corpus, "--seed", "2"));

  expect(kept).toBeGreaterThan(0);
  expect(Number(second["behaviours"])).toBeGreaterThan(Number(first["behaviours"]));
}, 120_000);

test("a corpus that is no folder is bad input", async () => {
  const file = join(folder, "corpus.csv");
  writeFileSync(file, "");

  const { code, err } = await explore("--runs", "1", "--corpus", file);

  expect([code, err]).toEqual([2, expect.stringMatching(/^orrery: the folder .* is no folder\n$/)]);
});

test("files of a corpus that hold no plan are named, and the others are gone on from", async () => {
  const corpus = join(folder, "corpus");
  await explore("--runs", "1", "--corpus", corpus);
  writeFileSync(join(corpus, "0-no-json.json"), "{");
  writeFileSync(join(corpus, "1-no-plan.json"), '{"sketch":{"__proto__":1},"seed":1}');

  const { code, err } = await explore("--runs", "1", "--corpus", corpus);

  expect(code).toBe(0);
  expect(err).toContain("hold no plan that this version can run: 0-no-json.json, 1-no-plan.json");
}, 120_000);

test("a finding is a scenario with a claim and the line that runs it again", () => {
  const { sketch, seed } = createExplorer({ seed: 1, area: "administration" }).next();
  const finding = {
    checker: "converges-to-green",
    invariant: "INV-COORD-2",
    says: "a copy is UNASSIGNED",
    atMs: 9,
  };

  const found = { number: 3, sketch, seed, finding, times: 1, last: ["node crashed"] };
  const { line } = writeFinding(folder, found);

  const file = join(folder, "converges-to-green-3.yaml");
  const plan = parseScenario(file, readFileSync(file, "utf8"), lab);
  expect(line).toMatchObject({
    event: "scenario",
    file,
    seed,
    group: "converges-to-green | INV-COORD-2 | node crashed",
  });
  expect(reportFinding(found).line).toEqual({
    ...{ event: "finding", judge: "converges-to-green", invariant: "INV-COORD-2" },
    ...{ says: "a copy is UNASSIGNED", seed },
  });
  expect(line["replay"]).toBe(`npx orrery run ${file} --seed ${seed}`);
  expect(plan.claim).toContain("a copy is UNASSIGNED");
  expect(plan.checkers).toContain("converges-to-green");
});

test.each([
  [["--area", "weather"], "unknown area [weather]"],
  [["--budget", "soon"], "[--budget] must be a time value"],
  [["plan.yaml"], "unexpected [plan.yaml]"],
])("%j is refused", async (options, sentence) => {
  const { code, err } = await run("explore", ...options);

  expect(code).toBe(2);
  expect(err).toContain(sentence);
});
