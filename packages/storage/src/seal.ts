/**
 * The seal of a node store: it identifies the store's exact contents, and is written with every commit into the
 * database and into the commit marker beside it.
 *
 * Entries form a chain: the hash of an entry covers the hash of the entry before it, so that the hash of the last
 * entry covers the whole log. `digest` covers all other rows. `storeId` distinguishes the files of different stores.
 */
import { createHash, hash } from "node:crypto";

/** The seal of one commit. */
export interface Seal {
  /** 32 hexadecimal digits, drawn when the store is created or starts over. */
  readonly storeId: string;
  /** Number of commits since the store was created. */
  readonly sequence: number;
  /** Hash of the entry before the first one in the store. */
  readonly baseHash: Uint8Array;
  /** Index of the last entry; 0 when there is none. */
  readonly lastIndex: number;
  readonly lastHash: Uint8Array;
  readonly digest: Uint8Array;
}

const hashBytes = 32;
/** The hash that stands before the first entry of a chain, where no entry precedes. */
export const noHash: Uint8Array = new Uint8Array(hashBytes);

const storeIdBytes = 16;
const checkedBytes = storeIdBytes + 8 + hashBytes + 8 + hashBytes + hashBytes;
export const sealBytes: number = checkedBytes + hashBytes;

/** Fixed layout of `sealBytes` bytes, with a checksum at the end. */
export function encodeSeal(seal: Seal): Uint8Array {
  const bytes = Buffer.alloc(sealBytes);
  Buffer.from(seal.storeId, "hex").copy(bytes, 0);
  bytes.writeBigUInt64BE(BigInt(seal.sequence), 16);
  bytes.set(seal.baseHash, 24);
  bytes.writeBigUInt64BE(BigInt(seal.lastIndex), 56);
  bytes.set(seal.lastHash, 64);
  bytes.set(seal.digest, 96);
  bytes.set(sha256(bytes.subarray(0, checkedBytes)), checkedBytes);
  return bytes;
}

/** The seal; `undefined` when the bytes are no seal, or damaged. */
export function decodeSeal(given: Uint8Array): Seal | undefined {
  if (given.length !== sealBytes) return undefined;
  const bytes = Buffer.from(given.buffer, given.byteOffset, given.byteLength);
  const checksum = sha256(bytes.subarray(0, checkedBytes));
  if (!checksum.equals(bytes.subarray(checkedBytes))) return undefined;
  return {
    storeId: bytes.toString("hex", 0, storeIdBytes),
    sequence: Number(bytes.readBigUInt64BE(16)),
    baseHash: new Uint8Array(bytes.subarray(24, 56)),
    lastIndex: Number(bytes.readBigUInt64BE(56)),
    lastHash: new Uint8Array(bytes.subarray(64, 96)),
    digest: new Uint8Array(bytes.subarray(96, 128)),
  };
}

export function isSameSeal(a: Seal, b: Seal): boolean {
  return Buffer.compare(encodeSeal(a), encodeSeal(b)) === 0;
}

/** The hash of an entry, over that of the entry before it. */
export function entryHash(
  previous: Uint8Array,
  entry: { readonly index: number; readonly term: number; readonly bytes: Uint8Array },
): Uint8Array {
  const position = Buffer.alloc(16);
  position.writeBigUInt64BE(BigInt(entry.index), 0);
  position.writeBigUInt64BE(BigInt(entry.term), 8);
  return createHash("sha256").update(previous).update(position).update(entry.bytes).digest();
}

/** The hash of a row other than a log entry. */
export function rowHash(bytes: Uint8Array): Uint8Array {
  return sha256(bytes);
}

/** The digest over the hashes of all rows that are no entries, in the order of their names. */
export function digestOf(rows: ReadonlyMap<string, Uint8Array>): Uint8Array {
  const all = createHash("sha256");
  const names = [...rows.keys()].toSorted((a, b) => (a < b ? -1 : 1));
  for (const name of names) all.update(`${name.length}:${name}`).update(rows.get(name) ?? noHash);
  return all.digest();
}

function sha256(bytes: Uint8Array): Buffer {
  return hash("sha256", bytes, "buffer");
}
