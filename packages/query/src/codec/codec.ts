/**
 * The compact binary form of results between nodes: a byte for the kind, then the value.
 *
 * It carries plain data only. Floats are exact, bigints are signed or unsigned 64-bit integers, and
 * byte arrays are copied when read.
 */
import {
  AssertionError,
  createByteReader,
  createByteWriter,
  lookup,
  setKey,
  type ByteReader,
  type ByteWriter,
} from "@orrery/stdx";
import { allSteps } from "../work/steps.ts";
import { Decimal } from "../json/printable.ts";
import type { Plain, PlainShape } from "../json/plain.ts";
import type { QueryResult, TopDoc } from "../language/results.ts";
import type { SearchStatistics } from "../language/view.ts";

/** The first byte of a value. */
const kind = {
  undefined: 0,
  null: 1,
  false: 2,
  true: 3,
  integer: 4,
  negative: 5,
  double: 6,
  bigint: 7,
  unsigned: 8,
  text: 9,
  bytes: 10,
  list: 11,
  object: 12,
  /** A text with lone surrogates, which UTF-8 cannot represent. */
  units: 13,
  /** A `Decimal`, which prints with a fraction. */
  decimalDouble: 14,
  decimalFloat: 15,
} as const;

export function encodePlain<Shape extends PlainShape<Shape>>(value: Shape): Uint8Array {
  const writer = createByteWriter(256);
  writePlain(writer, value);
  return writer.finish();
}

export function decodePlain(bytes: Uint8Array): Plain {
  return allSteps(decodeSteps(createByteReader(bytes), never));
}

const never = (): boolean => false;

/** Reads one value that `writePlain` wrote. The shape is not checked. */
export function readShaped<Shape extends PlainShape<Shape>>(reader: ByteReader): Shape {
  return allSteps(shapedSteps(reader, never));
}

/** Reads one value that is neither a list nor an object. */
export function readScalar(reader: ByteReader): Plain {
  return readValue(reader, reader.byte());
}

/** Decodes the statistics of one shard, or those of all shards. */
export function decodeStatistics(bytes: Uint8Array): SearchStatistics {
  return readShaped(createByteReader(bytes));
}

/** Decodes the documents to fetch. */
export function decodeTopDocs(bytes: Uint8Array): readonly TopDoc[] {
  return readShaped(createByteReader(bytes));
}

/** Encodes the result of one shard; documents are written as rows without names. */
export function encodeQueryResult(result: QueryResult): Uint8Array {
  return encodePlain<QueryResultRow>({ ...result, topDocs: result.topDocs.map(docRow) });
}

export function decodeQueryResult(bytes: Uint8Array): QueryResult {
  return allSteps(queryResultSteps(bytes, never));
}

/** Decodes a result in steps, since it may be large. */
export function* queryResultSteps(
  bytes: Uint8Array,
  isTurnOver: () => boolean,
): Generator<undefined, QueryResult> {
  const row = yield* shapedSteps<QueryResultRow>(createByteReader(bytes), isTurnOver);
  return { ...row, topDocs: row.topDocs.map(rowDoc) };
}

/**
 * The shape is not checked: the sender is a node of the same version, which encoded a value of this
 * shape.
 */
function* shapedSteps<Shape extends PlainShape<Shape>>(
  reader: ByteReader,
  isTurnOver: () => boolean,
): Generator<undefined, Shape> {
  return (yield* decodeSteps(reader, isTurnOver)) as unknown as Shape;
}

/**
 * A `TopDoc` as a tuple: most of a result is documents, and their member names would be repeated.
 */
type DocRow = readonly [
  segment: number,
  doc: number,
  score: number,
  sort: TopDoc["sort"],
  sortText: TopDoc["sortText"],
  collapse: TopDoc["collapse"],
];

interface QueryResultRow extends Omit<QueryResult, "topDocs"> {
  readonly topDocs: readonly DocRow[];
}

function docRow({ segment, doc, score, sort, sortText, collapse }: TopDoc): DocRow {
  return [segment, doc, score, sort, sortText, collapse];
}

function rowDoc([segment, doc, score, sort, sortText, collapse]: DocRow): TopDoc {
  return { segment, doc, score, sort, sortText, collapse };
}

const INT64_MAX = (1n << 63n) - 1n;
/** Holds one number while its bytes are written or read. */
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

/** Appends one value in the codec's form. */
export function writePlain<Shape extends PlainShape<Shape>>(
  writer: ByteWriter,
  value: Shape,
): void {
  writeValue(writer, value);
}

function writeValue(writer: ByteWriter, value: Plain): void {
  switch (typeof value) {
    case "undefined":
      return writer.byte(kind.undefined);
    case "boolean":
      return writer.byte(value ? kind.true : kind.false);
    case "number":
      return writeNumber(writer, value);
    case "bigint":
      writer.byte(value > INT64_MAX ? kind.unsigned : kind.bigint);
      scratch.setBigUint64(0, BigInt.asUintN(64, value));
      return writer.raw(scratchBytes);
    case "string":
      return writeText(writer, value);
    default:
      return writeCompound(writer, value);
  }
}

/** Matches lone surrogates only. */
const SURROGATE = /\p{Surrogate}/u;

/** Writes UTF-8, or UTF-16 units if the text has lone surrogates. */
function writeText(writer: ByteWriter, value: string): void {
  if (!SURROGATE.test(value)) {
    writer.byte(kind.text);
    return writer.text(value);
  }
  writer.byte(kind.units);
  writer.varint(value.length);
  for (let i = 0; i < value.length; i += 1) writer.varint(value.charCodeAt(i));
}

function readUnits(reader: ByteReader): string {
  let text = "";
  for (let left = reader.varint(); left > 0; left -= 1)
    text += String.fromCharCode(reader.varint());
  return text;
}

function writeNumber(writer: ByteWriter, value: number): void {
  if (Number.isSafeInteger(value) && !Object.is(value, -0)) {
    writer.byte(value < 0 ? kind.negative : kind.integer);
    return writer.varint(Math.abs(value));
  }
  writer.byte(kind.double);
  scratch.setFloat64(0, value);
  writer.raw(scratchBytes);
}

function writeCompound(
  writer: ByteWriter,
  value: Exclude<Plain, undefined | boolean | number | bigint | string>,
): void {
  if (value === null) return writer.byte(kind.null);
  if (value instanceof Decimal) {
    writer.byte(value.type === "double" ? kind.decimalDouble : kind.decimalFloat);
    return writeNumber(writer, value.value);
  }
  if (value instanceof Uint8Array) {
    writer.byte(kind.bytes);
    return writer.block(value);
  }
  if (Array.isArray(value)) {
    const list = value as readonly Plain[];
    writer.byte(kind.list);
    writer.varint(list.length);
    for (const item of list) writeValue(writer, item);
    return;
  }
  writeObject(writer, value as PlainObject);
}

type PlainObject = { readonly [key: string]: Plain };

/** Leaves out members that are undefined. */
function writeObject(writer: ByteWriter, value: PlainObject): void {
  const keys = Object.keys(value);
  let members = 0;
  for (const key of keys) if (lookup(value, key) !== undefined) members += 1;
  writer.byte(kind.object);
  writer.varint(members);
  for (const key of keys) {
    const item = lookup(value, key);
    if (item === undefined) continue;
    writer.text(key);
    writeValue(writer, item);
  }
}

/** A list or an object whose items are not all read. */
interface Open {
  readonly value: Plain[] | { [key: string]: Plain };
  /** The number of items still to be read. */
  left: number;
  /** The name of the next member; unused for lists. */
  key: string;
}

/** The number of values between two calls of `isTurnOver`. */
const VALUES_A_LOOK = 4096;

/** Decodes a value with an explicit stack. Yields between values when the turn is over. */
function* decodeSteps(reader: ByteReader, isTurnOver: () => boolean): Generator<undefined, Plain> {
  const opened: Open[] = [];
  for (let count = 1; ; count += 1) {
    if (count % VALUES_A_LOOK === 0 && isTurnOver()) yield undefined;
    const first = reader.byte();
    let value: Plain;
    if (first === kind.list || first === kind.object) {
      const left = reader.varint();
      const compound: Open["value"] = first === kind.list ? [] : {};
      if (left > 0) {
        opened.push({ value: compound, left, key: first === kind.list ? "" : reader.text() });
        continue;
      }
      value = compound;
    } else value = readValue(reader, first);
    let open = opened.at(-1);
    while (open !== undefined && isLast(open, value)) {
      opened.pop();
      ({ value } = open);
      open = opened.at(-1);
    }
    if (open === undefined) return value;
    if (!Array.isArray(open.value)) open.key = reader.text();
  }
}

/** Adds an item; true if the list or object is complete. */
function isLast(open: Open, value: Plain): boolean {
  if (Array.isArray(open.value)) open.value.push(value);
  else setKey(open.value, open.key, value);
  open.left -= 1;
  return open.left === 0;
}

function readValue(reader: ByteReader, first: number): Plain {
  switch (first) {
    case kind.undefined:
      return undefined;
    case kind.null:
      return null;
    case kind.false:
      return false;
    case kind.true:
      return true;
    case kind.integer:
      return reader.varint();
    case kind.negative:
      return -reader.varint();
    case kind.double:
      return readScratch(reader).getFloat64(0);
    case kind.bigint:
      return readScratch(reader).getBigInt64(0);
    case kind.unsigned:
      return readScratch(reader).getBigUint64(0);
    case kind.text:
      return reader.text();
    case kind.units:
      return readUnits(reader);
    case kind.decimalDouble:
      return new Decimal(readScalar(reader) as number, "double");
    case kind.decimalFloat:
      return new Decimal(readScalar(reader) as number, "float");
    case kind.bytes:
      return reader.block().slice();
    default:
      throw new AssertionError(`unknown kind of value in a result: ${first}`);
  }
}

function readScratch(reader: ByteReader): DataView {
  for (let i = 0; i < 8; i += 1) scratchBytes[i] = reader.byte();
  return scratch;
}
