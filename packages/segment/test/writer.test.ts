/** The indexing buffer: refused documents, empty fields, memory. */
import { createAnalysis } from "@orrery/analysis";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  createIdKey,
  coreSegmentParts,
  createSegmentWriter,
  openSegment,
  type DocumentInput,
  type FieldSpec,
  type FieldValue,
} from "../src/index.ts";

const tag: FieldSpec = {
  name: "tag",
  type: "keyword",
  index: "docs",
  norms: false,
  docValues: true,
  points: false,
};
const body: FieldSpec = {
  ...tag,
  name: "body",
  type: "text",
  index: "positions",
  norms: true,
  docValues: false,
  analyzer: createAnalysis({}).analyzer("keyword"),
};

function documentOf(seqNo: number, fields: readonly FieldValue[]): DocumentInput {
  return { kind: "index", id: `id-${seqNo}`, seqNo, primaryTerm: 1, version: 1, fields };
}

describe("a document with an immense term", () => {
  test.each([body, tag])(
    "is refused in OpenSearch's words and leaves no operation: $name",
    (field) => {
      const writer = createSegmentWriter(coreSegmentParts);
      writer.add(documentOf(0, [{ field, value: "fine" }]));
      const add = (): number =>
        writer.add(
          documentOf(1, [
            { field: tag, value: "before" },
            { field, value: "é".repeat(16_384) },
          ]),
        );

      expect(add).toThrow(OperationError);
      expect(add).toThrow(
        /Document contains at least one immense term in field="(body|tag)" \(whose UTF8 encoding is longer than the max length 32766\)/,
      );
      const image = writer.flush("_0");
      const reader = openSegment(image.files, coreSegmentParts);
      expect([...reader.operations(0, 10)]).toEqual([0]);
      expect(image.liveDocs?.liveCount).toBe(1);
      expect(reader.findAll(createIdKey("id-1"))).toEqual([]);
      expect([reader.minSeqNo, reader.maxSeqNo]).toEqual([0, 0]);
    },
  );

  test("is taken up to the limit", () => {
    const writer = createSegmentWriter(coreSegmentParts);
    const longest = "x".repeat(32_766);
    writer.add(documentOf(0, [{ field: tag, value: longest }]));

    const reader = openSegment(writer.flush("_0").files, coreSegmentParts);

    expect(reader.terms("tag")?.find(utf8Encode(longest))).toBe(0);
  });
});

test("what analysis makes of all texts of one document is bounded, for each document anew", () => {
  const analyzer = createAnalysis({}, { maxNgramDiff: 1000 }).custom({
    tokenizer: { type: "ngram", min_gram: 1, max_gram: 600 },
  });
  const grams: FieldSpec = { ...body, analyzer };
  const values = (count: number): FieldValue[] =>
    Array.from({ length: count }, () => ({ field: grams, value: "ab".repeat(300) }));
  const writer = createSegmentWriter(coreSegmentParts);

  expect(() => writer.add(documentOf(0, values(10)))).toThrow(/analysis makes more than \[\d+\]/);
  for (let i = 1; i < 4; i += 1) writer.add(documentOf(i, values(1)));

  const reader = openSegment(writer.flush("_0").files, coreSegmentParts);
  expect([...reader.operations(0, 10)]).toEqual([1, 2, 3]);
});

test("an empty text has its field but no terms", () => {
  const writer = createSegmentWriter(coreSegmentParts);
  const text: FieldSpec = { ...body, analyzer: createAnalysis({}).analyzer("standard") };
  writer.add(documentOf(0, [{ field: text, value: "" }]));
  writer.add(documentOf(1, [{ field: text, value: "word" }]));

  const reader = openSegment(writer.flush("_0").files, coreSegmentParts);

  expect(reader.documentsWith("body")?.count).toBe(2);
  expect(reader.terms("body")?.stats.docCount).toBe(1);
});

test("memory use grows with what is added", () => {
  const writer = createSegmentWriter(coreSegmentParts);
  const before = writer.ramBytes;
  for (let i = 0; i < 1000; i += 1)
    writer.add(documentOf(i, [{ field: tag, value: `value-${i}` }]));

  expect(writer.ramBytes - before).toBeGreaterThan(1000 * 64);
  expect(writer.ramBytes - before).toBeLessThan(1000 * 400);
});

test("a segment of no documents opens", () => {
  const reader = openSegment(
    createSegmentWriter(coreSegmentParts).flush("_0").files,
    coreSegmentParts,
  );

  expect(reader.maxDoc).toBe(0);
  expect(reader.find(createIdKey("x"), undefined)).toBe(-1);
  expect([...reader.operations(0, 10)]).toEqual([]);
});
