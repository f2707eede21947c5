/** Bytes that share memory do not share places in it. */
import { expect, test } from "vitest";
import { shortBytes, shortCopy } from "../src/bytes.ts";

test("what is written to one of many never shows in another, whatever their lengths", () => {
  const made = Array.from({ length: 500 }, (_, i) => shortBytes((i * 37) % 1200));

  expect(made.every((bytes) => bytes.every((byte) => byte === 0))).toBe(true);
  made.forEach((bytes, i) => bytes.fill(i % 256));

  expect(made.map(({ length }) => length)).toEqual(made.map((_, i) => (i * 37) % 1200));
  expect(made.every((bytes, i) => bytes.every((byte) => byte === i % 256))).toBe(true);
});

test("a copy stays as it was when the original changes", () => {
  const original = Uint8Array.of(1, 2, 3);
  const copy = shortCopy(original);
  original.fill(9);

  expect([...copy]).toEqual([1, 2, 3]);
});
