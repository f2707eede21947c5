/** Each row of these tables has a test of its own, which reads as its specification. */
import { describe, expect, test } from "vitest";
import { testedTables, testsOfRows } from "./tests-of-rows.ts";

describe.each(Object.entries(testedTables))("%s", (_, table) => {
  const tests = testsOfRows(table);

  test("each row has a test of its own", () => {
    expect(table.rows.filter((row) => (tests.get(row) ?? []).length === 0)).toEqual([]);
  });

  test.each(table.titles ?? [])("each row has a test that %s", (beginning) => {
    const lacks = table.rows.filter(
      (row) => !(tests.get(row) ?? []).some((title) => title.startsWith(beginning)),
    );
    expect(lacks).toEqual([]);
  });
});
