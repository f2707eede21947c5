/** Compact and indented JSON, YAML, and `filter_path`. */
import { utf8Decode, utf8Encode, concatBytes } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { javaDouble, raw, type Printable } from "../src/json/printable.ts";
import { render, type RenderOptions } from "../src/json/render.ts";

function text(value: Printable, options: Partial<RenderOptions> = {}): string {
  const pieces = render(value, {
    format: "json",
    isPretty: false,
    filterPath: undefined,
    ...options,
  });
  return utf8Decode(concatBytes(pieces));
}

const health = {
  cluster_name: "c",
  indices: {
    a: { status: "green", shards: { "0": { status: "green" } } },
    b: { status: "red", shards: {} },
  },
  list: [{ name: "x", n: 1 }, { name: "y" }],
};

describe("compact JSON", () => {
  test("prints doubles as Java does, integers beyond 2^53 exactly, and leaves out what is undefined", () => {
    const value = {
      a: javaDouble(1),
      b: javaDouble(1e10),
      c: 2n ** 63n,
      d: undefined,
      e: [null, true],
    };

    expect(text(value)).toBe('{"a":1.0,"b":1.0E10,"c":9223372036854775808,"e":[null,true]}');
  });

  test("takes raw bytes over as they are, blanks included", () => {
    const source = raw(utf8Encode('{ "a" : 1.50,  "é":[ ] }'));

    expect(text({ found: true, _source: source })).toBe(
      '{"found":true,"_source":{ "a" : 1.50,  "é":[ ] }}',
    );
  });
});

describe("pretty JSON", () => {
  test("indents raw parts like the rest and keeps their numbers as they were written", () => {
    const value = { a: {}, b: [], c: raw('{"x":1.50,"y":[1,{"z":"\\u00e9"}]}') };

    expect(text(value, { isPretty: true })).toBe(
      '{\n  "a" : { },\n  "b" : [ ],\n  "c" : {\n    "x" : 1.50,\n    "y" : [\n      1,\n      {\n        "z" : "\\u00e9"\n      }\n    ]\n  }\n}\n',
    );
  });
});

describe("filter_path", () => {
  test.each([
    ["cluster_name", '{"cluster_name":"c"}'],
    ["indices.*.status", '{"indices":{"a":{"status":"green"},"b":{"status":"red"}}}'],
    [
      "**.status",
      '{"indices":{"a":{"status":"green","shards":{"0":{"status":"green"}}},"b":{"status":"red"}}}',
    ],
    ["list.name", '{"list":[{"name":"x"},{"name":"y"}]}'],
    ["list.n", '{"list":[{"n":1}]}'],
    ["indices.b", '{"indices":{"b":{"status":"red","shards":{}}}}'],
    ["-indices,-list", '{"cluster_name":"c"}'],
    ["list,-list.name", '{"list":[{"n":1}]}'],
    ["c*e", '{"cluster_name":"c"}'],
    ["nosuch", "{}"],
    ["-*", "{}"],
  ])("%s", (filterPath, expected) => {
    expect(text(health, { filterPath })).toBe(expected);
  });

  test("reaches into raw parts", () => {
    const value = { hits: raw('[{"_source":{"t":"x","k":"y"}}]') };

    expect(text(value, { filterPath: "hits._source,-hits._source.t" })).toBe(
      '{"hits":[{"_source":{"k":"y"}}]}',
    );
  });

  test("leaves nothing at all of a list of which nothing matches", () => {
    expect(text([{ a: 1 }], { filterPath: "b" })).toBe("");
  });
});

describe("YAML", () => {
  test("is in block style with quoted texts; lists are not indented below their key", () => {
    const value = { a: "x", n: 1, list: [{ p: 1, q: [true] }, "s"], empty: {}, none: [] };

    expect(text(value, { format: "yaml" })).toBe(
      '---\na: "x"\n"n": 1\nlist:\n- p: 1\n  q:\n  - true\n- "s"\nempty: {}\nnone: []\n',
    );
  });

  test("breaks long texts at blanks beyond 80 columns, as snakeyaml does", () => {
    const reason =
      "request [/_nodes/stats/transprot,foo,bar] contains unrecognized metrics: [bar], [foo], [transprot] -> did you mean [transport]?";

    expect(text({ error: { reason } }, { format: "yaml" })).toBe(
      '---\nerror:\n  reason: "request [/_nodes/stats/transprot,foo,bar] contains unrecognized metrics:\\\n    \\ [bar], [foo], [transprot] -> did you mean [transport]?"\n',
    );
  });
});
