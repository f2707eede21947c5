/**
 * `slice`: a part of the documents, for clients that read an index in parallel. Slices take whole
 * shards while there are enough of them, then documents by a hash of the `_id` or of a numeric
 * field. Source: `SliceBuilder`, `TermsSliceQuery`, `DocValuesSliceQuery`.
 */
import type { NumberColumn, SegmentReader } from "@orrery/segment";
import { base64ToBytes, concatBytes, illegalArgument, murmur3, utf8Encode } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import type { CompiledMapping } from "../language/mapping.ts";
import type { Plan } from "../language/plan.ts";
import { setWeight } from "../execution/weights/sets.ts";

/**
 * The position of the shard among the searched shards of its index, over which slices are
 * distributed.
 */
export interface Slicing {
  /** Ordinal of the shard among those that are searched, from 0. */
  readonly shard: number;
  readonly shards: number;
}

/** Whether a slice contains documents of the shard. */
export function sliceMeets({ id, max }: Slice, { shard, shards }: Slicing): boolean {
  return max >= shards ? id % shards === shard : shard % max === id;
}

/**
 * The plan of the slice's documents on a shard; `undefined`: all of them. Several slices on one
 * shard divide it by the hash.
 * @throws OperationError 400 for a field that cannot be sliced on
 */
export function slicePlan(
  slice: Slice,
  slicing: Slicing,
  mapping: CompiledMapping,
): Plan | undefined {
  const test = testOf(slice.field, mapping);
  const { shards } = slicing;
  if (shards > 1 && !sliceMeets(slice, slicing)) {
    return testPlan(() => () => false);
  }
  if (shards > 1 && slice.max < shards) return undefined;
  const slicesHere =
    Math.floor(slice.max / shards) + (slice.max % shards > slice.id % shards ? 1 : 0);
  if (slicesHere === 1) return undefined;
  const part = BigInt(Math.floor(slice.id / shards));
  const parts = BigInt(slicesHere);
  const isHere = (hash: bigint): boolean => ((hash % parts) + parts) % parts === part;
  return testPlan((reader) => test(reader, isHere));
}

/** A plan from a test of documents. */
function testPlan(open: (reader: SegmentReader) => (doc: number) => boolean): Plan {
  return {
    kind: "own",
    description: "document-test",
    weight: () =>
      setWeight(0, ({ reader, maxDoc }) => ({ kind: "test", test: open(reader), cost: maxDoc })),
  };
}

/** Opens a segment; `isHere` decides by the hash of a value. */
type Test = (reader: SegmentReader, isHere: (hash: bigint) => boolean) => (doc: number) => boolean;

/** The test for a field. */
function testOf(name: string, mapping: CompiledMapping): Test {
  if (name === "_id") return testIds;
  const field = mapping.compiledField(name);
  if (field === undefined) throw illegalArgument(`field ${name} not found`);
  if (!field.hasDocValues || field.values.kind !== "numbers")
    throw illegalArgument(`cannot load numeric doc values on ${name}`);
  return (reader, isHere) => testNumbers(reader.numbers(field.name), bitsOf(field), isHere);
}

/** Seed of the product's hash of ids. */
const ID_SEED = 7919;

const testIds: Test = (reader, isHere) => (doc) =>
  isHere(BigInt(murmur3(encodedId(reader.id(doc)), ID_SEED)));

/** A document without a value counts as one with 0. */
function testNumbers(
  column: NumberColumn | undefined,
  bits: (column: NumberColumn, index: number) => bigint,
  isHere: (hash: bigint) => boolean,
): (doc: number) => boolean {
  return (doc) => {
    if (column === undefined || !column.has(doc)) return isHere(0n);
    const end = column.end(doc);
    for (let index = column.start(doc); index < end; index += 1) {
      if (isHere(mixed(bits(column, index)))) return true;
    }
    return false;
  };
}

/**
 * The bits that the product hashes: those of doubles and floats are mapped to integers that sort as
 * they do (`NumericUtils`).
 */
function bitsOf({ type }: CompiledField): (column: NumberColumn, index: number) => bigint {
  const view = new DataView(new ArrayBuffer(8));
  if (type === "double") {
    return (column, index) => {
      view.setFloat64(0, column.valueAt(index));
      const bits = view.getBigInt64(0);
      return bits ^ ((bits >> 63n) & 0x7fffffffffffffffn);
    };
  }
  if (type === "float") {
    return (column, index) => {
      view.setFloat32(0, column.valueAt(index));
      const bits = view.getInt32(0);
      return BigInt(bits ^ ((bits >> 31) & 0x7fffffff));
    };
  }
  return (column, index) => column.bigintAt(index);
}

/** `BitMixer.mix`: the lower half of `mix64`. */
function mixed(value: bigint): bigint {
  let z = BigInt.asUintN(64, value);
  z = BigInt.asUintN(64, (z ^ (z >> 32n)) * 0x4cd6944c5cc20b6dn);
  z = BigInt.asUintN(64, (z ^ (z >> 29n)) * 0xfc12c5b19d3259e9n);
  return BigInt.asIntN(32, z ^ (z >> 32n));
}

/** First bytes of an encoded id that tell its kind. */
const UTF8 = 0xff;
const NUMERIC = 0xfe;
const BASE64_ESCAPE = 0xfd;

/**
 * The bytes of an `_id` in Lucene: digits two to a byte, URL-safe Base64 decoded, other text as it
 * is. Source: `Uid.encodeId`.
 */
export function encodedId(id: string): Uint8Array {
  if (/^[0-9]+$/.test(id)) return numericId(id);
  const decoded = isUrlBase64(id) ? base64ToBytes(id) : undefined;
  if (decoded === undefined) return concatBytes([Uint8Array.of(UTF8), utf8Encode(id)]);
  return (decoded[0] ?? 0) >= BASE64_ESCAPE
    ? concatBytes([Uint8Array.of(BASE64_ESCAPE), decoded])
    : decoded;
}

/** Two digits in a byte; 15 fills the last half. */
function numericId(id: string): Uint8Array {
  const bytes = new Uint8Array(1 + ((id.length + 1) >> 1));
  bytes[0] = NUMERIC;
  for (let i = 0; i < id.length; i += 2) {
    const low = i + 1 === id.length ? 0x0f : id.charCodeAt(i + 1) - 48;
    bytes[1 + (i >> 1)] = ((id.charCodeAt(i) - 48) << 4) | low;
  }
  return bytes;
}

/** Whether decoding and encoding the text gives it back. */
function isUrlBase64(id: string): boolean {
  if (!/^[0-9A-Za-z_-]+$/.test(id)) return false;
  switch (id.length & 3) {
    case 1:
      return false;
    case 2:
      return /[AQgw]$/.test(id);
    case 3:
      return /[AEIMQUYcgkosw048]$/.test(id);
    default:
      return true;
  }
}

/**
 * A parsed `slice`: part `id` (from 0) of `max` parts, into which shards and a hash of the field's
 * values divide the documents.
 */
export interface Slice {
  readonly field: string;
  readonly id: number;
  readonly max: number;
}
