/** The story of a run as it is printed: what stands in it, and when it has colours. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { createPaint } from "../src/colours.ts";
import { failing, passing, run } from "./command.ts";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function file(text: string): string {
  const path = join(folder, "scenario.yaml");
  writeFileSync(path, text);
  return path;
}

test("a run is told from its claim to its question, with names and virtual times", async () => {
  const { code, out } = await run("run", file(`${passing}question: What did you see?\n`));

  const lines = out.trimEnd().split("\n");
  expect(code).toBe(0);
  expect(lines[0]).toBe("Used by tests.");
  expect(out).toMatch(/^ +\d\.\d\d s {2}node-1, node-2 and node-3 start$/m);
  expect(out).toMatch(/^ +\d\.\d\d s {2}node-1 is elected cluster manager, term 1$/m);
  expect(out).toMatch(/^\d+ writes acknowledged$/m);
  expect(out).toMatch(/^● test\/short seed 1: pass, \d+ events, .* hash [0-9a-f]{16}$/m);
  expect(out).toContain("held: INV-COORD-1    In any term at most one node publishes");
  expect(lines.at(-1)).toBe("Question: What did you see?");
});

test("a failure is told with the meaning of its invariant, and what happened before", async () => {
  const { code, out, err } = await run("run", file(failing));

  expect(code).toBe(1);
  expect(out).toMatch(/^ +\d\.\d\d s {2}node-\d loses power$/m);
  expect(out).toMatch(/^ {2}INV-DATA-1, no-acknowledged-write-lost: /m);
  expect(out).toContain("The invariant: Once the cluster has healed, a document whose write");
  expect(err).toMatch(/^replay: npx orrery run .* --seed 1\n$/);
});

test("two runs of one seed tell the same story", async () => {
  const path = file(failing);
  const stories = [await run("run", path), await run("run", path)].map(({ out }) =>
    out.replace(/ in \d+ ms/, ""),
  );

  expect(stories[0]).toBe(stories[1]);
});

describe("colours", () => {
  const red = "\u001B[31mx\u001B[39m";

  test.each([
    [{ isTTY: true }, {}, red],
    [{ isTTY: false }, {}, "x"],
    [{}, {}, "x"],
    [{ isTTY: true }, { NO_COLOR: "1" }, "x"],
    [{ isTTY: true }, { NO_COLOR: "" }, red],
    [{ isTTY: true }, { TERM: "dumb" }, "x"],
    [{ isTTY: false }, { FORCE_COLOR: "1" }, red],
    [{ isTTY: false }, { FORCE_COLOR: "1", NO_COLOR: "1" }, red],
    [{ isTTY: true }, { FORCE_COLOR: "0" }, "x"],
  ])("on %j with %j", (stream, environment, painted) => {
    expect(createPaint(stream, environment)("bad", "x")).toBe(painted);
  });
});
