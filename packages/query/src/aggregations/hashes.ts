/** Hashes of terms and numbers as whole numbers below 2^52; those of a column's terms are made once per segment. */
import type { OrdinalColumn } from "@orrery/segment";
import { murmur3 } from "@orrery/stdx";
import { packHash } from "./hyper-log-log.ts";

const SPREAD = 4_294_967_296;

function join(low: number, high: number): number {
  return (low >>> 0) + (high & 0xf_ffff) * SPREAD;
}

export function hashBytes(bytes: Uint8Array): number {
  return join(murmur3(bytes, 0x1b873593), murmur3(bytes, 0x38b34ae5));
}

const floats = new Float64Array(1);
const halves = new Uint32Array(floats.buffer);

export function hashNumber(value: number): number {
  floats[0] = value === 0 ? 0 : value;
  const low = halves[0] as number;
  const high = halves[1] as number;
  return join(mix(mix(low) ^ high), mix(mix(high ^ 0x9e3779b9) + low));
}

function mix(value: number): number {
  let h = value | 0;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return h ^ (h >>> 16);
}

/** By ordinal. */
export interface TermHashes {
  readonly hashes: Float64Array;
  /** `packHash` of each. */
  readonly packed: Int32Array;
  /** The same by document, where every document has one term. */
  readonly packedByDoc: Int32Array | undefined;
}

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
