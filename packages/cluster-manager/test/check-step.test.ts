/** What outcomes of checks lead to. */
import { describe, expect, test } from "vitest";
import { checkStep } from "../src/check-step.ts";

describe("a check", () => {
  test("that fails counts until as many in a row as are allowed have failed", () => {
    expect(checkStep(0, { kind: "failed" }, 3)).toEqual({ kind: "check-again", failures: 1 });
    expect(checkStep(1, { kind: "failed" }, 3)).toEqual({ kind: "check-again", failures: 2 });
    expect(checkStep(2, { kind: "failed" }, 3)).toEqual({ kind: "lost" });
  });

  test("that is answered begins the count anew", () => {
    expect(checkStep(2, { kind: "answered" }, 3)).toEqual({ kind: "check-again", failures: 0 });
  });

  test("that is refused settles it at once", () => {
    expect(checkStep(0, { kind: "refused" }, 3)).toEqual({ kind: "lost" });
  });
});
