/** What is made from the tables is as the tables are: `npm run reference`. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { parseScenario, writePlan } from "../src/index.ts";
import { planSchema } from "../src/plan-shape.ts";
import { codeOf, faultReference, scenarioReference } from "../src/reference.ts";
import { scenarioTypes } from "../src/scenario-types.ts";

const root = join(import.meta.dirname, "../../..");
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const scenarios = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => join("scenarios", file));

test("the published schema is what the tables say", () => {
  const published: unknown = JSON.parse(read("packages/scenario/schema/scenario.schema.json"));

  expect(published).toEqual(JSON.parse(JSON.stringify(planSchema())));
});

test("the types of the builder are what the tables say", () => {
  expect(read("packages/scenario/src/generated/scenario.ts")).toBe(scenarioTypes());
});

test("the reference of faults and scenarios is what the tables say", () => {
  const example = codeOf(read("packages/scenario/test/example.ts"));

  expect(read("docs/reference/faults.md")).toBe(faultReference());
  expect(read("docs/reference/scenario.md")).toBe(scenarioReference(example));
});

test("the example of the documents is one that runs", async () => {
  const example = codeOf(read("packages/scenario/test/example.ts"));

  const { run } = await import("./example.ts");

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
  expect(parseScenario(file, read(file)).claim).toMatch(/\.$/);
});

test.each(scenarios)("%s is the same plan after it was written and read again", (file) => {
  const plan = parseScenario(file, read(file));

  expect(parseScenario("again.json", JSON.stringify(writePlan(plan)))).toEqual(plan);
});
