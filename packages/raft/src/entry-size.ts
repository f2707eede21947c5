/**
 * How large entries count, and where a run of them is cut.
 *
 * The encoded size (etcd's protobuf encoding) limits what is read and sent; the payload size limits what
 * is uncommitted or in flight.
 */
import type { Entry } from "./types.ts";

/** As a size limit: no limit. */
export const noLimit: number = Number.POSITIVE_INFINITY;

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

export function payloadSizes(entries: readonly Entry[]): number {
  let size = 0;
  for (const entry of entries) size += entry.data.length;
  return size;
}

/** The longest prefix within `maxSize` encoded bytes, but never less than one entry. */
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
