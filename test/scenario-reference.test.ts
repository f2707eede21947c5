/** What is made from the tables is as the tables are (`npm run reference`), and the library reads as it is written. */
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import {
  buildScenario,
  concernsOf,
  parseScenario,
  writePlan,
  type FileText,
  type Scenario,
} from "@orrery/scenario";
import { settingsSchema } from "../packages/cli/src/configuration/settings-schema.ts";
import { lab } from "../packages/cli/src/lab.ts";
import { publishedSchema } from "../packages/scenario/src/published-schema.ts";
import { codeOf, faultReference, scenarioReference } from "../packages/scenario/src/reference.ts";
import { scenarioTypes } from "../packages/scenario/src/scenario-types.ts";

const root = join(import.meta.dirname, "..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const scenarios = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => join("scenarios", file));

test("the published schema is what the tables say", () => {
  const published: unknown = JSON.parse(read("packages/scenario/schema/scenario.schema.json"));

  expect(published).toEqual(JSON.parse(JSON.stringify(publishedSchema(lab.checkers))));
});

test("the schema of settings files is what the table of options says", () => {
  const published: unknown = JSON.parse(read("packages/cli/schema/orrery.schema.json"));

  expect(published).toEqual(JSON.parse(JSON.stringify(settingsSchema())));
});

test("the types of the builder are what the tables say", () => {
  expect(read("packages/scenario/src/generated/scenario.ts")).toBe(scenarioTypes(lab.checkers));
});

test("the reference of faults and scenarios is what the tables say", () => {
  const example = codeOf(read("packages/scenario/test/example.ts"));

  expect(read("docs/reference/faults.md")).toBe(faultReference());
  expect(read("docs/reference/scenario.md")).toBe(scenarioReference(example, lab.checkers));
});

test("the page of the scenarios lists each of them, under its folder", () => {
  const [, ...sections] = read("scenarios/README.md").split(/^## `/m);
  const listed = sections.flatMap((section) => {
    const folder = section.slice(0, section.indexOf("`"));
    return [...section.matchAll(/^\| `([^`]+)`/gm)].map(
      ([, name]) => `scenarios/${folder}/${name}.yaml`,
    );
  });
  expect(listed.toSorted()).toEqual(scenarios.toSorted());
});

test("the example of the documents is one that runs", async () => {
  const example = codeOf(read("packages/scenario/test/example.ts"));

  const { run } = await import("../packages/scenario/test/example.ts");

  expect(read("packages/scenario/README.md")).toContain(example);
  expect(run).toMatchObject({ verdict: "pass", scenario: "failover/crash", seed: 7 });
});

test.each(scenarios)("%s names the schema, its checkers, and says what it claims", (file) => {
  const lines = read(file).split("\n");
  const steps = file.split("/").length - 1;

  expect(lines[0]).toBe(
    `# yaml-language-server: $schema=${"../".repeat(steps)}packages/scenario/schema/scenario.schema.json`,
  );
  expect(lines.some((line) => line.startsWith("checkers:"))).toBe(true);
  expect(parseScenario(file, read(file), lab).claim).toMatch(/\.$/);
});

test.each(scenarios)("%s raises no concern", (file) => {
  const readFile = (name: string): FileText => ({ text: read(join(dirname(file), name)) });
  const plan = parseScenario(file, read(file), { ...lab, readFile });

  expect(concernsOf(file, read(file), plan)).toEqual([]);
});

test.each(scenarios)("%s is the same plan after it was written and read again", (file) => {
  const plan = parseScenario(file, read(file), lab);

  expect(parseScenario("again.json", JSON.stringify(writePlan(plan)), lab)).toEqual(plan);
});

test.each(scenarios)("%s is the same plan when code says it", (file) => {
  const text = read(file);
  const readFile = (name: string): FileText => ({ text: read(join(dirname(file), name)) });

  const built = buildScenario(parse(text) as Scenario, { ...lab, readFile });

  expect(built).toEqual(parseScenario(file, text, { ...lab, readFile }));
});
