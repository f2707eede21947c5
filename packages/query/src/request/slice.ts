/**
 * A part of the documents, for clients that read them with several hands: whole shards as long as there are enough of them,
 * then by a hash of the `_id` or of a numeric field. Source: `SliceBuilder`, `TermsSliceQuery`, `DocValuesSliceQuery`.
 */
import type { NumberColumn, SegmentReader } from "@orrery/segment";
import { base64ToBytes, concatBytes, illegalArgument, murmur3, utf8Encode } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import type { CompiledMapping } from "../language/mapping.ts";
import type { Plan } from "../language/plan.ts";
import { setWeight } from "../execution/weights/sets.ts";

export interface Slicing {
  /** Place of this shard among those of its index. */
  readonly shard: number;
  readonly shards: number;
}

/** Whether a slice has documents of a shard at all. */
export function sliceMeets({ id, max }: Slice, { shard, shards }: Slicing): boolean {
  return max >= shards ? id % shards === shard : shard % max === id;
}

/** `undefined`: every document of the shard is in the slice. */
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

function testPlan(open: (reader: SegmentReader) => (doc: number) => boolean): Plan {
  return {
    kind: "own",
    description: "document-test",
    weight: () =>
      setWeight(0, ({ reader, maxDoc }) => ({ kind: "test", test: open(reader), cost: maxDoc })),
  };
}

type Test = (reader: SegmentReader, isHere: (hash: bigint) => boolean) => (doc: number) => boolean;

function testOf(name: string, mapping: CompiledMapping): Test {
  if (name === "_id") return testIds;
  const field = mapping.compiledField(name);
  if (field === undefined) throw illegalArgument(`field ${name} not found`);
  if (!field.hasDocValues || field.values.kind !== "numbers")
    throw illegalArgument(`cannot load numeric doc values on ${name}`);
  return (reader, isHere) => testNumbers(reader.numbers(field.name), bitsOf(field), isHere);
}

const ID_SEED = 7919;

const testIds: Test = (reader, isHere) => (doc) =>
  isHere(BigInt(murmur3(encodedId(reader.id(doc)), ID_SEED)));

/** A document without the field counts as one that has zero. */
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

/** Doc values of floating point numbers are the longs (ints) that sort as they do. */
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

const UTF8 = 0xff;
const NUMERIC = 0xfe;
const BASE64_ESCAPE = 0xfd;

/** The bytes that Lucene has of an `_id`: digits by two in a byte, URL-safe Base64 decoded, other text as it is. Source: `Uid`. */
export function encodedId(id: string): Uint8Array {
  if (/^[0-9]+$/.test(id)) return numericId(id);
  const decoded = isUrlBase64(id) ? base64ToBytes(id) : undefined;
  if (decoded === undefined) return concatBytes([Uint8Array.of(UTF8), utf8Encode(id)]);
  return (decoded[0] ?? 0) >= BASE64_ESCAPE
    ? concatBytes([Uint8Array.of(BASE64_ESCAPE), decoded])
    : decoded;
}

function numericId(id: string): Uint8Array {
  const bytes = new Uint8Array(1 + ((id.length + 1) >> 1));
  bytes[0] = NUMERIC;
  for (let i = 0; i < id.length; i += 2) {
    const low = i + 1 === id.length ? 0x0f : id.charCodeAt(i + 1) - 48;
    bytes[1 + (i >> 1)] = ((id.charCodeAt(i) - 48) << 4) | low;
  }
  return bytes;
}

/** Only texts that decoding and encoding again leaves as they are. */
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

export interface Slice {
  readonly field: string;
  readonly id: number;
  readonly max: number;
}
