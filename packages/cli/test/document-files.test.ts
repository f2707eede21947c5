/** Where the documents of a shrunk plan go: few stay in the scenario, many lie in a file beside it that says the same. */
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parsePlan, printScenario, type Plan } from "@orrery/scenario";
import type { JsonObject } from "@orrery/stdx";
import { afterAll, beforeAll, expect, test } from "vitest";
import { withDocumentFiles } from "../src/document-files.ts";
import { readScenarioFile } from "../src/scenario-file.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "orrery-cli-"));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});

function planOf(documents: number): JsonObject {
  const contents = Array.from({ length: documents }, (_, i) => ({
    id: `"${i}"`,
    source: `{"at":${i}.0}`,
  }));
  const data = { file: "elsewhere/people.ndjson", contents };
  return { name: "test/beside", claim: "Used by tests.", indices: { people: { data } } };
}

function writtenAndRead(plan: JsonObject, name: string): Plan["indices"] {
  const file = join(folder, name);
  writeFileSync(file, printScenario(withDocumentFiles(plan, file), []));
  return readScenarioFile(file).plan.indices;
}

test("a few stay in the scenario", () => {
  const plan = planOf(3);

  expect(writtenAndRead(plan, "few.yaml")).toEqual(parsePlan("test", plan).indices);
  expect(readdirSync(folder)).toEqual(["few.yaml"]);
});

test("many lie beside it", () => {
  const plan = planOf(3000);

  const [people] = writtenAndRead(plan, "many.yaml");

  const [before] = parsePlan("test", plan).indices;
  expect(people?.data).toEqual({ ...before?.data, file: "many-people.ndjson" });
});
