/** 64-bit values: sums of sort keys, the wire between nodes, texts with fractions, explicit mapping flags. */
import { describe, expect, it } from "vitest";
import {
  coreLanguage,
  createMapping,
  decodePlain,
  encodePlain,
  mergeMapping,
} from "../src/index.ts";
import { combineLongs } from "../src/sorts/long-modes.ts";
import { utf8Encode } from "@orrery/stdx";

const UNSIGNED_MAX = 18_446_744_073_709_551_615n;

describe("sort modes of longs", () => {
  it("let sums wrap around as 64-bit integers do", () => {
    expect(combineLongs([1, 9_223_372_036_854_775_807n], "sum", false)).toBe(
      -9_223_372_036_854_775_808n,
    );
    expect(
      combineLongs([13_835_058_055_282_163_713n, 13_835_058_055_282_163_714n], "sum", true),
    ).toBe(9_223_372_036_854_775_811n);
  });

  it("round means half up, signed ones as doubles", () => {
    expect(combineLongs([2, 922_337_203_685_477_777n], "avg", false)).toBe(
      461_168_601_842_738_880n,
    );
    expect(
      combineLongs([2, 13_835_058_055_282_163_715n, 13_835_058_055_282_163_716n], "avg", true),
    ).toBe(3_074_457_345_618_258_606n);
  });

  it("take the middle value, or the mean of the middle two", () => {
    expect(combineLongs([1, 5, 9], "median", false)).toBe(5);
    expect(combineLongs([-2, -1, 5, 2_147_483_648], "median", false)).toBe(2);
  });
});

describe("plain data on the wire", () => {
  it.each([UNSIGNED_MAX, 1n << 63n, (1n << 63n) - 1n, -(1n << 63n), 0n])("keeps %s", (value) => {
    expect(decodePlain(encodePlain({ value }))).toEqual({ value });
  });
});

describe("mappings", () => {
  const merged = (update: Parameters<typeof mergeMapping>[1]): unknown =>
    mergeMapping({}, update, { language: coreLanguage, settings: {}, reason: "create" });

  it("may switch the source off when an index is created", () => {
    expect(merged({ _source: { enabled: false } })).toEqual({ _source: { enabled: false } });
  });

  it("refuse to switch the source off later", () => {
    const current = { properties: { a: { type: "long" } } };
    expect(() =>
      mergeMapping(
        current,
        { _source: { enabled: false } },
        { language: coreLanguage, settings: {} },
      ),
    ).toThrow("Mapper for [_source] conflicts");
  });

  it("keep a flag that says the default, because an index setting may say otherwise", () => {
    const json = { properties: { n: { type: "integer", ignore_malformed: false } } };
    expect(merged(json)).toEqual(json);
    const mapping = createMapping(coreLanguage, json, { "index.mapping.ignore_malformed": "true" });
    expect(() => mapping.parseDocument("1", utf8Encode(`{"n":"x"}`), undefined)).toThrow(
      "failed to parse field [n]",
    );
  });

  it("take the properties of an object from the template that made it", () => {
    const mapping = createMapping(
      coreLanguage,
      {
        dynamic: "strict_allow_templates",
        dynamic_templates: [
          {
            o: { match: "o*", mapping: { type: "object", properties: { a: { type: "keyword" } } } },
          },
        ],
      },
      {},
    );
    const { mappingUpdate } = mapping.parseDocument("1", utf8Encode(`{"o1":{"a":"x"}}`), undefined);
    expect(mappingUpdate).toEqual({
      properties: { o1: { properties: { a: { type: "keyword" } } } },
    });
  });
});
