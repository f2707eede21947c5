/**
 * The binary form of hits. A shard encodes each hit once, and decoding does not copy the sources.
 *
 * Most hits are an id, a score, a source and sort values, which are written without names. The
 * rest, which few requests ask for, is one object of details.
 */
import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from "@orrery/stdx";
import type { FetchResult, Hit, HitDetails, HitSortValue } from "../language/hits.ts";
import { readScalar, readShaped, writePlain } from "./codec.ts";

/** The bits of a hit's first byte: the members that follow. */
const has = { id: 1, score: 2, source: 4, sort: 8, details: 16 } as const;

/** A guess at the bytes of a hit beside its source. */
const USUAL_BYTES = 64;

export function encodeFetchResult({ hits }: FetchResult): Uint8Array {
  let bytes = USUAL_BYTES;
  for (const { source } of hits) bytes += USUAL_BYTES + (source?.length ?? 0);
  const writer = createByteWriter(bytes);
  writer.varint(hits.length);
  let index: string | undefined;
  for (const hit of hits) {
    // All hits of a shard share one index name, which is written once.
    if (index === undefined) writer.text(hit.index);
    index ??= hit.index;
    writeHit(writer, hit);
  }
  return writer.finish();
}

/** Decodes hits whose sources are views of `bytes`. */
export function decodeFetchResult(bytes: Uint8Array): FetchResult {
  const reader = createByteReader(bytes);
  const count = reader.varint();
  const index = count === 0 ? "" : reader.text();
  const hits: Hit[] = [];
  for (let i = 0; i < count; i += 1) hits.push(readHit(reader, index));
  return { hits };
}

/** Encodes the hits of a page, which may be of several indices. */
export function encodePage(hits: readonly Hit[]): Uint8Array {
  let bytes = USUAL_BYTES;
  for (const { source } of hits) bytes += USUAL_BYTES + (source?.length ?? 0);
  const writer = createByteWriter(bytes);
  const indices = [...new Set(hits.map(({ index }) => index))];
  writer.varint(hits.length);
  writer.varint(indices.length);
  for (const index of indices) writer.text(index);
  for (const hit of hits) {
    if (indices.length > 1) writer.varint(indices.indexOf(hit.index));
    writeHit(writer, hit);
  }
  return writer.finish();
}

/** Decodes a page whose sources are views of `bytes`. */
export function decodePage(bytes: Uint8Array): readonly Hit[] {
  const reader = createByteReader(bytes);
  const count = reader.varint();
  const indices = Array.from({ length: reader.varint() }, () => reader.text());
  return Array.from({ length: count }, () => {
    const place = indices.length > 1 ? reader.varint() : 0;
    return readHit(reader, indices[place] ?? "");
  });
}

function writeHit(writer: ByteWriter, { id, score, source, sort, details }: Hit): void {
  writer.byte(
    (id === undefined ? 0 : has.id) |
      (Number.isNaN(score) ? 0 : has.score) |
      (source === undefined ? 0 : has.source) |
      (sort === undefined ? 0 : has.sort) |
      (details === undefined ? 0 : has.details),
  );
  if (id !== undefined) writer.text(id);
  if (!Number.isNaN(score)) writePlain(writer, score);
  if (source !== undefined) writer.block(source);
  if (sort !== undefined) {
    writer.varint(sort.length);
    for (const value of sort) writePlain(writer, value);
  }
  if (details !== undefined) writePlain<HitDetails>(writer, details);
}

function readHit(reader: ByteReader, index: string): Hit {
  const members = reader.byte();
  return {
    index,
    id: (members & has.id) === 0 ? undefined : reader.text(),
    score: (members & has.score) === 0 ? Number.NaN : (readScalar(reader) as number),
    source: (members & has.source) === 0 ? undefined : reader.block(),
    sort: (members & has.sort) === 0 ? undefined : readSort(reader),
    details: (members & has.details) === 0 ? undefined : readShaped<HitDetails>(reader),
  };
}

function readSort(reader: ByteReader): readonly HitSortValue[] {
  const values: HitSortValue[] = [];
  for (let left = reader.varint(); left > 0; left -= 1)
    values.push(readScalar(reader) as HitSortValue);
  return values;
}
