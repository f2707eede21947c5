/** The log of one node: appending, committing, reading across the border of what is stable, applying. */
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createMemoryStorage, emptyConfState, noLimit, type Entry } from "../src/index.ts";
import {
  acceptApplying,
  append,
  appliedTo,
  commitTo,
  createLog,
  entriesFrom,
  findConflictByTerm,
  hasNextCommittedEntries,
  isUpToDate,
  lastPosition,
  maybeAppend,
  maybeCommit,
  nextCommittedEntries,
  restoreLog,
  slice,
  termAt,
  type Log,
} from "../src/log.ts";
import { encodedSize } from "../src/entry-size.ts";
import { stableTo } from "../src/unstable.ts";

const entry = (index: number, term: number, data = ""): Entry => ({
  kind: "EntryNormal",
  term,
  index,
  data: utf8Encode(data),
});

/** Terms by position, the first `stable` of them in storage. */
function logOf(terms: readonly number[], stable = terms.length, maxApplyingSize = noLimit): Log {
  const entries = terms.map((term, at) => entry(at + 1, term));
  const storage = createMemoryStorage();
  storage.append(entries.slice(0, stable));
  const log = createLog(storage, maxApplyingSize, undefined);
  append(log, entries.slice(stable));
  return log;
}

const terms = (entries: readonly Entry[] | string): unknown =>
  typeof entries === "string" ? entries : entries.map(({ term }) => term);

describe("appending what a leader sends", () => {
  test("is refused when the entry before does not match", () => {
    const log = logOf([1, 2, 3]);

    expect(maybeAppend(log, { term: 2, index: 3 }, [entry(4, 4)], 3)).toBe(undefined);
    expect(maybeAppend(log, { term: 3, index: 4 }, [entry(5, 4)], 3)).toBe(undefined);
    expect(lastPosition(log)).toEqual({ term: 3, index: 3 });
    expect(log.committed).toBe(0);
  });

  test("commits no further than what is known to match", () => {
    const log = logOf([1, 1, 1]);

    expect(maybeAppend(log, { term: 1, index: 1 }, [], 3)).toBe(1);

    expect(log.committed).toBe(1);
  });

  test("keeps a longer log that does not conflict", () => {
    const log = logOf([1, 1, 2], 1);

    expect(maybeAppend(log, { term: 1, index: 1 }, [entry(2, 1)], 2)).toBe(2);

    expect(lastPosition(log)).toEqual({ term: 2, index: 3 });
  });

  test("replaces a conflicting tail, stable or not", () => {
    for (const stable of [1, 2, 3]) {
      const log = logOf([1, 1, 1], stable);

      expect(maybeAppend(log, { term: 1, index: 1 }, [entry(2, 2)], 1)).toBe(2);

      expect(lastPosition(log)).toEqual({ term: 2, index: 2 });
      expect(terms(slice(log, 1, 3, noLimit))).toEqual([1, 2]);
    }
  });

  test("never replaces committed entries", () => {
    const log = logOf([1, 1, 1]);
    commitTo(log, 2);

    expect(() => maybeAppend(log, { term: 1, index: 1 }, [entry(2, 2)], 1)).toThrow(
      "entry 2 conflict with committed entry [committed(2)]",
    );
    expect(() => append(log, [entry(2, 2)])).toThrow("after(1) is out of range [committed(2)]");
  });
});

describe("committing", () => {
  test("by counting only works for entries of the term", () => {
    const log = logOf([1, 2, 2]);

    expect(maybeCommit(log, { term: 2, index: 1 })).toBe(false);
    expect(maybeCommit(log, { term: 2, index: 3 })).toBe(true);
    expect(maybeCommit(log, { term: 2, index: 2 })).toBe(false);
    expect(log.committed).toBe(3);
  });

  test("beyond the end of the log is a broken invariant", () => {
    expect(() => commitTo(logOf([1]), 2)).toThrow("tocommit(2) is out of range [lastIndex(1)]");
  });
});

test("a log is up to date if its last term is later, or the same and it is no shorter", () => {
  const log = logOf([1, 2, 3]);

  const answers = [
    { term: 4, index: 1 },
    { term: 3, index: 3 },
    { term: 3, index: 2 },
    { term: 2, index: 9 },
  ].map((theirs) => isUpToDate(log, theirs));

  expect(answers).toEqual([true, true, false, false]);
});

test("the guess where logs part skips all entries of later terms", () => {
  const log = logOf([2, 2, 4, 4, 7]);

  expect(findConflictByTerm(log, 5, 7)).toEqual({ index: 5, term: 7 });
  expect(findConflictByTerm(log, 5, 6)).toEqual({ index: 4, term: 4 });
  expect(findConflictByTerm(log, 5, 3)).toEqual({ index: 2, term: 2 });
  expect(findConflictByTerm(log, 5, 1)).toEqual({ index: 0, term: 0 });
  expect(findConflictByTerm(log, 7, 1)).toEqual({ index: 7, term: 0 });
});

describe("reading", () => {
  test("spans storage and what is not yet stable", () => {
    const log = logOf([1, 1, 2, 3], 2);

    expect(terms(slice(log, 1, 5, noLimit))).toEqual([1, 1, 2, 3]);
    expect(terms(slice(log, 2, 4, noLimit))).toEqual([1, 2]);
    expect(entriesFrom(log, 5, noLimit)).toEqual([]);
  });

  test("is cut at the size limit, wherever the border lies, but gives one entry at least", () => {
    const size = encodedSize(entry(1, 1));
    for (const stable of [0, 1, 2, 3, 4]) {
      const log = logOf([1, 1, 1, 1], stable);

      const counts = [0, size, 2 * size - 1, 2 * size, 3 * size + 1, noLimit].map(
        (limit) => entriesFrom(log, 1, limit).length,
      );

      expect(counts).toEqual([1, 1, 1, 2, 3, 4]);
    }
  });

  test("tells compacted from missing", () => {
    const storage = createMemoryStorage();
    storage.applySnapshot({ index: 5, term: 2, confState: emptyConfState, data: utf8Encode("") });
    const log = createLog(storage, noLimit, undefined);

    expect([4, 5, 6].map((index) => termAt(log, index))).toEqual(["compacted", 2, "unavailable"]);
    expect(slice(log, 5, 6, noLimit)).toBe("compacted");
    expect(() => slice(log, 6, 8, noLimit)).toThrow("slice[6,8) out of bound [6,5]");
  });
});

describe("applying", () => {
  test("pauses while the entries handed out reach the limit", () => {
    const size = encodedSize(entry(1, 1));
    const log = logOf([1, 1, 1, 1], 4, 2 * size);
    commitTo(log, 4);

    expect(nextCommittedEntries(log, true)).toHaveLength(2);
    acceptApplying(log, 2, 2 * size, true);
    expect(hasNextCommittedEntries(log, true)).toBe(false);
    appliedTo(log, 1, size);
    expect(nextCommittedEntries(log, true)).toHaveLength(1);
    acceptApplying(log, 3, size, true);
    expect(hasNextCommittedEntries(log, true)).toBe(false);
    appliedTo(log, 3, 2 * size);
    expect(nextCommittedEntries(log, true)).toHaveLength(1);
  });

  test("pauses when the next entry would exceed the limit", () => {
    const size = encodedSize(entry(1, 1));
    const log = logOf([1, 1, 1], 3, 2 * size + 1);
    commitTo(log, 3);

    acceptApplying(log, 2, 2 * size, true);

    expect(hasNextCommittedEntries(log, true)).toBe(false);
  });

  test("waits for entries to be durable if asked to", () => {
    const log = logOf([1, 1], 1);
    commitTo(log, 2);

    expect(nextCommittedEntries(log, true)).toHaveLength(2);
    expect(nextCommittedEntries(log, false)).toHaveLength(1);
  });

  test("waits for a snapshot", () => {
    const log = logOf([1, 1]);
    commitTo(log, 2);
    restoreLog(log, { index: 7, term: 3, confState: emptyConfState, data: utf8Encode("") });

    expect(hasNextCommittedEntries(log, true)).toBe(false);
    expect(lastPosition(log)).toEqual({ term: 3, index: 7 });
  });

  test("never goes back nor beyond what is committed", () => {
    const log = logOf([1, 1, 1]);
    commitTo(log, 2);
    appliedTo(log, 2, 0);

    expect(() => appliedTo(log, 1, 0)).toThrow("applied(1) is out of range");
    expect(() => appliedTo(log, 3, 0)).toThrow("applied(3) is out of range");
    expect(() => acceptApplying(log, 3, 0, true)).toThrow("applying(3) is out of range");
  });
});

describe("making entries durable", () => {
  test("takes the acknowledged entries off the unstable part", () => {
    const log = logOf([1, 1, 2], 0);

    stableTo(log.unstable, 2, 1);

    expect(log.unstable.offset).toBe(3);
    expect(terms(log.unstable.entries)).toEqual([2]);
  });

  test("ignores an acknowledgement of entries that were replaced since", () => {
    const log = logOf([1, 1], 0);
    maybeAppend(log, { term: 1, index: 1 }, [entry(2, 2)], 0);

    stableTo(log.unstable, 2, 1);
    stableTo(log.unstable, 9, 1);

    expect(log.unstable.offset).toBe(1);
  });
});
