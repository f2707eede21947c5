/**
 * Index from `_id` to documents of a segment: an open-addressing hash table with linear probing, two words per slot
 * (document + 1, hash), at most two thirds full. It replaces Lucene's terms of the field `_id`: a look-up may have to
 * probe every segment of the shard, and a miss usually costs one slot.
 */
import { hashTerm } from "@orrery/analysis";
import { utf8Encode } from "@orrery/stdx";
import { KIND_FAILED, KIND_NESTED, type StoredFields } from "./stored.ts";
import type { IdKey } from "./types.ts";

/** The key of an id, with its hash. Made once and used for all segments of a shard. */
export function createIdKey(id: string): IdKey {
  const { length } = id;
  const bytes = new Uint8Array(length);
  for (let i = 0; i < length; i += 1) {
    const unit = id.charCodeAt(i);
    // Ids are ASCII nearly always, and a loop is then faster than the encoder.
    if (unit > 127) return keyOf(id, utf8Encode(id));
    bytes[i] = unit;
  }
  return keyOf(id, bytes);
}

function keyOf(id: string, bytes: Uint8Array): IdKey {
  return { id, bytes, hash: hashTerm(bytes, bytes.length) };
}

/**
 * The table for documents with the given id hashes; documents without an id are left out. Several documents may have
 * one id (an update in the same segment): each gets a slot.
 */
export function buildIdTable(hashes: Int32Array, hasId: (doc: number) => boolean): Int32Array {
  let slots = 4;
  // At least 1.5 slots per document: a free slot always exists, and `nextWithId` relies on one to end its search.
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

/** Whether a document of this kind has an id that look-ups may find. */
export function hasIdKind(kind: number): boolean {
  return kind !== KIND_NESTED && kind !== KIND_FAILED;
}

/**
 * The first slot at or after `slot` whose document has this id; -1 when a free slot is reached first. Pass the hash
 * as the first `slot`, then the previous result + 1.
 */
export function nextWithId(
  table: Int32Array,
  stored: StoredFields,
  { hash, bytes }: IdKey,
  slot: number,
): number {
  const mask = (table.length >>> 1) - 1;
  // Comparing stored hashes first avoids touching the record for nearly all other ids.
  for (let at = slot & mask; ; at = (at + 1) & mask) {
    const doc = (table[at * 2] as number) - 1;
    if (doc === -1) return -1;
    if (table[at * 2 + 1] === hash && stored.hasId(doc, bytes)) return at;
  }
}
