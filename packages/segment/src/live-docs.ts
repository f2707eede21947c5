/**
 * Live documents of a segment: immutable bit sets, and their file format. A delete never touches the segment; it
 * makes another set (copy on write), so an open search keeps the set it started with, and a commit stores the set
 * beside the segment (Lucene's `.liv` files). INV-SEGMENT-4.
 */
import { assert, crc32c, sharedBytes } from "@orrery/stdx";
import { clearBit, countBits, hasBit, wordCount } from "./bits.ts";
import { CorruptFileError } from "./file.ts";
import type { LiveDocs, SegmentReader } from "./types.ts";

const MAGIC = 0x4c53524f;
const HEADER_BYTES = 12;

/** A set in which every document is live. */
export function allLive(maxDoc: number): LiveDocs {
  const words = sharedWords(maxDoc);
  for (let doc = 0; doc < maxDoc; doc += 32) {
    const rest = maxDoc - doc;
    // Bits beyond `maxDoc` stay 0, so that counting set bits counts documents.
    words[doc >> 5] = rest >= 32 ? -1 : (1 << rest) - 1;
  }
  return { maxDoc, liveCount: maxDoc, words };
}

/** Live docs over a copy of the given bits. */
export function liveDocsOf(maxDoc: number, words: Int32Array): LiveDocs {
  const copy = sharedWords(maxDoc);
  copy.set(words.subarray(0, copy.length));
  return { maxDoc, liveCount: countBits(copy), words: copy };
}

/** Whether the document is live; without live docs every document is. */
export function isLive(live: LiveDocs | undefined, doc: number): boolean {
  return live === undefined || hasBit(live.words, doc);
}

/**
 * The set without the given root documents and their nested documents. Documents that are already dead are ignored.
 * The argument `live` stays unchanged.
 */
export function deleteDocs(
  live: LiveDocs | undefined,
  docs: Iterable<number>,
  reader: Pick<SegmentReader, "maxDoc" | "roots">,
): LiveDocs {
  const { maxDoc, roots } = reader;
  assert(live === undefined || live.maxDoc === maxDoc, "live docs belong to another segment");
  const before = live ?? allLive(maxDoc);
  const words = sharedWords(maxDoc);
  words.set(before.words);
  let liveCount = before.liveCount;
  const remove = (doc: number): void => {
    if (!hasBit(words, doc)) return;
    clearBit(words, doc);
    liveCount -= 1;
  };
  for (const doc of docs) {
    assert(doc >= 0 && doc < maxDoc, `document [${doc}] is not in the segment`);
    remove(doc);
    // Nested documents precede their root (Lucene's block order), so the block ends, going backwards, at the previous
    // root.
    if (roots === undefined) continue;
    for (let child = doc - 1; child >= 0 && !roots.has(child); child -= 1) remove(child);
  }
  return { maxDoc, liveCount, words };
}

/** Shared memory: a merge or a search in another thread reads the same bits. */
function sharedWords(maxDoc: number): Int32Array {
  return new Int32Array(sharedBytes(wordCount(maxDoc) * 4).buffer);
}

/**
 * Encodes live docs as a file: magic, maxDoc (which determines the number of words), words, CRC-32C of all bytes before it.
 */
export function encodeLiveDocs(live: LiveDocs): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + live.words.length * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, live.maxDoc, true);
  for (const [i, word] of live.words.entries()) view.setInt32(8 + i * 4, word, true);
  view.setUint32(bytes.length - 4, crc32c(bytes.subarray(0, bytes.length - 4)), true);
  return bytes;
}

/** Decodes a file; `fileName` goes into the message. Throws `CorruptFileError` for a wrong magic, length or checksum. */
export function decodeLiveDocs(bytes: Uint8Array, fileName: string): LiveDocs {
  if (bytes.length < HEADER_BYTES) throw new CorruptFileError(fileName, "file is too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const maxDoc = view.getUint32(4, true);
  const isWhole =
    view.getUint32(0, true) === MAGIC &&
    bytes.length === HEADER_BYTES + wordCount(maxDoc) * 4 &&
    view.getUint32(bytes.length - 4, true) === crc32c(bytes.subarray(0, bytes.length - 4));
  if (!isWhole) throw new CorruptFileError(fileName, "checksum failed for live docs");
  const words = sharedWords(maxDoc);
  for (let i = 0; i < words.length; i += 1) words[i] = view.getInt32(8 + i * 4, true);
  return { maxDoc, liveCount: countBits(words), words };
}
