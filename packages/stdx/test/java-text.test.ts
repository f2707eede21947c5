/** JSON values in the words of Java's collections. */
import { expect, test } from "vitest";
import { javaText } from "../src/java-text.ts";
import type { Json } from "../src/problem.ts";

const rows: readonly (readonly [Json | undefined, string])[] = [
  [{}, "{}"],
  [[], "[]"],
  [{ a: 1, b: ["x", null, { c: true }] }, "{a=1, b=[x, null, {c=true}]}"],
  ["text", "text"],
  [null, "null"],
  [undefined, "null"],
  [10n ** 20n, "100000000000000000000"],
  [JSON.parse('{"__proto__":{"toString":1}}') as Json, "{__proto__={toString=1}}"],
];

test.each(rows.map(([value, text]) => [text, value] as const))("%s", (text, value) => {
  expect(javaText(value)).toBe(text);
});
