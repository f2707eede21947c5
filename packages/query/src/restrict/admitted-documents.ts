/**
 * A cache of the documents that a restriction admits, as bit sets per segment and plan, shared
 * between requests.
 *
 * A set ignores deletions, so it is valid for every view of the segment. The sets belong to the
 * segment's reader and are freed with it. Those of one segment take at most a sixteenth of its
 * size, or 16 KB if that is more; the least recently used is evicted.
 */
import type { SegmentReader } from "@orrery/segment";

/** The limit for small segments. */
const LEAST_BYTES = 16 * 1024;
/** The divisor of the segment's size. */
const SHARE = 16;
/** The bytes of a set besides its bits and its key. */
const OVERHEAD_BYTES = 128;

/** The cached sets of one segment. */
class SegmentSets {
  bytes = 0;
  private readonly mostBytes: number;
  /** By plan key, the least recently used first. */
  private readonly sets = new Map<string, Int32Array>();

  constructor({ sizeBytes }: SegmentReader) {
    this.mostBytes = Math.max(LEAST_BYTES, Math.floor(sizeBytes / SHARE));
  }

  /** Marks the set as used. */
  find(key: string): Int32Array | undefined {
    const words = this.sets.get(key);
    if (words === undefined) return undefined;
    this.sets.delete(key);
    this.sets.set(key, words);
    return words;
  }

  /** Adds a set and evicts others until they fit. */
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

/** The cached documents of a plan in one segment, by its key; `undefined`: not cached. */
export function findAdmitted(reader: SegmentReader, key: string): Int32Array | undefined {
  return ofReaders.get(reader)?.find(key);
}

/**
 * Caches the documents of a plan in one segment, unless this set alone exceeds the segment's limit.
 */
export function keepAdmitted(reader: SegmentReader, key: string, words: Int32Array): void {
  let sets = ofReaders.get(reader);
  if (sets === undefined) ofReaders.set(reader, (sets = new SegmentSets(reader)));
  sets.keep(key, words);
}

/** Returns the bytes of the segment's cached sets. */
export function admittedBytes(reader: SegmentReader): number {
  return ofReaders.get(reader)?.bytes ?? 0;
}
