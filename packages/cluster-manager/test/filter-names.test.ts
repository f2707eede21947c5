/** Which indices of a snapshot an expression means. */
import { describe, expect, test } from "vitest";
import { filterNames } from "../src/snapshots/filter-names.ts";

const held = ["a1", "a2", "b1", "-odd"];
const strict = { ignoreUnavailable: false, allowNoIndices: true };

describe("indices of a snapshot", () => {
  test.each([
    [[], held],
    [["_all"], held],
    [["a*"], ["a1", "a2"]],
    [["a*", "-a1"], ["a2"]],
    [["-a1"], ["a2", "b1", "-odd"]],
    [
      ["-a*", "a1"],
      ["a1", "b1", "-odd"],
    ],
    [["-odd"], ["-odd"]],
    [
      ["b1", "+a1"],
      ["a1", "b1"],
    ],
    [["z*"], []],
  ])("%j means %j", (wanted, names) => {
    expect(filterNames(held, wanted, strict)).toEqual(names);
  });

  test("one that is not there is refused unless that does not matter", () => {
    expect(() => filterNames(held, ["a1", "z"], strict)).toThrow("no such index [z]");
    expect(filterNames(held, ["a1", "z"], { ...strict, ignoreUnavailable: true })).toEqual(["a1"]);
  });

  test("a pattern that means nothing is refused where it must mean something", () => {
    expect(() => filterNames(held, ["z*"], { ...strict, allowNoIndices: false })).toThrow(
      "no such index [z*]",
    );
  });
});
