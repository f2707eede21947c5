/**
 * The compact form of results between nodes: a byte of kind, then the value. Plain data only; floats are exact, bigints are
 * 64-bit with a sign or without, byte arrays are copied out of the frame they came in.
 */
import {
  assert,
  createByteReader,
  createByteWriter,
  unreachable,
  type ByteReader,
  type ByteWriter,
} from "@orrery/stdx";
import type { FetchResult, Plain, QueryResult, TopDoc } from "../types.ts";

const kinds = [
  "undefined",
  "null",
  "false",
  "true",
  "integer",
  "negative",
  "double",
  "bigint",
  "unsigned",
  "text",
  "bytes",
  "list",
  "object",
] as const;
type Kind = (typeof kinds)[number];

export function encodePlain(value: Plain): Uint8Array {
  const writer = createByteWriter(256);
  writePlain(writer, value);
  return writer.finish();
}

export function decodePlain(bytes: Uint8Array): Plain {
  return readPlain(createByteReader(bytes));
}

export function encodeQueryResult(result: QueryResult): Uint8Array {
  return encodePlain({
    ...result,
    topDocs: result.topDocs.map(docRow),
    totalHits: result.totalHits && { ...result.totalHits },
  });
}

export function decodeQueryResult(bytes: Uint8Array): QueryResult {
  const plain = decodePlain(bytes) as unknown as Omit<QueryResult, "topDocs"> & {
    readonly topDocs: readonly DocRow[];
  };
  return { ...plain, topDocs: plain.topDocs.map(rowDoc) };
}

export function encodeFetchResult({ hits }: FetchResult): Uint8Array {
  const writer = createByteWriter(hits.reduce((sum, { json }) => sum + json.length + 40, 8));
  writer.varint(hits.length);
  for (const { id, json } of hits) {
    writer.text(id);
    writer.block(json);
  }
  return writer.finish();
}

export function decodeFetchResult(bytes: Uint8Array): FetchResult {
  const reader = createByteReader(bytes);
  const hits = Array.from({ length: reader.varint() }, () => ({
    id: reader.text(),
    json: reader.block().slice(),
  }));
  return { hits };
}

/** A document without its names: most results are made of these. */
type DocRow = readonly [
  segment: number,
  doc: number,
  score: number,
  sort: Plain,
  sortText: Plain,
  collapse: Plain,
];

function docRow({ segment, doc, score, sort, sortText, collapse }: TopDoc): DocRow {
  return [segment, doc, score, sort, sortText, collapse];
}

function rowDoc([segment, doc, score, sort, sortText, collapse]: DocRow): TopDoc {
  return {
    segment,
    doc,
    score,
    sort: sort as TopDoc["sort"],
    sortText: sortText as TopDoc["sortText"],
    collapse: collapse as TopDoc["collapse"],
  };
}

const INT64_MAX = (1n << 63n) - 1n;
const scratch = new DataView(new ArrayBuffer(8));

function tag(writer: ByteWriter, kind: Kind): void {
  writer.byte(kinds.indexOf(kind));
}

function writePlain(writer: ByteWriter, value: Plain): void {
  switch (typeof value) {
    case "undefined":
      return tag(writer, "undefined");
    case "boolean":
      return tag(writer, value ? "true" : "false");
    case "number":
      return writeNumber(writer, value);
    case "bigint":
      tag(writer, value > INT64_MAX ? "unsigned" : "bigint");
      scratch.setBigUint64(0, BigInt.asUintN(64, value));
      return writeScratch(writer);
    case "string":
      tag(writer, "text");
      return writer.text(value);
    default:
      return writeCompound(writer, value);
  }
}

function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    tag(writer, value < 0 ? "negative" : "integer");
    return writer.varint(Math.abs(value));
  }
  tag(writer, "double");
  scratch.setFloat64(0, value);
  return writeScratch(writer);
}

function writeScratch(writer: ByteWriter): void {
  for (let i = 0; i < 8; i += 1) writer.byte(scratch.getUint8(i));
}

function writeCompound(
  writer: ByteWriter,
  value: Exclude<Plain, undefined | boolean | number | bigint | string>,
): void {
  if (value === null) return tag(writer, "null");
  if (value instanceof Uint8Array) {
    tag(writer, "bytes");
    return writer.block(value);
  }
  if (Array.isArray(value)) {
    const list = value as readonly Plain[];
    tag(writer, "list");
    writer.varint(list.length);
    for (const item of list) writePlain(writer, item);
    return;
  }
  tag(writer, "object");
  const entries = Object.entries(value).filter(([, item]) => item !== undefined);
  writer.varint(entries.length);
  for (const [key, item] of entries) {
    writer.text(key);
    writePlain(writer, item);
  }
}

function readPlain(reader: ByteReader): Plain {
  const kind = kinds[reader.byte()];
  assert(kind !== undefined, "unknown kind of value in a result");
  switch (kind) {
    case "undefined":
      return undefined;
    case "null":
      return null;
    case "false":
      return false;
    case "true":
      return true;
    case "integer":
      return reader.varint();
    case "negative":
      return -reader.varint();
    case "double":
      return readScratch(reader).getFloat64(0);
    case "bigint":
      return readScratch(reader).getBigInt64(0);
    case "unsigned":
      return readScratch(reader).getBigUint64(0);
    case "text":
      return reader.text();
    case "bytes":
      return reader.block().slice();
    case "list":
      return Array.from({ length: reader.varint() }, () => readPlain(reader));
    case "object":
      return Object.fromEntries(
        Array.from({ length: reader.varint() }, () => [reader.text(), readPlain(reader)]),
      );
    default:
      return unreachable(kind);
  }
}

function readScratch(reader: ByteReader): DataView {
  for (let i = 0; i < 8; i += 1) scratch.setUint8(i, reader.byte());
  return scratch;
}
