/**
 * Term dictionary: sorted terms in prefix blocks of 16. The first term of a block is stored whole, the others as the
 * length of the prefix shared with the term before and their own suffix. A look-up is a binary search over first
 * terms, then a walk through one block (INV-SEGMENT-9).
 *
 * Block: varint length and bytes of the first term; then for each term varint shared, varint added, bytes.
 *
 * A term's ordinal is its rank, so columns and postings are indexed by it.
 */
import { utf8Decode } from "@orrery/stdx";
import { ByteList, IntList } from "./growable.ts";
import type { TermCursor, TermDictionary } from "./types.ts";

const BLOCK_SHIFT = 4;
const BLOCK_TERMS = 1 << BLOCK_SHIFT;

/** Takes terms in strictly ascending unsigned byte order. The order is not checked: `seek` would silently miss terms. */
export interface DictionaryWriter {
  readonly size: number;
  add(source: Uint8Array, from: number, to: number): void;
  finish(): { readonly offsets: Int32Array; readonly bytes: Uint8Array };
}

/** A writer for an empty dictionary. */
export function createDictionaryWriter(): DictionaryWriter {
  const offsets = new IntList();
  const out = new ByteList(1024);
  let last = new Uint8Array(64);
  let lastLength = 0;
  let size = 0;
  // The previous term is copied: the caller reuses the buffer it came from.
  const remember = (source: Uint8Array, from: number, length: number): void => {
    if (length > last.length) last = new Uint8Array(length * 2);
    for (let i = 0; i < length; i += 1) last[i] = source[from + i] as number;
    lastLength = length;
  };
  return {
    get size() {
      return size;
    },
    add: (source, from, to) => {
      const length = to - from;
      if ((size & (BLOCK_TERMS - 1)) === 0) {
        offsets.push(out.length);
        out.varint(length);
        out.raw(source, from, to);
      } else {
        const limit = Math.min(length, lastLength);
        let common = 0;
        while (common < limit && source[from + common] === last[common]) common += 1;
        out.varint(common);
        out.varint(length - common);
        out.raw(source, from + common, to);
      }
      remember(source, from, length);
      size += 1;
    },
    finish: () => ({ offsets: offsets.view(), bytes: out.view() }),
  };
}

/** Opens a dictionary; `offsets` and `bytes` as `DictionaryWriter.finish` returned them. */
export function openDictionary(
  size: number,
  offsets: Int32Array,
  bytes: Uint8Array,
): TermDictionary {
  /**
   * Ordinal of `term`; if absent, the one's complement of the ordinal of the first greater term. The complement keeps
   * "absent before ordinal 0" (-1) apart from "found at 0".
   */
  const seek = (term: Uint8Array): number => {
    const block = blockOf(offsets, bytes, term);
    if (block < 0) return ~0;
    const first = block << BLOCK_SHIFT;
    const end = Math.min(size, first + BLOCK_TERMS);
    return seekInBlock(bytes, offsets[block] as number, term, first, end);
  };
  const ceiling = (term: Uint8Array): number => {
    const found = seek(term);
    return found < 0 ? ~found : found;
  };
  const cursorAt = (from: number): DictionaryCursor => {
    const cursor = new DictionaryCursor(size, offsets, bytes);
    cursor.seek(from);
    return cursor;
  };
  const read = (ord: number): DictionaryCursor => {
    const cursor = cursorAt(ord);
    cursor.next();
    return cursor;
  };
  return {
    size,
    // Any negative result means absent.
    find: (term) => Math.max(-1, seek(term)),
    ceiling,
    term: (ord) => {
      const cursor = read(ord);
      return cursor.bytes.slice(0, cursor.length);
    },
    text: (ord) => read(ord).text(),
    cursor: cursorAt,
    // All terms with a prefix are contiguous: from the prefix itself up to the first term that is greater than every
    // extension of it.
    prefixRange: (prefix) => {
      const from = ceiling(prefix);
      const after = successor(prefix);
      return { from, to: after === undefined ? size : ceiling(after) };
    },
  };
}

/**
 * The least byte string greater than every string that starts with `prefix`: the last byte below 255 incremented, the
 * rest cut off. `undefined` if the prefix consists of bytes 255 only.
 */
function successor(prefix: Uint8Array): Uint8Array | undefined {
  let length = prefix.length;
  while (length > 0 && prefix[length - 1] === 255) length -= 1;
  if (length === 0) return undefined;
  const next = prefix.slice(0, length);
  next[length - 1] = (next[length - 1] as number) + 1;
  return next;
}

/** The last block whose first term is not after `term`; -1 if even the first block begins after it. */
function blockOf(offsets: Int32Array, bytes: Uint8Array, term: Uint8Array): number {
  let low = 0;
  let high = offsets.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (compareFirst(bytes, offsets[middle] as number, term) <= 0) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}

/** Compares the first term of the block at `offset` with `term`, as unsigned bytes. */
function compareFirst(bytes: Uint8Array, offset: number, term: Uint8Array): number {
  let at = offset;
  let length = 0;
  for (let shift = 0; ; shift += 7) {
    const byte = bytes[at] as number;
    at += 1;
    length |= (byte & 127) << shift;
    if (byte < 128) break;
  }
  const common = Math.min(length, term.length);
  for (let i = 0; i < common; i += 1) {
    const difference = (bytes[at + i] as number) - (term[i] as number);
    if (difference !== 0) return difference;
  }
  return length - term.length;
}

/**
 * Searches one block without assembling any term. Invariant: the current term is before `term` and shares exactly
 * `matched` bytes with it. The next term then falls into one of three cases by the prefix it shares with the current
 * one: more than `matched`: it differs from `term` at the same byte as the current term, so it is before it, too;
 * less: it is greater than the current term within the matched prefix, so it is after `term`; equal: its suffix
 * decides.
 */
function seekInBlock(
  bytes: Uint8Array,
  offset: number,
  term: Uint8Array,
  first: number,
  end: number,
): number {
  const { length } = term;
  let at = offset;
  let matched = 0;
  for (let ord = first; ord < end; ord += 1) {
    let shared = 0;
    if (ord !== first) {
      let byte = bytes[at] as number;
      at += 1;
      shared = byte & 127;
      for (let shift = 7; byte > 127; shift += 7) {
        byte = bytes[at] as number;
        at += 1;
        shared |= (byte & 127) << shift;
      }
    }
    // Varints of one byte are nearly all there are; the loops below run for longer ones only.
    let byte = bytes[at] as number;
    at += 1;
    let added = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at] as number;
      at += 1;
      added |= (byte & 127) << shift;
    }
    const next = at + added;
    if (shared < matched) return ~ord;
    if (shared === matched) {
      while (at < next && matched < length && bytes[at] === term[matched]) {
        at += 1;
        matched += 1;
      }
      if (matched === length) return at === next ? ord : ~ord;
      // All of `term` has been matched here, so this one is `term` itself or an extension of it.
      if (at < next && (bytes[at] as number) > (term[matched] as number)) return ~ord;
    }
    at = next;
  }
  return ~end;
}

/**
 * A cursor over terms. A class, because merges and prefix queries step through millions of terms. `bytes` holds the
 * current term and is extended in place: the next term shares a prefix with it.
 */
class DictionaryCursor implements TermCursor {
  ord = -1;
  bytes: Uint8Array = new Uint8Array(64);
  length = 0;
  readonly #size: number;
  readonly #offsets: Int32Array;
  readonly #source: Uint8Array;
  #at = 0;

  constructor(size: number, offsets: Int32Array, source: Uint8Array) {
    this.#size = size;
    this.#offsets = offsets;
    this.#source = source;
  }

  /** Places the cursor before the first term of a block. */
  seekBlock(block: number): void {
    this.ord = (block << BLOCK_SHIFT) - 1;
    this.#at = this.#offsets[block] as number;
  }

  /**
   * Places the cursor before the term with this ordinal: enters its block and walks there, since terms depend on
   * those before them.
   */
  seek(ord: number): void {
    // Past the end `next` must return false at once.
    if (ord >= this.#size) {
      this.ord = this.#size - 1;
      return;
    }
    this.seekBlock(ord >> BLOCK_SHIFT);
    while (this.ord + 1 < ord) this.next();
  }

  /** Moves to the next term; false after the last. */
  next(): boolean {
    const ord = this.ord + 1;
    if (ord >= this.#size) return false;
    this.ord = ord;
    // The first term of a block shares nothing, whatever `bytes` still holds.
    const common = (ord & (BLOCK_TERMS - 1)) === 0 ? 0 : this.#varint();
    const added = this.#varint();
    const length = common + added;
    if (length > this.bytes.length) {
      const larger = new Uint8Array(length * 2);
      larger.set(this.bytes.subarray(0, common));
      this.bytes = larger;
    }
    const { bytes } = this;
    const source = this.#source;
    const at = this.#at;
    for (let i = 0; i < added; i += 1) bytes[common + i] = source[at + i] as number;
    this.#at = at + added;
    this.length = length;
    return true;
  }

  text(): string {
    const { bytes, length } = this;
    if (length > 24) return utf8Decode(bytes.subarray(0, length));
    let text = "";
    for (let i = 0; i < length; i += 1) {
      const byte = bytes[i] as number;
      if (byte > 127) return utf8Decode(bytes.subarray(0, length));
      text += String.fromCharCode(byte);
    }
    return text;
  }

  #varint(): number {
    const source = this.#source;
    let at = this.#at;
    let byte = source[at] as number;
    at += 1;
    let value = byte & 127;
    for (let shift = 7; byte > 127; shift += 7) {
      byte = source[at] as number;
      at += 1;
      value |= (byte & 127) << shift;
    }
    this.#at = at;
    return value;
  }
}
