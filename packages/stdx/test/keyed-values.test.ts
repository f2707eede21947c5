/** Values under keys with a type: one for each key, however it is named. */
import { expect, test } from "vitest";
import { createKeyedValues, type ValueKey } from "../src/index.ts";

test("a value is made once, when it is asked for first", () => {
  let made = 0;
  const key: ValueKey<string[]> = {
    name: "words",
    create: () => {
      made += 1;
      return [];
    },
  };
  const values = createKeyedValues();
  expect(made).toBe(0);
  values.of(key).push("a");
  values.of(key).push("b");
  expect(values.of(key)).toEqual(["a", "b"]);
  expect(made).toBe(1);
});

test("keys of one name are two keys", () => {
  const newKey = (): ValueKey<{ count: number }> => ({
    name: "count",
    create: () => ({ count: 0 }),
  });
  const [one, other] = [newKey(), newKey()];
  const values = createKeyedValues();
  values.of(one).count = 3;
  expect(values.of(other).count).toBe(0);
});

test("two objects have values of their own", () => {
  const key: ValueKey<{ count: number }> = { name: "count", create: () => ({ count: 0 }) };
  createKeyedValues().of(key).count = 3;
  expect(createKeyedValues().of(key).count).toBe(0);
});

test("a value may be undefined, and is not made again", () => {
  let made = 0;
  const key: ValueKey<undefined> = {
    name: "nothing",
    create: () => {
      made += 1;
      return undefined;
    },
  };
  const values = createKeyedValues();
  expect([values.of(key), values.of(key)]).toEqual([undefined, undefined]);
  expect(made).toBe(1);
});
