/**
 * Sizes of entries, and the cut of a run of entries at a size.
 *
 * The encoded size (etcd's protobuf encoding) limits reads and messages; the payload size limits uncommitted and
 * in-flight entries.
 */
import type { Entry } from "./types.ts";

/** The size limit that no run of entries exceeds. */
export const noLimit: number = Number.POSITIVE_INFINITY;

/** Bytes of the entry in etcd's protobuf encoding. */
export function encodedSize(entry: Entry): number {
  const { length } = entry.data;
  // One byte of kind and three field tags; an empty payload is left out altogether.
  const header = 4 + varintSize(entry.term) + varintSize(entry.index);
  return length === 0 ? header : header + 1 + varintSize(length) + length;
}

export function encodedSizes(entries: readonly Entry[]): number {
  let size = 0;
  for (const entry of entries) size += encodedSize(entry);
  return size;
}

/** Bytes of the entries' data alone. */
export function payloadSizes(entries: readonly Entry[]): number {
  let size = 0;
  for (const entry of entries) size += entry.data.length;
  return size;
}

/**
 * The longest prefix within `maxSize` encoded bytes, but never less than one entry: an entry above the limit would
 * stop the log.
 */
export function limitSize(entries: readonly Entry[], maxSize: number): readonly Entry[] {
  if (entries.length <= 1 || maxSize === noLimit) return entries;
  let size = 0;
  for (const [count, entry] of entries.entries()) {
    size += encodedSize(entry);
    if (size > maxSize && count > 0) return entries.slice(0, count);
  }
  return entries;
}

function varintSize(value: number): number {
  let size = 1;
  for (let rest = value; rest >= 128; rest = Math.floor(rest / 128)) size += 1;
  return size;
}
