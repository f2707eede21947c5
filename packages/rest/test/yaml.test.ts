/** Bodies in YAML: how deep they may be, and how long. */
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { jsonOfYaml } from "../src/json/read-yaml.ts";

test("names of object prototypes are members", () => {
  expect(JSON.stringify(jsonOfYaml("__proto__:\n  x: 1\nconstructor: 2\n"))).toBe(
    '{"__proto__":{"x":1},"constructor":2}',
  );
});

test.each([
  [
    "mappings",
    (levels: number) => Array.from({ length: levels }, (_, i) => `${" ".repeat(i)}a:`).join("\n"),
  ],
  ["lists", (levels: number) => `${"- ".repeat(levels)}1`],
])("%s in each other are refused when they are too deep", (_, nested) => {
  expect(() => jsonOfYaml(nested(900))).not.toThrow();
  expect(() => jsonOfYaml(nested(5000))).toThrow(OperationError);
});

test("a long list of mappings is read in one go", () => {
  const items = Array.from({ length: 50_000 }, (_, i) => `- a: ${i}\n  b: 1`);
  expect(jsonOfYaml(items.join("\n"))).toHaveLength(50_000);
});
