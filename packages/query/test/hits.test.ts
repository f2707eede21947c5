/** Hits from the shard that has them to the members of an answer. */
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  Decimal,
  decodeFetchResult,
  encodeFetchResult,
  executeFetchPhase,
  hitMembers,
  jsonText,
  type Hit,
} from "../src/index.ts";
import { memoryShard } from "./memory-shard.ts";

const usual: Hit = {
  index: "books",
  id: "é/1",
  score: Math.fround(1.1),
  source: utf8Encode('{ "a" : 1.0 }'),
  sort: undefined,
  details: undefined,
};

function overTheWire(...hits: readonly Hit[]): readonly Hit[] {
  return decodeFetchResult(encodeFetchResult({ hits })).hits;
}

const printed = (hit: Hit): string => jsonText(hitMembers(hit));

describe("a hit between nodes", () => {
  test("keeps its members, and the bytes of its source", () => {
    const without = { ...usual, id: undefined, score: Number.NaN, source: undefined };
    const sort = [1, 9_007_199_254_740_993n, -0, "é", null, new Decimal(2, "double")];

    const [first, second, third] = overTheWire(usual, without, { ...usual, sort });

    expect(first).toEqual(usual);
    expect(second).toEqual(without);
    expect(third?.sort).toEqual(sort);
  });

  test("has its source in the bytes that came, which are not copied", () => {
    const bytes = encodeFetchResult({ hits: [usual] });

    const [hit] = decodeFetchResult(bytes).hits;

    expect(hit?.source?.buffer).toBe(bytes.buffer);
  });

  test("keeps each detail", () => {
    const details = {
      copy: { shard: 3, nodeId: "n1" },
      version: 2,
      seqNo: 0,
      primaryTerm: 7,
      ignored: ["a"],
      routing: "r",
      fields: { d: [new Decimal(1, "double"), new Decimal(1, "float")], o: [{ type: "Point" }] },
      highlight: { t: ["<em>a</em>"] },
      matchedQueries: [{ name: "q", score: 0.5 }],
      explanation: {
        isMatch: true,
        value: 3,
        description: "n",
        details: [{ isMatch: true, value: 1, description: "c", details: [], isCount: true }],
      },
    };

    expect(overTheWire({ ...usual, details })).toEqual([{ ...usual, details }]);
  });

  test("keeps halves of surrogate pairs, which UTF-8 cannot", () => {
    const details = { fields: { t: ["\ud800 \u{1f600}"] } };

    const [hit] = overTheWire({ ...usual, details });

    expect(hit?.details).toEqual(details);
    expect(printed({ ...usual, details })).toContain('"fields":{"t":["\\ud800 😀"]}');
  });
});

describe("a hit in an answer", () => {
  test("has its members in the product's order, and its source byte for byte", () => {
    const details = {
      copy: { shard: 0, nodeId: "n1" },
      version: 1,
      seqNo: 2,
      primaryTerm: 3,
      ignored: ["f"],
      routing: "r",
      fields: { d: [new Decimal(1, "double")] },
      highlight: { t: ["x"] },
      matchedQueries: [{ name: "q", score: undefined }],
      explanation: { isMatch: true, value: 1, description: "one", details: [] },
    };

    expect(printed({ ...usual, sort: [1, new Decimal(2, "float")], details })).toBe(
      '{"_shard":"[books][0]","_node":"n1","_index":"books","_id":"é/1","_version":1,"_seq_no":2,"_primary_term":3,' +
        '"_score":1.1,"_ignored":["f"],"_routing":"r","_source":{ "a" : 1.0 },"fields":{"d":[1.0]},"highlight":{"t":["x"]},' +
        '"sort":[1,2.0],"matched_queries":["q"],"_explanation":{"value":1.0,"description":"one","details":[]}}',
    );
  });

  test("without details has what there is", () => {
    expect(printed(usual)).toBe(
      '{"_index":"books","_id":"é/1","_score":1.1,"_source":{ "a" : 1.0 }}',
    );
    expect(printed({ ...usual, id: undefined, score: Number.NaN, source: undefined })).toBe(
      '{"_index":"books","_score":null}',
    );
  });

  test("tells the scores of named queries where they are asked for", () => {
    const matchedQueries = [{ name: "q", score: 2 }];

    expect(printed({ ...usual, details: { matchedQueries } })).toContain(
      '"matched_queries":{"q":2.0}',
    );
  });
});

test("a fetch makes a hit of the bytes that are stored", () => {
  const source = '{ "n" : 1.50, "t":"é" }';
  const { view } = memoryShard({
    mapping: { properties: { n: { type: "double" } } },
    documents: [{ id: "1", source }],
  });
  const doc = { segment: 0, doc: 0, score: 2, sort: [1.5] };

  const { hits } = executeFetchPhase(view, [doc], { sort: ["n"], version: true }, { nowMs: 0 });

  expect(hits).toMatchObject([
    { id: "1", score: 2, sort: [new Decimal(1.5, "double")], details: { version: 1 } },
  ]);
  expect(utf8Decode(hits[0]?.source ?? new Uint8Array(0))).toBe(source);
});
