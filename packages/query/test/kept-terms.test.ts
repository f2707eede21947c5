/** The cache of columns of terms: its bound is one of the segment, whichever fields are searched. */
import type { SegmentReader } from "@orrery/segment";
import { expect, test } from "vitest";
import { keepColumns, type KeptColumns } from "../src/execution/weights/kept-terms.ts";
import { memoryShard } from "./memory-shard.ts";

const FIELDS = ["a", "b", "c", "d", "e", "f", "g", "h"];
const DOCS = 5000;

function segmentOf(fields: readonly string[]): SegmentReader {
  const source = JSON.stringify(Object.fromEntries(fields.map((field) => [field, "x"])));
  const properties = Object.fromEntries(fields.map((field) => [field, { type: "keyword" }]));
  const documents = Array.from({ length: DOCS }, (_, i) => ({ id: String(i), source }));
  const [only] = memoryShard({ mapping: { properties }, documents }).view.segments;
  return only?.reader ?? expect.unreachable();
}

/** A cache that holds so many columns of a segment. */
function cacheOf(reader: SegmentReader, columns: number): KeptColumns<string> {
  const bytesPerDoc = reader.sizeBytes / 4 / DOCS / columns;
  return keepColumns({ bytesPerDoc, make: (_terms, ord) => `column ${ord}` });
}

function ask(cache: KeptColumns<string>, reader: SegmentReader, field: string): string | undefined {
  const terms = reader.terms(field) ?? expect.unreachable();
  return cache.of(reader, terms, 0);
}

test("a term has its column from its second use on", () => {
  const reader = segmentOf(["a"]);
  const cache = cacheOf(reader, 3);
  expect([1, 2, 3].map(() => ask(cache, reader, "a"))).toEqual([undefined, "column 0", "column 0"]);
});

test("all fields of a segment share its room", () => {
  const reader = segmentOf(FIELDS);
  const cache = cacheOf(reader, 3);
  for (const field of FIELDS) for (let use = 0; use < 3; use += 1) ask(cache, reader, field);
  const kept = FIELDS.filter((field) => ask(cache, reader, field) !== undefined);
  expect(kept).toEqual(["a", "b", "c"]);
});

test("a term of another field that is used more than twice as often takes the place of one", () => {
  const reader = segmentOf(["a", "b"]);
  const cache = cacheOf(reader, 1);
  for (let use = 0; use < 3; use += 1) ask(cache, reader, "a");
  for (let use = 0; use < 7; use += 1) ask(cache, reader, "b");
  expect(["b", "a"].map((field) => ask(cache, reader, field))).toEqual(["column 0", undefined]);
});
