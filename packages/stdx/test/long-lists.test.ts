/** Long lists: what a spread into a call refuses works, and short ones give what the call would. */
import { expect, test } from "vitest";
import { appendAll, greatest, latin1Text, least } from "../src/index.ts";

/** More than fit on the stack of a thread. */
const LENGTH = 600_000;
const numbers = Array.from({ length: LENGTH }, (_, i) => (i * 7919) % LENGTH);

test("a list of any length is appended, in order", () => {
  const list = [-1];

  appendAll(list, numbers);

  expect(list.length).toBe(LENGTH + 1);
  expect(list.slice(0, 3)).toEqual([-1, 0, 7919]);
  expect(list.at(-1)).toBe(numbers.at(-1));
});

test("what is appended may be none, a set, a generator, and the list itself", () => {
  const list = ["a"];

  appendAll(list, []);
  appendAll(list, new Set(["b", "b"]));
  appendAll(
    list,
    (function* letters(): Generator<string> {
      yield "c";
    })(),
  );
  expect(list).toEqual(["a", "b", "c"]);

  appendAll(list, list);
  expect(list).toEqual(["a", "b", "c", "a", "b", "c"]);
});

test("the extremes of many numbers are found", () => {
  expect([greatest(numbers), least(numbers)]).toEqual([LENGTH - 1, 0]);
  expect([greatest(new Set(numbers)), least(numbers.values())]).toEqual([LENGTH - 1, 0]);
});

test.each([[[]], [[0]], [[-0, 0]], [[0, -0]], [[-5, -3]], [[1, Number.NaN, 2]], [[-Infinity]]])(
  "the extremes of %j are those of Math",
  (values: readonly number[]) => {
    expect(greatest(values)).toBe(Math.max(...values));
    expect(least(values)).toBe(Math.min(...values));
  },
);

test("bytes become a character each, however many there are", () => {
  const bytes = Uint8Array.from(numbers);

  const text = latin1Text(bytes);

  expect(text.length).toBe(LENGTH);
  expect(Uint8Array.from(text, (char) => char.charCodeAt(0))).toEqual(bytes);
  expect(latin1Text(new Uint8Array(0))).toBe("");
  expect(latin1Text(Uint8Array.of(0, 65, 128, 159, 255))).toBe("\0A\u0080\u009F\u00FF");
});
