/**
 * From `_id` to documents within a segment: an open hash table, two words per slot (document + 1, hash), at most two
 * thirds full. An id that is not there usually costs one look at one slot.
 */
import { hashTerm } from "@orrery/analysis";
import { utf8Encode } from "@orrery/stdx";
import { KIND_FAILED, KIND_NESTED, type StoredFields } from "./stored.ts";
import type { IdKey } from "./types.ts";

export function createIdKey(id: string): IdKey {
  const { length } = id;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) {
    const unit = id.charCodeAt(i);
    if (unit > 127) return keyOf(id, utf8Encode(id));
    bytes[i] = unit;
  }
  return keyOf(id, bytes);
}

function keyOf(id: string, bytes: Uint8Array): IdKey {
  return { id, bytes, hash: hashTerm(bytes, bytes.length) };
}

/** The table for documents whose id hashes are given; documents that have no id are left out. */
export function buildIdTable(hashes: Int32Array, hasId: (doc: number) => boolean): Int32Array {
  let slots = 4;
  while (slots * 2 < hashes.length * 3) slots *= 2;
  const table = new Int32Array(slots * 2);
  const mask = slots - 1;
  for (let doc = 0; doc < hashes.length; doc += 1) {
    if (!hasId(doc)) continue;
    const hash = hashes[doc] as number;
    let slot = hash & mask;
    while (table[slot * 2] !== 0) slot = (slot + 1) & mask;
    table[slot * 2] = doc + 1;
    table[slot * 2 + 1] = hash;
  }
  return table;
}

export function hasIdKind(kind: number): boolean {
  return kind !== KIND_NESTED && kind !== KIND_FAILED;
}

/** The first slot at or after `slot` that holds a document with this id; -1 if none follows. */
export function nextWithId(
  table: Int32Array,
  stored: StoredFields,
  { hash, bytes }: IdKey,
  slot: number,
): number {
  const mask = (table.length >>> 1) - 1;
  for (let at = slot & mask; ; at = (at + 1) & mask) {
    const doc = (table[at * 2] as number) - 1;
    if (doc === -1) return -1;
    if (table[at * 2 + 1] === hash && stored.hasId(doc, bytes)) return at;
  }
}
