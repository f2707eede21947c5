/**
 * Bit sets of documents that a restriction admits, kept for each segment and plan: what one request has evaluated, the next one does not.
 *
 * A set holds whether or not its documents are live, so that it stays right for every view of the segment. Sets lie with the reader
 * of their segment and go when it does. Those of one segment, with their keys, take at most a sixteenth of the segment, and 16 KB where
 * that is less; the one that was used longest ago makes room.
 */
import type { SegmentReader } from "@orrery/segment";

const LEAST_BYTES = 16 * 1024;
const SHARE = 16;
/** Of one set, beside its bits and its key. */
const OVERHEAD_BYTES = 128;

class SegmentSets {
  bytes = 0;
  private readonly mostBytes: number;
  /** Last used last. */
  private readonly sets = new Map<string, Int32Array>();

  constructor({ sizeBytes }: SegmentReader) {
    this.mostBytes = Math.max(LEAST_BYTES, Math.floor(sizeBytes / SHARE));
  }

  find(key: string): Int32Array | undefined {
    const words = this.sets.get(key);
    if (words === undefined) return undefined;
    this.sets.delete(key);
    this.sets.set(key, words);
    return words;
  }

  keep(key: string, words: Int32Array): void {
    const bytes = bytesOf(key, words);
    if (bytes > this.mostBytes || this.sets.has(key)) return;
    this.sets.set(key, words);
    this.bytes += bytes;
    for (const [oldest, set] of this.sets) {
      if (this.bytes <= this.mostBytes) return;
      this.sets.delete(oldest);
      this.bytes -= bytesOf(oldest, set);
    }
  }
}

function bytesOf(key: string, words: Int32Array): number {
  return words.byteLength + 2 * key.length + OVERHEAD_BYTES;
}

const ofReaders = new WeakMap<SegmentReader, SegmentSets>();

export function findAdmitted(reader: SegmentReader, key: string): Int32Array | undefined {
  return ofReaders.get(reader)?.find(key);
}

export function keepAdmitted(reader: SegmentReader, key: string, words: Int32Array): void {
  let sets = ofReaders.get(reader);
  if (sets === undefined) ofReaders.set(reader, (sets = new SegmentSets(reader)));
  sets.keep(key, words);
}

/** What the kept sets of a segment take. */
export function admittedBytes(reader: SegmentReader): number {
  return ofReaders.get(reader)?.bytes ?? 0;
}
