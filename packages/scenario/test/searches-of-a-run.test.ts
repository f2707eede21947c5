/** Searches of a run: what is lawful passes, and each kind of wrong hit is found. */
import { describe, expect, test } from "vitest";
import type { Finding } from "../src/checkers/checker.ts";
import { judgeSearches } from "../src/checkers/searches-of-a-run.ts";
import type { Operation } from "../src/history.ts";

type Given = Partial<Operation> & { readonly at: readonly [invokedMs: number, returnedMs: number] };

function operation({ at: [invokedMs, returnedMs], ...given }: Given): Operation {
  return {
    ...{ kind: "index", client: "c", request: 1, node: "node-1", index: "books", outcome: "ok" },
    ...{ invokedMs, returnedMs },
    ...given,
  };
}

const write = (document: string, wrote: number, seqNo: number, given: Given): Operation =>
  operation({ document, wrote, seqNo, ...given });

const erase = (document: string, seqNo: number, given: Given): Operation =>
  operation({ kind: "delete", document, seqNo, ...given });

const refresh = (given: Given): Operation =>
  operation({ kind: "request", isRefresh: true, ...given });

const search = (found: Readonly<Record<string, number>>, given: Given): Operation => {
  const hits = Object.entries(found).map(([document, value]) => ({ document, value }));
  return operation({
    kind: "search",
    isForAll: true,
    isWhole: true,
    hits,
    total: hits.length,
    ...given,
  });
};

function judge(
  operations: readonly Operation[],
  mayBeOutOfDate = false,
  newPrimaries: readonly number[] = [],
): Finding {
  return judgeSearches(
    { operations: [...operations] },
    {
      clusterOf: () => "main",
      mayBeOutOfDate,
      newPrimaries: new Map([["main/books", newPrimaries]]),
    },
  );
}

describe("searches during a run", () => {
  const first = write("a", 1, 0, { at: [0, 10] });

  test("may miss what was written after the refresh, and find it", () => {
    const late = write("b", 2, 1, { at: [12, 30] });
    const before = [first, refresh({ at: [10, 20] }), late];

    expect(judge([...before, search({ a: 1 }, { at: [40, 50] })])).toBeUndefined();
    expect(judge([...before, search({ a: 1, b: 2 }, { at: [40, 50] })])).toBeUndefined();
  });

  test("may find any of the writes whose order nobody knows", () => {
    const doubtful = write("a", 2, 1, { at: [1, 11], outcome: "unknown" });
    const before = [first, doubtful, refresh({ at: [20, 25] })];

    expect(judge([...before, search({ a: 2 }, { at: [30, 40] })])).toBeUndefined();
    expect(judge([...before, search({ a: 1 }, { at: [30, 40] })])).toBeUndefined();
  });

  test("are not asked for more than they show", () => {
    const page = search({}, { at: [30, 40], total: 1 });
    const partial = search({}, { at: [30, 40], isWhole: false });
    const narrow = search({}, { at: [30, 40], isForAll: false });

    expect(judge([first, refresh({ at: [10, 20] }), page, partial, narrow])).toBeUndefined();
  });

  test("must find what was written before a refresh", () => {
    expect(judge([first, refresh({ at: [10, 20] }), search({}, { at: [30, 40] })])).toBe(
      "a search at 30 ms: it did not find books/a, which had been written before a refresh",
    );
  });

  test("must find what was acknowledged as found, without another refresh", () => {
    const waited = write("a", 1, 0, { at: [0, 10], refresh: "wait_for" });
    const plain = write("b", 2, 1, { at: [2, 12] });
    const missing =
      "a search at 30 ms: it did not find books/a, which had been written before a refresh";

    expect(judge([waited, plain, search({}, { at: [30, 40] })])).toBe(missing);
    expect(judge([waited, plain, search({ a: 1 }, { at: [30, 40] })])).toBeUndefined();
    expect(judge([waited, search({}, { at: [5, 40] })])).toBeUndefined();
    expect(
      judge([{ ...waited, outcome: "unknown" }, search({}, { at: [30, 40] })]),
    ).toBeUndefined();
    expect(judge([waited, search({}, { at: [30, 40] })], false, [20])).toBeUndefined();
  });

  test("must not find what was deleted before a refresh", () => {
    const gone = [first, erase("a", 1, { at: [11, 12] }), refresh({ at: [13, 20] })];

    expect(judge([...gone, search({ a: 1 }, { at: [30, 40] })])).toBe(
      "a search at 30 ms: it found books/a, which had been deleted before a refresh",
    );
  });

  test("must not find what was overwritten before a refresh", () => {
    const again = [first, write("a", 2, 1, { at: [11, 12] }), refresh({ at: [13, 20] })];

    expect(judge([...again, search({ a: 1 }, { at: [30, 40] })])).toBe(
      "a search at 30 ms: it found books/a as 1, and before a refresh 2 had been written",
    );
  });

  test("must not find what nobody wrote, refreshed or not", () => {
    expect(judge([first, search({ a: 7 }, { at: [30, 40] })], true)).toBe(
      "a search at 30 ms: it found books/a as 7, and nobody had written that",
    );
  });

  test("may be answered by a copy that is out of date where nodes are cut off", () => {
    const missing = [first, refresh({ at: [10, 20] }), search({}, { at: [30, 40] })];

    expect(judge(missing, true)).toBeUndefined();
  });

  test("may miss something around the change of a primary", () => {
    const missing = [first, refresh({ at: [3000, 3010] }), search({}, { at: [3020, 3030] })];

    expect(judge(missing, false, [2000])).toBeUndefined();
    expect(judge(missing, false, [3025])).toBeUndefined();
    expect(judge(missing, false, [500])).toContain("it did not find books/a");
  });

  test("count a refresh only when no copy failed it", () => {
    const half = refresh({ at: [10, 20], outcome: "failed" });

    expect(judge([first, half, search({}, { at: [30, 40] })])).toBeUndefined();
  });
});
