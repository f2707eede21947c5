/**
 * Hashes of terms and numbers, for `cardinality`: 52 bits, so that a double holds one exactly.
 * Hashes of a column's terms are computed once for each segment.
 */
import type { OrdinalColumn } from "@orrery/segment";
import { murmur3 } from "@orrery/stdx";
import { packHash } from "./hyper-log-log.ts";

/** 2^32, the weight of the high half. */
const SPREAD = 4_294_967_296;

/** A hash from 32 low and 20 high bits. */
function join(low: number, high: number): number {
  return (low >>> 0) + (high & 0xf_ffff) * SPREAD;
}

/** The hash of a term, from two MurmurHash3 with different seeds. */
export function hashBytes(bytes: Uint8Array): number {
  return join(murmur3(bytes, 0x1b873593), murmur3(bytes, 0x38b34ae5));
}

/** The bits of a double. */
const floats = new Float64Array(1);
const halves = new Uint32Array(floats.buffer);

/** The hash of a number; 0 and -0 have the same one. */
export function hashNumber(value: number): number {
  floats[0] = value === 0 ? 0 : value;
  const low = halves[0] as number;
  const high = halves[1] as number;
  return join(mix(mix(low) ^ high), mix(mix(high ^ 0x9e3779b9) + low));
}

/** The finalizer of MurmurHash3, which spreads every bit over the word. */
function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** Hashes of the terms of a column, by ordinal. */
export interface TermHashes {
  readonly hashes: Float64Array;
  /** `packHash` of each. */
  readonly packed: Int32Array;
  /** `packed` by document; `undefined` unless every document has one term. */
  readonly packedByDoc: Int32Array | undefined;
}

/** Kept as long as their column: every search of a segment needs the same ones. */
const made = new WeakMap<OrdinalColumn["ords"], TermHashes>();

export function termHashes(column: OrdinalColumn): TermHashes {
  const known = made.get(column.ords);
  if (known !== undefined) return known;
  const hashes = new Float64Array(column.dictionary.size);
  const cursor = column.dictionary.cursor(0);
  while (cursor.next()) hashes[cursor.ord] = hashBytes(cursor.bytes.subarray(0, cursor.length));
  const packed = Int32Array.from(hashes, packHash);
  const packedByDoc = column.isDense ? column.ords.map((ord) => packed[ord] as number) : undefined;
  const found = { hashes, packed, packedByDoc };
  made.set(column.ords, found);
  return found;
}
