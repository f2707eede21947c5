/** How failed shards show in an answer. */
import type { Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { searchFailed } from "../src/search/failures.ts";
import type { ShardProblem } from "../src/search/shard-request.ts";

function failedBy(problem: Problem): Problem | undefined {
  const target = { index: { name: "i" }, shard: 0 };
  const failure = { target, nodeId: "n", problem } as unknown as ShardProblem;
  return searchFailed("query", "all shards failed", [failure]).problem.causedBy;
}

describe("the cause of a failed search", () => {
  test("is the first shard's problem", () => {
    const problem = {
      type: "query_shard_exception",
      reason: "failed to create query",
      status: 400,
    };
    expect(failedBy(problem)).toEqual(problem);
  });

  test("is the innermost of the product's own exceptions", () => {
    const syntax = { type: "parse_exception", reason: "unexpected end of expression", status: 400 };
    const script = {
      type: "script_exception",
      reason: "compile error",
      status: 400,
      causedBy: syntax,
    };
    const query = { type: "query_shard_exception", reason: "no", status: 400, causedBy: script };
    expect(failedBy(query)).toEqual(script);
  });

  test("is told twice when it is not the product's own exception", () => {
    const causedBy = {
      type: "number_format_exception",
      reason: 'For input string: "a"',
      status: 400,
    };
    const problem = { type: "illegal_argument_exception", reason: "no", status: 400, causedBy };
    expect(failedBy(problem)).toEqual({
      type: "illegal_argument_exception",
      reason: "no",
      status: 400,
      causedBy: problem,
    });
  });
});
