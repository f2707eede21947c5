/**
 * The container of a segment: numbered sections, a directory, a checksum. Readers access it in place through typed views.
 *
 * Layout: magic and format version (8 bytes); sections, each aligned to 8; the directory as JSON; and a footer of 24
 * bytes: directory offset (float64) and length, a zero word, CRC-32C of all bytes before it, magic again. Numbers are
 * little endian, the byte order of typed arrays on every supported machine.
 *
 * A truncated file loses the footer's magic; any other damage fails the checksum (INV-SEGMENT-5). The directory lies at
 * the end because sections are written before their sizes are known.
 */
import { OperationError, sharedBytes, areShared, utf8Decode, utf8Encode } from "@orrery/stdx";
import { checksum } from "./checksum.ts";
import type { SectionReader, SectionWriter } from "./part.ts";
import type { SegmentFile } from "./types.ts";

const MAGIC = 0x4753524f;
export const FORMAT_VERSION = 1;
const HEADER_BYTES = 8;
const FOOTER_BYTES = 24;
/** Size of the footer, which begins with the directory's offset. */
export const DIRECTORY_POINTER_BYTES: number = FOOTER_BYTES;

/**
 * The error of a file that differs from what its writer produced (torn, truncated, bits flipped) or has an unknown version.
 * The type and wording are Lucene's, so that the engine treats it as corruption and fails the copy.
 */
export class CorruptFileError extends OperationError {
  readonly fileName: string;

  constructor(fileName: string, what: string) {
    super({
      type: "corrupt_index_exception",
      reason: `${what} (resource=${fileName})`,
      status: 500,
    });
    this.fileName = fileName;
  }
}

/**
 * Collects sections, then lays them out in a SharedArrayBuffer, so that other threads can read or merge the segment
 * without a copy.
 */
export interface FileBuilder extends SectionWriter {
  /** Lays out the file. Sections are referenced, not copied, until then. */
  finish(name: string, directory: object): SegmentFile;
}

export function createFileBuilder(): FileBuilder {
  const sections: Uint8Array[] = [];
  return {
    add: (section) => {
      sections.push(new Uint8Array(section.buffer, section.byteOffset, section.byteLength));
      return sections.length - 1;
    },
    finish: (name, directory) => layOut(name, sections, directory),
  };
}

function layOut(name: string, sections: readonly Uint8Array[], directory: object): SegmentFile {
  let at = HEADER_BYTES;
  const places = sections.map((section) => {
    const place = [at, section.length];
    at = align8(at + section.length);
    return place;
  });
  const whole = { ...directory, sections: places };
  // Offsets are computed before the directory is serialized, since the directory contains them; its own offset goes
  // to the footer instead.
  const json = utf8Encode(JSON.stringify(whole));
  const total = align8(at + json.length) + FOOTER_BYTES;
  const bytes = sharedBytes(total);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, MAGIC, true);
  view.setUint32(4, FORMAT_VERSION, true);
  // The checksum is computed after everything it covers is in place, and before the closing magic, which it does not
  // cover.
  for (const [i, section] of sections.entries()) bytes.set(section, places[i]?.[0]);
  bytes.set(json, at);
  const footer = total - FOOTER_BYTES;
  view.setFloat64(footer, at, true);
  view.setUint32(footer + 8, json.length, true);
  view.setUint32(footer + 12, 0, true);
  view.setUint32(footer + 16, checksum(bytes.subarray(0, footer + 16)), true);
  view.setUint32(footer + 20, MAGIC, true);
  return { name, bytes, directory: whole };
}

function align8(value: number): number {
  return Math.ceil(value / 8) * 8;
}

/** An open file: views of its sections, and the parsed directory. */
export interface OpenFile extends SectionReader {
  readonly directory: unknown;
}

/**
 * Opens a file. Throws `CorruptFileError`. With `isTrusted` the checksum is not verified and the writer's own
 * directory object is used: the bytes were produced by this process a moment ago and never left its memory.
 */
export function openFile(file: SegmentFile, isTrusted: boolean): OpenFile {
  const bytes = inSharedMemory(file.bytes);
  const { name } = file;
  if (bytes.length < HEADER_BYTES + FOOTER_BYTES)
    throw new CorruptFileError(name, "file is too short");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
  const footer = bytes.length - FOOTER_BYTES;
  // Magic and version are checked before the checksum: a file of another version may have another checksum or layout,
  // and deserves its own message.
  if (view.getUint32(0, true) !== MAGIC || view.getUint32(footer + 20, true) !== MAGIC) {
    throw new CorruptFileError(name, "codec header or footer mismatch");
  }
  const version = view.getUint32(4, true);
  if (version !== FORMAT_VERSION) {
    throw new CorruptFileError(name, `unknown format version [${version}]`);
  }
  if (!isTrusted) {
    const actual = checksum(bytes.subarray(0, footer + 16));
    const expected = view.getUint32(footer + 16, true);
    if (actual !== expected) {
      throw new CorruptFileError(
        name,
        `checksum failed (hardware problem?) : expected=${expected.toString(16)} actual=${actual.toString(16)}`,
      );
    }
  }
  const start = view.getFloat64(footer, true);
  const length = view.getUint32(footer + 8, true);
  const directory =
    (isTrusted ? file.directory : undefined) ?? parseDirectory(name, bytes, start, length);
  return sectionViews(name, bytes, { directory, places: placesOf(name, directory) });
}

/**
 * Typed views need memory that is shared between threads and aligned to 8 bytes; bytes from a disk may be neither,
 * and are copied once.
 */
function inSharedMemory(bytes: Uint8Array): Uint8Array {
  if (areShared(bytes) && bytes.byteOffset % 8 === 0) return bytes;
  const copy = sharedBytes(bytes.length);
  copy.set(bytes);
  return copy;
}

interface Directory {
  readonly directory: unknown;
  readonly places: readonly (readonly [number, number])[];
}

/** A directory that passed the checksum parses. JSON.parse fails only for files that were opened as trusted or crafted. */
function parseDirectory(name: string, bytes: Uint8Array, start: number, length: number): unknown {
  try {
    return JSON.parse(utf8Decode(bytes.subarray(start, start + length)));
  } catch {
    throw new CorruptFileError(name, "directory is not readable");
  }
}

function placesOf(name: string, directory: unknown): Directory["places"] {
  const { sections } = directory as { sections?: Directory["places"] };
  if (!Array.isArray(sections)) throw new CorruptFileError(name, "directory lists no sections");
  return sections;
}

function sectionViews(name: string, bytes: Uint8Array, { directory, places }: Directory): OpenFile {
  // Bounds are checked at each use, so that a section beyond the end is reported as corruption.
  const place = (section: number): { at: number; size: number } => {
    const [offset, size] = places[section] ?? [];
    if (offset === undefined || size === undefined || offset + size > bytes.length) {
      throw new CorruptFileError(name, `section [${section}] lies outside the file`);
    }
    return { at: bytes.byteOffset + offset, size };
  };
  const { buffer } = bytes;
  return {
    directory,
    bytes: (section) => {
      const { at, size } = place(section);
      return new Uint8Array(buffer, at, size);
    },
    shorts: (section) => {
      const { at, size } = place(section);
      return new Uint16Array(buffer, at, size >>> 1);
    },
    ints: (section) => {
      const { at, size } = place(section);
      return new Int32Array(buffer, at, size >>> 2);
    },
    words: (section) => {
      const { at, size } = place(section);
      return new Uint32Array(buffer, at, size >>> 2);
    },
    doubles: (section) => {
      const { at, size } = place(section);
      return new Float64Array(buffer, at, size >>> 3);
    },
    longs: (section) => {
      const { at, size } = place(section);
      return new BigInt64Array(buffer, at, size >>> 3);
    },
  };
}
