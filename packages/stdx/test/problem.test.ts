/** Problems and claims: what reaches a client, and what must not. */
import { expect, test } from "vitest";
import {
  assert,
  AssertionError,
  defined,
  fail,
  forInputString,
  illegalArgument,
  OperationError,
  problemJson,
  problemOf,
  wordsOf,
} from "../src/index.ts";

test("the problem of an operation error is the one it was made with", () => {
  const { problem } = illegalArgument("bad [x]");

  expect(problem).toEqual({ type: "illegal_argument_exception", reason: "bad [x]", status: 400 });
  expect(problemOf(new OperationError(problem))).toBe(problem);
  expect(() => fail(problem)).toThrow("illegal_argument_exception: bad [x]");
});

test("whatever else was thrown is a 500 that says nothing of the program; its words are for the log", () => {
  const problem = problemOf(new TypeError("x is not a function"));

  expect(JSON.stringify(problemJson(problem))).toBe(
    '{"type":"exception","reason":"unexpected failure, the log of the node tells more"}',
  );
  expect(problem.status).toBe(500);
  expect(wordsOf(new TypeError("x is not a function"))).toBe("TypeError: x is not a function");
  expect(wordsOf(new OperationError(problem))).toBe("TypeError: x is not a function");
  expect(wordsOf(illegalArgument("bad [x]"))).toBe("bad [x]");
  expect(problemOf("text")).toMatchObject({ internal: "text", status: 500 });
});

test("a reason that quotes a very long value tells its beginning and its end, in causes too", () => {
  const text = `<${"é😀".repeat(100_000)}>`;
  const causedBy = { type: "number_format_exception", reason: `bad ${text}`, status: 400 };
  const { problem } = illegalArgument(`no ${text}`, causedBy);

  for (const reason of [problem.reason ?? "", problem.causedBy?.reason ?? ""]) {
    expect(reason.length).toBeLessThan(33_000);
    expect(reason).toMatch(/^(?:no|bad) <é😀.* \.\.\. .*é😀>$/u);
    expect(reason.isWellFormed()).toBe(true);
  }
});

test("a short reason is kept whole", () => {
  const problem = { type: "exception", reason: "x".repeat(32_768), status: 500 };

  expect(new OperationError(problem).problem).toBe(problem);
});

test.each([
  [1000, 1000],
  [1001, 1000],
  [5000, 1000],
])("a text of %i characters that is no number is quoted with %i", (given, quoted) => {
  expect(forInputString("x".repeat(given))).toHaveLength(quoted + 'For input string: ""'.length);
});

test("a false claim and a missing value are bugs", () => {
  expect(() => assert(false, "claim")).toThrow(AssertionError);
  expect(() => defined(undefined, "the thing")).toThrow("the thing is missing");
  expect(defined(0, "the thing")).toBe(0);
});
