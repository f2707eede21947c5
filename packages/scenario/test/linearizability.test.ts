/** Histories of one document: those that an order of writes explains pass, planted anomalies do not. */
import { forSeeds, type Random } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import type { Operation } from "../src/history.ts";
import { findAnomaly, type FinalRead } from "../src/linearizability/documents.ts";
import { judgeSteps, type Model, type Step } from "../src/linearizability/search.ts";

let request = 0;

function write(invokedMs: number, returnedMs: number, given: Partial<Operation>): Operation {
  request += 1;
  const outcome = given.outcome ?? "ok";
  return {
    ...{ kind: "index", client: "c", request, node: "node-1", index: "books", document: "1" },
    ...{ invokedMs, outcome, primaryTerm: 1 },
    ...(outcome === "ok" ? { returnedMs } : {}),
    ...given,
  };
}

const at = (value: number, seqNo: number, primaryTerm = 1): FinalRead => ({
  value,
  seqNo,
  primaryTerm,
});

function judge(operations: readonly Operation[], final?: FinalRead | null): string | undefined {
  const reads = new Map(final === undefined ? [] : [["books/1", final]]);
  return findAnomaly(operations, ({ index, document }) => `${index}/${document}`, reads)?.says;
}

describe("a history", () => {
  test("passes when each write follows the one before it", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { wrote: 2, seqNo: 1, ifSeqNo: 0, ifPrimaryTerm: 1 }),
      write(4, 5, { kind: "delete", seqNo: 2 }),
      write(6, 7, { kind: "create", wrote: 3, seqNo: 3 }),
    ];

    expect(judge(history, at(3, 3))).toBeUndefined();
  });

  test("passes when writes that overlap happened in either order", () => {
    const history = [write(0, 10, { wrote: 1, seqNo: 1 }), write(0, 10, { wrote: 2, seqNo: 0 })];

    expect(judge(history, at(1, 1))).toBeUndefined();
  });

  test("passes when a conflict names the document that it met, and only then", () => {
    const first = write(0, 1, { wrote: 1, seqNo: 0 });
    const second = write(2, 3, { wrote: 2, seqNo: 1 });
    const conflict = (ifSeqNo: number, conflictSeqNo: number): Operation => ({
      ...write(4, 5, { wrote: 3, ifSeqNo, ifPrimaryTerm: 1, outcome: "unknown" }),
      returnedMs: 5,
      status: 409,
      conflictSeqNo,
    });

    expect(judge([first, second, conflict(0, 1)], at(2, 1))).toBeUndefined();
    expect(judge([first, second, conflict(1, 1)], at(2, 1))).toContain("if it was 1 before");
    expect(judge([first, second, conflict(1, 0)], at(2, 1))).toContain("if it was 1 before");
    // With a write that was lost before anybody was told of it.
    expect(judge([first, second, conflict(1, 7)], at(2, 1))).toBeUndefined();
  });

  test("passes when a conflict is with its own first attempt", () => {
    const first = write(0, 1, { wrote: 1, seqNo: 0 });
    const conflict: Operation = {
      ...write(2, 5, { wrote: 2, ifSeqNo: 0, ifPrimaryTerm: 1, outcome: "unknown" }),
      returnedMs: 5,
      status: 409,
      conflictSeqNo: 1,
    };

    expect(judge([first, conflict], at(2, 1))).toBeUndefined();
  });

  test("passes when an update leaves what nobody can tell", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { kind: "update", seqNo: 1 }),
    ];

    expect(judge(history, at(9, 1))).toBeUndefined();
    expect(judge(history, at(1, 0))).toContain("no order of its 2 writes");
  });

  test("passes when an update finds what it would write, and only then", () => {
    const first = write(0, 1, { wrote: 1, seqNo: 0 });
    const same = write(2, 3, { kind: "update", wrote: 1, seqNo: 0, isNoop: true });
    const other = write(2, 3, { kind: "update", wrote: 2, seqNo: 0, isNoop: true });

    expect(judge([first, same], at(1, 0))).toBeUndefined();
    expect(judge([first, other], at(1, 0))).toContain("sequence number 0");
  });

  test("passes when a write nobody heard of again explains what is there", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { wrote: 2, outcome: "unknown" }),
      write(4, 5, { wrote: 3, outcome: "unknown" }),
    ];

    expect(judge(history, at(3, 2))).toBeUndefined();
    expect(judge(history, at(2, 1))).toBeUndefined();
    expect(judge(history, at(1, 0))).toBeUndefined();
  });

  test("passes when a condition names a write that was done twice", () => {
    const history = [
      write(0, 9, { wrote: 1, seqNo: 5 }),
      write(2, 3, { wrote: 2, seqNo: 4, ifSeqNo: 3, ifPrimaryTerm: 1 }),
    ];

    expect(judge(history, at(1, 5))).toBeUndefined();
  });
});

describe("an anomaly is found:", () => {
  test("two compare-and-sets on the same sequence number are acknowledged", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 9, { wrote: 2, seqNo: 1, ifSeqNo: 0, ifPrimaryTerm: 1 }),
      write(2, 9, { wrote: 3, seqNo: 2, ifSeqNo: 0, ifPrimaryTerm: 1 }),
    ];

    expect(judge(history)).toContain("no order of its 3 writes explains");
  });

  test("a write is lost", () => {
    const history = [write(0, 1, { wrote: 1, seqNo: 0 }), write(2, 3, { wrote: 2, seqNo: 1 })];

    expect(judge(history, at(1, 0))).toContain("no order of its 2 writes ends with");
    expect(judge(history, null)).toContain("no order of its 2 writes ends with null");
  });

  test("a deleted document is back", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { kind: "delete", seqNo: 1 }),
    ];

    expect(judge(history, at(1, 0))).toContain("no order of its 2 writes ends with");
  });

  test("a later write has a lower sequence number", () => {
    const history = [write(0, 1, { wrote: 1, seqNo: 7 }), write(2, 3, { wrote: 2, seqNo: 6 })];

    expect(judge(history)).toContain("no order of its 2 writes explains");
  });

  test("a document is created twice", () => {
    const history = [
      write(0, 1, { kind: "create", wrote: 1, seqNo: 0 }),
      write(2, 3, { kind: "create", wrote: 2, seqNo: 1 }),
    ];

    expect(judge(history)).toContain("explains the create of 2");
  });

  test("a read shows what nobody wrote", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { kind: "get", read: 9, seqNo: 5 }),
    ];

    expect(judge(history)).toBe("books/1: 9 was read, and nobody wrote it");
  });

  test("one sequence number has two contents", () => {
    const history = [
      write(0, 1, { wrote: 1, seqNo: 0 }),
      write(2, 3, { wrote: 2, seqNo: 1 }),
      write(4, 5, { kind: "get", read: 1, seqNo: 1 }),
    ];

    expect(judge(history)).toBe("books/1: sequence number 1 of primary term 1 is 2, and it is 1");
  });
});

/** A counter whose reads must be exact: small enough to try every order. */
type Count = { readonly adds: boolean; readonly value: number };
const counter: Model<number> = { initial: 0, identify: String };

function stepOf({ invokedMs, returnedMs, adds, value }: Call): Step<number> {
  const apply = (before: number): number | undefined =>
    adds ? before + value : before === value ? before : undefined;
  return { invokedMs, returnedMs, apply };
}

interface Call extends Count {
  readonly invokedMs: number;
  readonly returnedMs: number;
}

test("the search finds an order exactly when trying all orders finds one", () => {
  const kinds = new Set<string>();
  forSeeds(600, (random) => {
    const calls = Array.from({ length: random.int(1, 6) }, () => anyCall(random));

    const { kind } = judgeSteps(counter, calls.map(stepOf));

    expect(kind).toBe(hasOrder(calls, 0) ? "linearizable" : "impossible");
    kinds.add(kind);
  });
  expect(kinds.size).toBe(2);
});

test("an optional call happens before it returns or not at all", () => {
  const add: Call = { adds: true, value: 1, invokedMs: 0, returnedMs: 2 };
  const optional = { ...stepOf(add), isOptional: true };
  const reads = (value: number, invokedMs: number): Step<number> =>
    stepOf({ adds: false, value, invokedMs, returnedMs: invokedMs + 1 });
  const judgeReads = (...steps: readonly Step<number>[]): string =>
    judgeSteps(counter, [optional, ...steps]).kind;

  expect(judgeReads(reads(0, 3))).toBe("linearizable");
  expect(judgeReads(reads(1, 3))).toBe("linearizable");
  expect(judgeReads(reads(0, 3), reads(1, 5))).toBe("impossible");
  expect(judgeReads(reads(0, 0), reads(1, 5))).toBe("linearizable");
});

test("a search that is too long is given up", () => {
  const calls = Array.from({ length: 30 }, (_, i): Call => {
    const returnedMs = Number.POSITIVE_INFINITY;
    return { adds: true, value: 2 ** (i % 20), invokedMs: 0, returnedMs };
  });
  const last: Call = { adds: false, value: -1, invokedMs: 1, returnedMs: 2 };

  expect(judgeSteps(counter, [...calls, last].map(stepOf), 10_000).kind).toBe("undecided");
});

function anyCall(random: Random): Call {
  const invokedMs = random.int(0, 8);
  const isLost = random.int(0, 4) === 0;
  const adds = random.int(0, 1) === 0;
  return {
    adds,
    value: random.int(adds ? 1 : 0, 3),
    invokedMs,
    returnedMs: isLost ? Number.POSITIVE_INFINITY : invokedMs + random.int(1, 6),
  };
}

/** By brute force: any call may be next that no other one has to come before. */
function hasOrder(rest: readonly Call[], state: number): boolean {
  if (rest.every(({ returnedMs }) => returnedMs === Number.POSITIVE_INFINITY)) return true;
  return rest.some((call) => {
    if (rest.some((other) => other !== call && other.returnedMs < call.invokedMs)) return false;
    const next = stepOf(call).apply(state);
    return (
      next !== undefined &&
      hasOrder(
        rest.filter((other) => other !== call),
        next,
      )
    );
  });
}
