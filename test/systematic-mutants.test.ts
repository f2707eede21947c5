/** The mutants that are made mechanically: what the operators make, and that those set aside are still there. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./repository.ts";

interface Mutant {
  readonly name: string;
  readonly operator: string;
  readonly area: string;
  readonly was: string;
  readonly becomes: string;
}

interface Equivalent {
  readonly name: string;
  readonly was: string;
  readonly becomes: string;
  readonly reason: string;
}

/** Scripts are plain JavaScript that nothing is compiled from: they run as they do for `npm run mutants`. */
function evaluate(expression: string): unknown {
  const program = `
    const sites = await import("./scripts/mutants/sites.mjs");
    const { sourcesOfAreas } = await import("./scripts/mutants/areas.mjs");
    console.log(JSON.stringify(${expression}));
  `;
  const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
    ...{ cwd: root, encoding: "utf8", maxBuffer: 256 * 1024 * 1024 },
  });
  expect(stderr).toBe("");
  return JSON.parse(stdout);
}

/** Operator, text before, text after. */
function made(text: string): string[] {
  const origin = { file: "one/src/file.ts", area: "one", path: "packages/one/src/file.ts" };
  const call = `sites.mutantsIn(${JSON.stringify(text)}, ${JSON.stringify(origin)})`;
  const mutants = evaluate(call) as Mutant[];
  return mutants.map(
    ({ name, was, becomes }) => `${name.split("/").slice(2).join("/")}: ${was} -> ${becomes}`,
  );
}

describe("operators", () => {
  test("omit an early return, negate its condition, and do not compare its term", () => {
    expect(made("function f(a: A) { if (a.term !== 3) return; }")).toEqual([
      "f/negate-condition/1: a.term !== 3 -> !(a.term !== 3)",
      "f/skip-guard/1: if (a.term !== 3) return; -> ;",
      "f/omit-comparison/1: a.term !== 3 -> false",
    ]);
  });

  test("put an answer before the wait, and do not wait at all", () => {
    const mutants = made("const f = async (s: S) => { await s.sync(); s.send(1); };");

    expect(mutants).toEqual([
      "f/delay-await/1: await s.sync(); s.send(1); -> s.send(1); await s.sync();",
      "f/skip-persist/1: await s.sync(); -> ;",
      "f/drop-await/1: await s.sync(); -> void s.sync();",
      "f/skip-send/1: s.send(1); -> ;",
    ]);
  });

  test("release only where all went well", () => {
    expect(made("function f(p: P) { try { p.go(); } finally { p.release(); } }")).toContain(
      "f/skip-finally/1: try { p.go(); } finally { p.release(); } -> { { p.go(); } { p.release(); } }",
    );
  });

  test("leave alone what only a person or an assertion sees", () => {
    expect(
      made("function f(a: A) { assert(a.id === 1); a.logger?.info(a.n < 2 ? 1 : 2); }"),
    ).toEqual([]);
  });

  test("count their places function by function", () => {
    const names = made("function f(a: A) { a.x = 1; a.y = 2; } function g(a: A) { a.x = 1; }");

    expect(names.map((name) => name.split(":")[0])).toEqual([
      ...["f/skip-assignment/1", "f/skip-assignment/2", "g/skip-assignment/1"],
    ]);
  });
});

test("a probe is executed with the mutant's statement, wherever that is", () => {
  const texts = [
    "function f(a: A) { g(); if (a) h(); }",
    "const f = (a: A) => a.x && a.y;",
    "function f(a: A) { switch (a.k) { case 1: h(); } }",
  ];
  const origin = JSON.stringify({ file: "one/src/f.ts", area: "one", path: "f.ts" });
  const calls = texts.map(
    (text) =>
      `sites.edited(${JSON.stringify(text)}, sites.probing(sites.mutantsIn(${JSON.stringify(text)}, ${origin}).at(-1).probe, "p()"))`,
  );

  expect(evaluate(`[${calls.join(", ")}]`)).toEqual([
    "function f(a: A) { g(); if (a) { p(); h(); } }",
    "const f = (a: A) => (p(), (a.x && a.y));",
    "function f(a: A) { switch (a.k) { case 1: p(); h(); } }",
  ]);
});

describe("of the sources", () => {
  const candidates = evaluate(
    "sourcesOfAreas().flatMap((source) => sites.mutantsOf(source))",
  ) as Mutant[];

  test("are mutants with names of their own, of every area and two dozen operators", () => {
    expect(new Set(candidates.map(({ name }) => name)).size).toBe(candidates.length);
    expect(new Set(candidates.map(({ area }) => area)).size).toBe(9);
    expect(new Set(candidates.map(({ operator }) => operator)).size).toBeGreaterThanOrEqual(24);
  });

  test("the mutants that were set aside are as they were, each with a reason", () => {
    const path = join(root, "test/mutants/systematic/equivalent.yaml");
    const entries = existsSync(path) ? (parse(readFileSync(path, "utf8")) as Equivalent[]) : [];
    const known = new Map(candidates.map((mutant) => [mutant.name, mutant]));

    for (const { name, was, becomes, reason } of entries) {
      expect(known.get(name), name).toMatchObject({ was, becomes });
      expect(reason, name).toMatch(/^[A-Z].+\.$/);
    }
    expect(new Set(entries.map(({ name }) => name)).size).toBe(entries.length);
  });
});
