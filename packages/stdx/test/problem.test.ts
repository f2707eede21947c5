/** Problems and claims: what reaches a client, and what must not. */
import { expect, test } from "vitest";
import {
  assert,
  AssertionError,
  defined,
  fail,
  illegalArgument,
  OperationError,
  problemOf,
} from "../src/index.ts";

test("the problem of an operation error is the one it was made with", () => {
  const { problem } = illegalArgument("bad [x]");

  expect(problem).toEqual({ type: "illegal_argument_exception", reason: "bad [x]", status: 400 });
  expect(problemOf(new OperationError(problem))).toBe(problem);
  expect(() => fail(problem)).toThrow("illegal_argument_exception: bad [x]");
});

test("whatever else was thrown is a 500 with its own words", () => {
  expect(problemOf(new TypeError("no"))).toEqual({
    type: "exception",
    reason: "TypeError: no",
    status: 500,
  });
  expect(problemOf("text")).toMatchObject({ reason: "text", status: 500 });
});

test("a false claim and a missing value are bugs", () => {
  expect(() => assert(false, "claim")).toThrow(AssertionError);
  expect(() => defined(undefined, "the thing")).toThrow("the thing is missing");
  expect(defined(0, "the thing")).toBe(0);
});
