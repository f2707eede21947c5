/**
 * Clusters in worse trouble than the library's, where a claim is only that nothing breaks. One seed of each here: whoever hunts takes
 * many, `npx orrery sweep test/soak/*.yaml --seeds 100`.
 */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { lab } from "../packages/cli/src/lab.ts";
import { parseScenario, runScenario } from "@orrery/scenario";
import { expect, test } from "vitest";

const folder = join(import.meta.dirname, "soak");

test.each(readdirSync(folder).toSorted())("%s holds", async (name) => {
  const plan = parseScenario(name, readFileSync(join(folder, name), "utf8"), lab);

  const { failure, verdict } = await runScenario(plan, 1, lab);

  expect(failure).toBeUndefined();
  expect(verdict).toBe("pass");
});
