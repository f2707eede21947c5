/** A few books through writer, reader and merge, with every value written out. */
import { createAnalysis } from "@orrery/analysis";
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  createIdKey,
  coreSegmentParts,
  createSegmentWriter,
  mergeSegments,
  NO_MORE_DOCS,
  openSegment,
  type FieldSpec,
  type WholeSegmentReader,
} from "../src/index.ts";

const analyzer = createAnalysis({}).analyzer("standard");
const title: FieldSpec = {
  name: "title",
  type: "text",
  index: "positions",
  norms: true,
  docValues: false,
  points: false,
  analyzer,
};
const tag: FieldSpec = {
  name: "tag",
  type: "keyword",
  index: "docs",
  norms: false,
  docValues: true,
  points: false,
};
const price: FieldSpec = {
  name: "price",
  type: "long",
  index: "none",
  norms: false,
  docValues: true,
  points: true,
};

function books(): WholeSegmentReader {
  const writer = createSegmentWriter(coreSegmentParts);
  const texts = ["The quick brown fox", "the lazy dog, the dog", "Quick dogs"];
  for (const [i, text] of texts.entries()) {
    writer.add({
      kind: "index",
      id: `id-${i}`,
      seqNo: i,
      primaryTerm: 1,
      version: 1,
      source: utf8Encode(JSON.stringify({ text })),
      fields: [
        { field: title, value: text },
        { field: tag, value: i === 1 ? "b" : "a" },
        { field: tag, value: "z" },
        { field: price, value: i * 10 },
      ],
    });
  }
  return openSegment(writer.flush("_0").files, coreSegmentParts);
}

function docsOf(
  reader: WholeSegmentReader,
  field: string,
  term: string,
): [number, number, number[]][] {
  const terms = reader.terms(field);
  const ord = terms?.find(utf8Encode(term)) ?? -1;
  if (terms === undefined || ord < 0) return [];
  const postings = terms.postings(ord);
  const found: [number, number, number[]][] = [];
  for (let doc = postings.nextDoc(); doc !== NO_MORE_DOCS; doc = postings.nextDoc()) {
    const positions: number[] = [];
    for (let at = postings.nextPosition(); at >= 0; at = postings.nextPosition())
      positions.push(at);
    found.push([doc, postings.freq(), positions]);
  }
  return found;
}

describe("a flushed segment", () => {
  test("has the terms of its documents with freqs and positions", () => {
    const reader = books();

    expect(docsOf(reader, "title", "the")).toEqual([
      [0, 1, [0]],
      [1, 2, [0, 3]],
    ]);
    expect(docsOf(reader, "title", "dog")).toEqual([[1, 2, [2, 4]]]);
    expect(docsOf(reader, "title", "cat")).toEqual([]);
    expect(reader.terms("title")?.stats).toEqual({
      docCount: 3,
      sumTotalTermFreq: 11,
      sumDocFreq: 9,
      termCount: 7,
    });
  });

  test("has its columns, points and stored fields", () => {
    const reader = books();

    const tags = reader.ordinals("tag");
    const points = reader.points("price");
    expect([...(tags?.ords ?? [])].map((ord) => tags?.dictionary.text(ord))).toEqual([
      "a",
      "z",
      "b",
      "z",
      "a",
      "z",
    ]);
    expect(reader.numbers("price")?.value(2)).toBe(20);
    expect(points?.docs.subarray(points.lowerBound(5), points.upperBound(20))).toEqual(
      Int32Array.of(1, 2),
    );
    expect(utf8Decode(reader.source(1) ?? new Uint8Array(0))).toBe(
      '{"text":"the lazy dog, the dog"}',
    );
    expect(reader.find(createIdKey("id-2"), undefined)).toBe(2);
    expect(reader.find(createIdKey("id-3"), undefined)).toBe(-1);
  });

  test("merges with itself", () => {
    const reader = books();

    const { image } = mergeSegments(
      [
        { reader, liveDocs: undefined },
        { reader, liveDocs: undefined },
      ],
      { name: "_1", parts: coreSegmentParts },
    );

    const merged = openSegment(image.files, coreSegmentParts);
    expect(docsOf(merged, "title", "dog")).toEqual([
      [1, 2, [2, 4]],
      [4, 2, [2, 4]],
    ]);
    expect(merged.numbers("price")?.value(5)).toBe(20);
  });
});

test("ids are what they were, short and long, in any script", () => {
  const ids = [
    "0",
    "a".repeat(24),
    "b".repeat(25),
    "é",
    "x\u{1f600}y",
    "ü".repeat(12),
    "é".repeat(300),
  ];
  const writer = createSegmentWriter(coreSegmentParts);
  for (const [seqNo, id] of ids.entries())
    writer.add({ kind: "index", id, seqNo, primaryTerm: 1, version: 1, fields: [] });
  const reader = openSegment(writer.flush("_0").files, coreSegmentParts);
  expect(ids.map((_, doc) => reader.id(doc))).toEqual(ids);
  expect(ids.map((_, doc) => reader.stored(doc).id)).toEqual(ids);
});
