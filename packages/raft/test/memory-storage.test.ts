/** The log in memory, the model of what a durable storage must answer. */
import { utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createMemoryStorage, noLimit, type Entry, type MemoryStorage } from "../src/index.ts";

const entry = (index: number, term: number): Entry => ({
  kind: "EntryNormal",
  term,
  index,
  data: utf8Encode(""),
});

/** Entries 4 and 5 of terms 4 and 5, after a compacted entry 3 of term 3. */
function storageFrom3(): MemoryStorage {
  const storage = createMemoryStorage();
  storage.append([1, 2, 3, 4, 5].map((index) => entry(index, index)));
  storage.compact(3);
  return storage;
}

const terms = (storage: MemoryStorage): unknown => {
  const entries = storage.entries(storage.firstIndex(), storage.lastIndex() + 1, noLimit);
  return typeof entries === "string" ? entries : entries.map(({ term }) => term);
};

test("entries and terms are compacted, known, or unavailable", () => {
  const storage = storageFrom3();

  expect([2, 3, 4, 5, 6].map((index) => storage.term(index))).toEqual([
    "compacted",
    3,
    4,
    5,
    "unavailable",
  ]);
  expect(storage.entries(3, 5, noLimit)).toBe("compacted");
  expect(storage.entries(4, 6, 0)).toHaveLength(1);
  expect(() => storage.entries(4, 7, noLimit)).toThrow("out of bound lastindex(5)");
});

test("appending follows on, overwrites what conflicts, and skips what is compacted", () => {
  const cases: readonly (readonly [Entry[], number[]])[] = [
    [[entry(6, 5)], [4, 5, 5]],
    [[entry(5, 6)], [4, 6]],
    [[entry(4, 6)], [6]],
    [[entry(2, 9), entry(3, 9), entry(4, 9)], [9]],
    [[entry(1, 9)], [4, 5]],
  ];
  for (const [added, expected] of cases) {
    const storage = storageFrom3();
    storage.append(added);
    expect(terms(storage)).toEqual(expected);
  }
  expect(() => storageFrom3().append([entry(8, 9)])).toThrow("missing log entry");
});

test("a snapshot does not compact, and none goes back", () => {
  const storage = storageFrom3();

  expect(storage.createSnapshot(4, undefined, utf8Encode("s"))).toMatchObject({
    index: 4,
    term: 4,
  });
  expect(storage.firstIndex()).toBe(4);
  expect(storage.createSnapshot(4, undefined, utf8Encode("s"))).toBe("out-of-date");
  const older = storage.snapshot();
  expect(older === "unavailable" ? older : storage.applySnapshot(older)).toBe("out-of-date");
  expect(storage.compact(3)).toBe("compacted");
});
