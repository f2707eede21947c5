/**
 * One generation of the translog: a `.tlog` file of a header and records, and a `.ckp` file of marks
 * (`TranslogReader`, `Checkpoint`). A mark says how much of the first file is durable.
 *
 * A record that cannot be read, behind the last mark, is the torn end of a crash, and is cut off. Before the last
 * mark it is a damaged acknowledged operation, and the file is corrupt. OpenSearch overwrites one checkpoint per
 * translog; marks are appended, so that no crash can tear the last good one.
 */
import { DiskError, type Disk } from "@orrery/ports";
import { concatBytes, crc32c, utf8Decode, utf8Encode } from "@orrery/stdx";
import { CorruptStoreError } from "../store/corruption.ts";
import { getUint32, putUint32, readRecords, type Operation } from "./record.ts";

/** The durable part of a generation at one time: its length in bytes, and the global checkpoint known then. */
export interface Mark {
  readonly offset: number;
  readonly globalCheckpoint: number;
}

/**
 * The header of a `.tlog` file. The uuid ties the file to its commit; the term is that in which the generation was
 * begun.
 */
export interface GenerationHeader {
  readonly translogUuid: string;
  readonly generation: number;
  readonly primaryTerm: number;
}

/** The contents of a generation, in the order of the records. */
export interface ReadGeneration {
  readonly header: GenerationHeader;
  readonly operations: readonly Operation[];
  /** Length up to the end of the last whole record. */
  readonly sizeBytes: number;
  /** The durable length of its last mark; 0 without one. */
  readonly syncedBytes: number;
  readonly globalCheckpoint: number;
}

/** "OTR1". */
const MAGIC = 0x4f545231;
/** Offset 8, global checkpoint + 2 8, tag 4, CRC-32C of these 4. */
const MARK_BYTES = 24;

export function translogFile(folder: string, generation: number): string {
  return `${folder}/translog-${generation}.tlog`;
}

export function markFile(folder: string, generation: number): string {
  return `${folder}/translog-${generation}.ckp`;
}

/** Generations that have a `.tlog` file, ascending. */
export function listGenerations(disk: Disk, folder: string): number[] {
  return numbersOf(disk, folder, /^translog-(\d+)\.tlog$/);
}

/** Generations that have a `.ckp` file, with or without a `.tlog`; ascending. */
export function listMarks(disk: Disk, folder: string): number[] {
  return numbersOf(disk, folder, /^translog-(\d+)\.ckp$/);
}

function numbersOf(disk: Disk, folder: string, names: RegExp): number[] {
  return disk
    .list(folder)
    .flatMap((name) => {
      const match = names.exec(name);
      return match === null ? [] : [Number(match[1])];
    })
    .toSorted((a, b) => a - b);
}

/** Encodes a header: magic number, length and CRC-32C of the body, and the body as JSON. */
export function encodeHeader(header: GenerationHeader): Uint8Array {
  const body = utf8Encode(JSON.stringify(header));
  const head = new Uint8Array(12);
  putUint32(head, 0, MAGIC);
  putUint32(head, 4, body.length);
  putUint32(head, 8, crc32c(body));
  return concatBytes([head, body]);
}

/**
 * Encodes a mark. `tag` is the checksum of the translog's uuid (`markTag`), by which a reader ignores marks of another
 * translog that a crash has brought back.
 */
export function encodeMark({ offset, globalCheckpoint }: Mark, tag: number): Uint8Array {
  const bytes = new Uint8Array(MARK_BYTES);
  putUint32(bytes, 0, Math.floor(offset / 2 ** 32));
  putUint32(bytes, 4, offset % 2 ** 32);
  const shifted = globalCheckpoint + 2;
  putUint32(bytes, 8, Math.floor(shifted / 2 ** 32));
  putUint32(bytes, 12, shifted % 2 ** 32);
  putUint32(bytes, 16, tag);
  putUint32(bytes, 20, crc32c(bytes.subarray(0, 20)));
  return bytes;
}

/**
 * The damage of the mark file of a generation with operations; `undefined`: none. Without its marks the synced length
 * of the generation is unknown, and a generation that was cut short looks whole. Marks of zeros are left by a power
 * cut, and are no damage.
 */
export function markDamage(
  disk: Disk,
  folder: string,
  generation: number,
  uuid: string,
): string | undefined {
  const path = markFile(folder, generation);
  const unknown = "how much of the generation was synced is not known";
  const bytes = readFile(disk, path);
  if (bytes === undefined) return `[${path}] is missing: ${unknown}`;
  const tag = markTag(uuid);
  let isMarked = false;
  for (let at = 0; at + MARK_BYTES <= bytes.length; at += MARK_BYTES) {
    const mark = bytes.subarray(at, at + MARK_BYTES);
    if (mark.every((byte) => byte === 0)) continue;
    if (crc32c(mark.subarray(0, 20)) !== getUint32(mark, 20)) return `[${path}] is damaged`;
    isMarked ||= getUint32(mark, 16) === tag;
  }
  return isMarked ? undefined : `[${path}] holds no mark of this translog: ${unknown}`;
}

/**
 * The intact mark with the greatest offset, the last of those with an equal one. Damaged marks and marks of another
 * translog are skipped. Without a mark the offset is 0 and the global checkpoint -2.
 */
export function readMark(disk: Disk, folder: string, generation: number, uuid: string): Mark {
  const path = markFile(folder, generation);
  let last: Mark = { offset: 0, globalCheckpoint: -2 };
  const bytes = readFile(disk, path);
  if (bytes === undefined) return last;
  const tag = markTag(uuid);
  for (let at = 0; at + MARK_BYTES <= bytes.length; at += MARK_BYTES) {
    if (crc32c(bytes.subarray(at, at + 20)) !== getUint32(bytes, at + 20)) continue;
    if (getUint32(bytes, at + 16) !== tag) continue;
    const offset = getUint32(bytes, at) * 2 ** 32 + getUint32(bytes, at + 4);
    const shifted = getUint32(bytes, at + 8) * 2 ** 32 + getUint32(bytes, at + 12);
    if (offset >= last.offset) last = { offset, globalCheckpoint: shifted - 2 };
  }
  return last;
}

/**
 * Reads a whole generation. `undefined`: the header is torn, which a crash can cause only before anything in the file
 * was durable.
 * @throws CorruptStoreError A durable part is damaged.
 */
export function readGeneration(
  disk: Disk,
  folder: string,
  generation: number,
  uuid: string,
): ReadGeneration | undefined {
  const path = translogFile(folder, generation);
  const mark = readMark(disk, folder, generation, uuid);
  const bytes = readFile(disk, path);
  const header = bytes && readHeader(bytes);
  if (bytes === undefined || header === undefined) {
    if (mark.offset === 0) return undefined;
    throw corrupt(path, "its header cannot be read");
  }
  const { translogUuid, generation: found } = header.header;
  const isOwn = translogUuid === uuid;
  // A file of another translog may lie here after a crash, but not in the place of one that has a durable part.
  if (isOwn ? found !== generation : mark.offset > 0) {
    throw corrupt(path, `it is generation [${found}] of translog [${translogUuid}]`);
  }
  const { operations, end } = readRecords(bytes, header.end);
  if (isOwn && end < mark.offset) {
    throw corrupt(path, `the record at [${end}] is damaged, [${mark.offset}] bytes were synced`);
  }
  const { offset: syncedBytes, globalCheckpoint } = mark;
  return { header: header.header, operations, sizeBytes: end, syncedBytes, globalCheckpoint };
}

/** The bytes of a file; `undefined`: there is none, or something else has its name, such as a folder. */
function readFile(disk: Disk, path: string): Uint8Array | undefined {
  if (!disk.exists(path)) return undefined;
  try {
    return disk.read(path);
  } catch (error) {
    if (error instanceof DiskError && error.kind === "missing") return undefined;
    throw error;
  }
}

/** The checksum of a translog's uuid, which each of its marks contains. */
export function markTag(uuid: string): number {
  return crc32c(utf8Encode(uuid));
}

function readHeader(
  bytes: Uint8Array,
): { readonly header: GenerationHeader; readonly end: number } | undefined {
  if (bytes.length < 12 || getUint32(bytes, 0) !== MAGIC) return undefined;
  const length = getUint32(bytes, 4);
  const end = 12 + length;
  // A torn write may leave zeros behind the magic: an empty body, whose checksum is 0.
  if (length === 0 || end > bytes.length) return undefined;
  const body = bytes.subarray(12, end);
  if (crc32c(body) !== getUint32(bytes, 8)) return undefined;
  return { header: JSON.parse(utf8Decode(body)) as GenerationHeader, end };
}

function corrupt(path: string, what: string): CorruptStoreError {
  return new CorruptStoreError(
    "translog_corrupted_exception",
    `translog [${path}] is corrupted: ${what}`,
  );
}
