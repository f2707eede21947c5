/** The text format by itself. */
import parse from "parse-prometheus-text-format";
import { expect, test } from "vitest";
import { exposition } from "../src/exposition.ts";

test("quotes, backslashes and line breaks in labels are escaped", () => {
  const path = 'a "b" \\ c\nd';
  const samples = [{ labels: { path }, value: 1.5 }];

  const text = exposition([{ name: "x", help: "one\ntwo", type: "gauge", samples }], "p_");

  expect(text).toBe(
    '# HELP p_x one\\ntwo\n# TYPE p_x gauge\np_x{path="a \\"b\\" \\\\ c\\nd"} 1.5\n',
  );
  expect(parse(text)[0]?.metrics).toEqual([{ value: "1.5", labels: { path } }]);
});
