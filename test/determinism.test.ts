/** Same scenario, same seed: same hash. Another seed: another hash. */
import { readdirSync, readFileSync } from "node:fs";
import { join, relative } from "node:path";
import { parseScenario, runScenario } from "@orrery/scenario";
import { describe, expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const files = readdirSync(join(root, "scenarios"), { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".yaml"))
  .map((file) => relative(root, join(root, "scenarios", file)));

describe.each(files)("%s", (file) => {
  const scenario = parseScenario(file, readFileSync(join(root, file), "utf8"));

  test.each([1, 2, 3])("passes with seed %i, twice with the same trace", async (seed) => {
    const first = await runScenario(scenario, seed);
    const second = await runScenario(scenario, seed);

    expect(first.failure).toBeUndefined();
    expect(second.hash).toBe(first.hash);
    expect(second.events).toBe(first.events);
  });

  test("has another trace with another seed", async () => {
    const [first, second] = [await runScenario(scenario, 11), await runScenario(scenario, 12)];

    expect(second.hash).not.toBe(first.hash);
  });
});
