/** Problems as the product prints exceptions. */
import type { Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { errorEnvelope } from "../src/errors.ts";
import { indicesIn } from "../src/snapshots/body.ts";

function envelope(problem: Problem, isDetailed = false): unknown {
  return JSON.parse(JSON.stringify(errorEnvelope(problem, { isDetailed })));
}

describe("the error envelope", () => {
  test("prints metadata after the reason, and the cause last", () => {
    const problem: Problem = {
      type: "index_not_found_exception",
      reason: "no such index [x]",
      status: 404,
      metadata: { index: "x", index_uuid: "_na_" },
    };

    expect(JSON.stringify(envelope(problem))).toBe(
      '{"error":{"root_cause":[{"type":"index_not_found_exception","reason":"no such index [x]","index":"x","index_uuid":"_na_"}],' +
        '"type":"index_not_found_exception","reason":"no such index [x]","index":"x","index_uuid":"_na_"},"status":404}',
    );
  });

  test("has the innermost of the product's own exceptions as root cause, without its own cause", () => {
    const parser: Problem = { type: "json_parse_exception", reason: "bad", status: 400 };
    const inner: Problem = {
      type: "mapper_parsing_exception",
      reason: "inner",
      status: 400,
      causedBy: parser,
    };
    const outer: Problem = {
      type: "mapper_parsing_exception",
      reason: "outer",
      status: 400,
      causedBy: inner,
    };

    expect(envelope(outer)).toMatchObject({
      error: {
        root_cause: [{ type: "mapper_parsing_exception", reason: "inner" }],
        reason: "outer",
      },
    });
  });

  test("unwraps parser exceptions down to the innermost", () => {
    const inner: Problem = {
      type: "x_content_parse_exception",
      reason: "unknown field",
      status: 400,
    };
    const outer: Problem = {
      type: "x_content_parse_exception",
      reason: "failed",
      status: 400,
      causedBy: inner,
    };

    expect(envelope(outer)).toMatchObject({ error: { root_cause: [{ reason: "unknown field" }] } });
  });

  test("keeps an argument problem as its own root cause, whatever caused it", () => {
    const causedBy: Problem = { type: "number_format_exception", reason: "x", status: 400 };
    const problem: Problem = {
      type: "illegal_argument_exception",
      reason: "y",
      status: 400,
      causedBy,
    };

    expect(envelope(problem)).toEqual({
      error: {
        root_cause: [{ type: "illegal_argument_exception", reason: "y" }],
        type: "illegal_argument_exception",
        reason: "y",
        caused_by: { type: "number_format_exception", reason: "x" },
      },
      status: 400,
    });
  });

  test("has a stack trace only when asked for, in root causes too", () => {
    const problem: Problem = { type: "exception", reason: "z", status: 500 };

    expect(envelope(problem)).not.toHaveProperty("error.stack_trace");
    expect(envelope(problem, true)).toMatchObject({
      error: {
        stack_trace: "OpenSearchException[z]",
        root_cause: [{ stack_trace: "OpenSearchException[z]" }],
      },
    });
  });
});

test("names of indices that are objects are texts, whatever their members are named", () => {
  expect(indicesIn({ indices: [{ toString: null }, 1] })).toEqual(["{toString=null}", "1"]);
});
