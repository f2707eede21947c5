/** Every planted bug of test/mutants still fits the sources it is planted in. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parse } from "yaml";

interface Edit {
  readonly file: string;
  readonly replace: string;
  readonly with: string;
}

interface Mutant extends Edit {
  readonly name: string;
  readonly says: string;
  readonly link?: string;
  readonly also?: readonly Edit[];
}

const root = join(import.meta.dirname, "..");
const folder = join(import.meta.dirname, "mutants");
const areas = readdirSync(folder)
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => file.slice(0, -".yaml".length));
const mutants = areas.flatMap((area) => {
  const entries = parse(readFileSync(join(folder, `${area}.yaml`), "utf8")) as Mutant[];
  return entries.map((mutant) => ({ ...mutant, name: `${area}/${mutant.name}` }));
});

describe.each(mutants)("$name", (mutant) => {
  const edits: readonly Edit[] = [mutant, ...(mutant.also ?? [])];

  test.each(edits)("replaces what is once in $file", ({ file, replace, with: by }) => {
    const text = readFileSync(join(root, file), "utf8");

    expect(text.split(replace).length - 1).toBe(1);
    expect(by).not.toBe(replace);
  });

  test("says in one sentence what is wrong", () => {
    expect(mutant.says).toMatch(/^[A-Z].+\.$/);
    expect(mutant.link ?? "https://").toMatch(/^https:\/\//);
  });
});

test("there are at least thirty, each with a name of its own, several from published failures", () => {
  expect(new Set(mutants.map(({ name }) => name)).size).toBe(mutants.length);
  expect(mutants.length).toBeGreaterThanOrEqual(30);
  expect(mutants.filter(({ link }) => link !== undefined).length).toBeGreaterThanOrEqual(8);
});

test("they are spread over what a cluster does", () => {
  expect(areas.toSorted()).toEqual(
    expect.arrayContaining([
      ...["allocation", "dangling", "decommission", "election", "leases", "log", "promotion"],
      ...["publication", "recovery", "replication", "translog"],
    ]),
  );
});

test("the program that a bug is planted in can be made, and runs scenarios", () => {
  const made = mkdtempSync(join(tmpdir(), "mutant-"));
  try {
    const out = join(made, "program.mjs");
    const bundling = `await (await import("./scripts/mutants/bundle.mjs")).bundleScenarios(new Map(), ${JSON.stringify(out)})`;
    execFileSync(process.execPath, ["--input-type=module", "-e", bundling], { cwd: root });
    const asking = `console.log(typeof (await import(${JSON.stringify(out)})).runScenario)`;
    const said = execFileSync(process.execPath, ["--input-type=module", "-e", asking]);
    expect(said.toString().trim()).toBe("function");
  } finally {
    rmSync(made, { recursive: true });
  }
});
