/** Parts of a shard's documents: the product's own, so that a client that asks both gets the same. */
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { coreLanguage, checkSearchBody, executeQueryPhase, sliceMeets } from "../src/index.ts";
import { encodedId } from "../src/request/slice.ts";
import { memoryShard } from "./memory-shard.ts";

const documents = [
  { id: "1", source: '{"n":[1,2,3],"d":1.5}' },
  { id: "2", source: '{"d":2.5}' },
  { id: "3", source: '{"n":-4,"d":7}' },
  { id: "abcd", source: '{"n":9007199254740993}' },
  { id: "12345", source: '{"n":12}' },
  { id: "_-8x", source: '{"n":77}' },
  { id: "éa", source: '{"t":123456}' },
  { id: "abc", source: "{}" },
  { id: "abA", source: "{}" },
];
const mapping = {
  properties: { n: { type: "long" }, d: { type: "double" }, t: { type: "date" } },
};

function idsOf(slice: unknown): string[] {
  const { view } = memoryShard({ mapping, documents });
  const body = checkSearchBody(coreLanguage, utf8Encode(JSON.stringify({ slice, sort: ["_doc"] })));
  const { topDocs } = executeQueryPhase(view, body, { nowMs: 0, isScroll: true });
  return topDocs.map(({ segment, doc }) => view.segments[segment]?.reader.id(doc) ?? "");
}

describe("a slice", () => {
  test.each([
    ["_id", [["2", "3", "abcd", "_-8x", "éa"], ["1", "abc", "abA"], ["12345"]]],
    ["n", [["1", "2", "12345", "_-8x", "éa", "abc", "abA"], ["abcd"], ["1", "3"]]],
    ["d", [["1", "3", "abcd", "12345", "_-8x", "éa", "abc", "abA"], ["2"], []]],
  ])("by %s has the documents that the product gives it", (field, expected) => {
    expect([0, 1, 2].map((id) => idsOf({ id, max: 3, field }))).toEqual(expected);
  });

  test("needs a field of numbers that is there", () => {
    expect(() => idsOf({ id: 0, max: 2, field: "none" })).toThrow("field none not found");
    expect(() => idsOf({ id: 0, max: 2, field: "_id" })).not.toThrow();
  });

  test("of fewer slices than shards is whole shards, of more a part of one", () => {
    const shardsOf = (id: number, max: number, shards: number) =>
      Array.from({ length: shards }, (_, shard) => shard).filter((shard) =>
        sliceMeets({ field: "_id", id, max }, { shard, shards }),
      );

    expect([0, 1].map((id) => shardsOf(id, 2, 5))).toEqual([
      [0, 2, 4],
      [1, 3],
    ]);
    expect([0, 1, 2, 3, 4].map((id) => shardsOf(id, 5, 2))).toEqual([[0], [1], [0], [1], [0]]);
  });
});

test("ids are hashed as Lucene has them: digits by two, Base64 decoded, other text marked", () => {
  expect([...encodedId("12345")]).toEqual([0xfe, 0x12, 0x34, 0x5f]);
  expect([...encodedId("abcd")]).toEqual([0x69, 0xb7, 0x1d]);
  expect([...encodedId("_-8x")]).toEqual([0xfd, 0xff, 0xef, 0x31]);
  expect([...encodedId("a b")]).toEqual([0xff, 0x61, 0x20, 0x62]);
});
