/**
 * The compact form of results between nodes: a byte of kind, then the value. Plain data only; floats are exact, bigints are
 * 64-bit with a sign or without, byte arrays are copied out of the frame they came in.
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
  /** A text with halves of surrogate pairs, which UTF-8 has no bytes for. */
  units: 13,
  /** Numbers that print with a fraction. */
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

/** One value, as `writePlain` has written it. */
export function readShaped<Shape extends PlainShape<Shape>>(reader: ByteReader): Shape {
  return allSteps(shapedSteps(reader, never));
}

/** One value that is neither list nor object. */
export function readScalar(reader: ByteReader): Plain {
  return readValue(reader, reader.byte());
}

/** Of one shard, or of all that were asked. */
export function decodeStatistics(bytes: Uint8Array): SearchStatistics {
  return readShaped(createByteReader(bytes));
}

/** The documents to fetch. */
export function decodeTopDocs(bytes: Uint8Array): readonly TopDoc[] {
  return readShaped(createByteReader(bytes));
}

export function encodeQueryResult(result: QueryResult): Uint8Array {
  return encodePlain<QueryResultRow>({ ...result, topDocs: result.topDocs.map(docRow) });
}

export function decodeQueryResult(bytes: Uint8Array): QueryResult {
  return allSteps(queryResultSteps(bytes, never));
}

/** The same in steps: the result of a shard may be large. */
export function* queryResultSteps(
  bytes: Uint8Array,
  isTurnOver: () => boolean,
): Generator<undefined, QueryResult> {
  const row = yield* shapedSteps<QueryResultRow>(createByteReader(bytes), isTurnOver);
  return { ...row, topDocs: row.topDocs.map(rowDoc) };
}

/** The sender is a node of this version, and encoded a value of the shape. */
function* shapedSteps<Shape extends PlainShape<Shape>>(
  reader: ByteReader,
  isTurnOver: () => boolean,
): Generator<undefined, Shape> {
  return (yield* decodeSteps(reader, isTurnOver)) as unknown as Shape;
}

/** A document without its names: most results are made of these. */
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
const scratch = new DataView(new ArrayBuffer(8));
const scratchBytes = new Uint8Array(scratch.buffer);

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

const SURROGATE = /\p{Surrogate}/u;

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

/** Members that are undefined are left out. */
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

/** A list or an object some of whose items are read. */
interface Open {
  readonly value: Plain[] | { [key: string]: Plain };
  left: number;
  key: string;
}

const VALUES_A_LOOK = 4096;

/** Rests after some thousand values, when `isTurnOver` says so. */
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

/** Puts the value where it belongs: true where nothing is left to be read for it. */
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
