/** Names that every object has by its prototype are keys like any other. */
import { describe, expect, test } from "vitest";
import { lookup, setKey, setKeys } from "../src/index.ts";

const NAMES = ["__proto__", "constructor", "toString", "valueOf", "hasOwnProperty"];

describe.each(NAMES)("a record and the name %s", (name) => {
  test("has no member that nobody put there", () => {
    expect(lookup({}, name)).toBeUndefined();
    expect(lookup(undefined, name)).toBeUndefined();
  });

  test("keeps the member that was put there, and its prototype", () => {
    const record: Record<string, unknown> = {};

    setKey(record, name, { x: 1 });

    expect(lookup(record, name)).toEqual({ x: 1 });
    expect(JSON.stringify(record)).toBe(`{"${name}":{"x":1}}`);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });

  test("takes the member of another record", () => {
    const record: Record<string, unknown> = { a: 1 };

    setKeys(record, JSON.parse(`{"${name}":2}`) as Record<string, unknown>);

    expect(JSON.stringify(record)).toBe(`{"a":1,"${name}":2}`);
    expect(Object.getPrototypeOf(record)).toBe(Object.prototype);
  });
});

test("a later member of the same name takes the place of the one before", () => {
  const record: Record<string, number> = {};
  setKey(record, "__proto__", 1);

  setKey(record, "__proto__", 2);

  expect(JSON.stringify(record)).toBe('{"__proto__":2}');
});
