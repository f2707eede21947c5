/**
 * One operation as bytes: a record of the translog, of a replicated write, of a recovery. A primary encodes an
 * operation once; replicas verify and append the same bytes.
 *
 * Layout: length of the rest (4 bytes), CRC-32C of the payload (4 bytes), payload: kind and flags, sequence number,
 * primary term, version, id, routing, source. Numbers are unsigned LEB128, texts and source are preceded by their
 * lengths.
 */
import { crc32c, utf8Decode, utf8EncodeInto } from "@orrery/stdx";

/** An operation of the history (`Translog.Operation`). */
export interface Operation {
  readonly kind: "index" | "delete" | "noop";
  /** Empty for a no-op. */
  readonly id: string;
  readonly routing: string | undefined;
  /** The document as it was sent; `undefined` for deletes and no-ops. */
  readonly source: Uint8Array | undefined;
  readonly seqNo: number;
  readonly primaryTerm: number;
  readonly version: number;
}

const KINDS = ["index", "delete", "noop"] as const;
const HAS_ROUTING = 4;
const HAS_SOURCE = 8;
export const RECORD_HEADER_BYTES = 8;

/** Encodes the records of a batch into a buffer; `clear` makes the buffer free for the next batch. */
export interface RecordWriter {
  readonly sizeBytes: number;
  readonly count: number;
  add(operation: Operation): void;
  /** All records: a view, valid until the next `add` or `clear`. */
  bytes(): Uint8Array;
  clear(): void;
}

/** A writer without records. Its buffer doubles when it is full, and never shrinks. */
export function createRecordWriter(initialBytes = 4096): RecordWriter {
  let buffer = new Uint8Array(initialBytes);
  let at = 0;
  let count = 0;
  const room = (bytes: number): void => {
    if (at + bytes <= buffer.length) return;
    const larger = new Uint8Array(Math.max(buffer.length * 2, at + bytes));
    larger.set(buffer.subarray(0, at));
    buffer = larger;
  };
  const varint = (value: number): void => {
    let rest = value;
    while (rest >= 128) {
      buffer[at] = (rest % 128) | 128;
      at += 1;
      rest = Math.floor(rest / 128);
    }
    buffer[at] = rest;
    at += 1;
  };
  const text = (value: string): void => {
    const start = at + 5;
    const length = utf8EncodeInto(value, buffer.subarray(start, start + value.length * 3));
    varint(length);
    buffer.copyWithin(at, start, start + length);
    at += length;
  };
  const block = (value: Uint8Array): void => {
    varint(value.length);
    buffer.set(value, at);
    at += value.length;
  };
  return {
    get sizeBytes() {
      return at;
    },
    get count() {
      return count;
    },
    add(operation) {
      const { id, routing, source } = operation;
      const textBytes = (id.length + (routing?.length ?? 0)) * 3;
      room(RECORD_HEADER_BYTES + 64 + textBytes + (source?.length ?? 0));
      const start = at;
      at += RECORD_HEADER_BYTES;
      buffer[at] =
        KINDS.indexOf(operation.kind) |
        (routing === undefined ? 0 : HAS_ROUTING) |
        (source === undefined ? 0 : HAS_SOURCE);
      at += 1;
      varint(operation.seqNo);
      varint(operation.primaryTerm);
      varint(operation.version);
      text(id);
      if (routing !== undefined) text(routing);
      if (source !== undefined) block(source);
      const payload = buffer.subarray(start + RECORD_HEADER_BYTES, at);
      putUint32(buffer, start, at - start - 4);
      putUint32(buffer, start + 4, crc32c(payload));
      count += 1;
    },
    bytes: () => buffer.subarray(0, at),
    clear: () => {
      at = 0;
      count = 0;
    },
  };
}

export interface ReadRecords {
  readonly operations: readonly Operation[];
  /** Offset of the first byte that belongs to no whole and intact record; the length of `bytes` when there is none. */
  readonly end: number;
}

/**
 * Decodes records up to the end, or up to the first torn or damaged record: without the length of that one, later
 * records cannot be found. Sources are views into `bytes`.
 */
export function readRecords(bytes: Uint8Array, from = 0): ReadRecords {
  const operations: Operation[] = [];
  let at = from;
  while (at + RECORD_HEADER_BYTES < bytes.length) {
    const length = getUint32(bytes, at);
    const end = at + 4 + length;
    // Zeros behind a torn write would be records without a payload.
    if (length <= 4 || end > bytes.length) break;
    const payload = bytes.subarray(at + RECORD_HEADER_BYTES, end);
    if (crc32c(payload) !== getUint32(bytes, at + 4)) break;
    operations.push(readPayload(payload));
    at = end;
  }
  return { operations, end: at };
}

function readPayload(bytes: Uint8Array): Operation {
  let at = 1;
  const varint = (): number => {
    let value = 0;
    let scale = 1;
    for (;;) {
      const next = bytes[at] ?? 0;
      at += 1;
      value += (next & 127) * scale;
      if (next < 128) return value;
      scale *= 128;
    }
  };
  const block = (): Uint8Array => {
    const length = varint();
    at += length;
    return bytes.subarray(at - length, at);
  };
  const flags = bytes[0] ?? 0;
  const seqNo = varint();
  const primaryTerm = varint();
  const version = varint();
  const id = utf8Decode(block());
  const routing = (flags & HAS_ROUTING) === 0 ? undefined : utf8Decode(block());
  const source = (flags & HAS_SOURCE) === 0 ? undefined : block();
  const kind = KINDS[flags & 3] ?? "noop";
  return { kind, id, routing, source, seqNo, primaryTerm, version };
}

/** Writes an unsigned 32-bit number, big-endian. */
export function putUint32(target: Uint8Array, at: number, value: number): void {
  target[at] = value >>> 24;
  target[at + 1] = (value >>> 16) & 255;
  target[at + 2] = (value >>> 8) & 255;
  target[at + 3] = value & 255;
}

/** Reads an unsigned 32-bit number, big-endian; bytes beyond the end count as 0. */
export function getUint32(bytes: Uint8Array, at: number): number {
  return (
    (((bytes[at] ?? 0) << 24) |
      ((bytes[at + 1] ?? 0) << 16) |
      ((bytes[at + 2] ?? 0) << 8) |
      (bytes[at + 3] ?? 0)) >>>
    0
  );
}
