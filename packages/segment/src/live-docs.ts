/** Live documents of a segment: immutable bit sets, and their file form for the commit. */
import { assert, crc32c, sharedBytes } from "@orrery/stdx";
import { clearBit, countBits, hasBit, wordCount } from "./bits.ts";
import { CorruptFileError } from "./file.ts";
import type { LiveDocs, SegmentReader } from "./types.ts";

const MAGIC = 0x4c53524f;
const HEADER_BYTES = 12;

export function allLive(maxDoc: number): LiveDocs {
  const words = sharedWords(maxDoc);
  for (let doc = 0; doc < maxDoc; doc += 32) {
    const rest = maxDoc - doc;
    words[doc >> 5] = rest >= 32 ? -1 : (1 << rest) - 1;
  }
  return { maxDoc, liveCount: maxDoc, words };
}

/** The live documents among these bits. */
export function liveDocsOf(maxDoc: number, words: Int32Array): LiveDocs {
  const copy = sharedWords(maxDoc);
  copy.set(words.subarray(0, copy.length));
  return { maxDoc, liveCount: countBits(copy), words: copy };
}

export function isLive(live: LiveDocs | undefined, doc: number): boolean {
  return live === undefined || hasBit(live.words, doc);
}

/** Without these root documents and the documents nested in them. Already dead ones do not matter. */
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
    if (roots === undefined) continue;
    for (let child = doc - 1; child >= 0 && !roots.has(child); child -= 1) remove(child);
  }
  return { maxDoc, liveCount, words };
}

function sharedWords(maxDoc: number): Int32Array {
  return new Int32Array(sharedBytes(wordCount(maxDoc) * 4).buffer);
}

/** Magic, maxDoc, words, crc32c of all of it. */
export function encodeLiveDocs(live: LiveDocs): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(HEADER_BYTES + live.words.length * 4);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, live.maxDoc, true);
  for (const [i, word] of live.words.entries()) view.setInt32(8 + i * 4, word, true);
  view.setUint32(bytes.length - 4, crc32c(bytes.subarray(0, bytes.length - 4)), true);
  return bytes;
}

/** Throws `CorruptFileError`; `fileName` is for its message. */
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
