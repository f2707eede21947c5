/**
 * The bytes of a metadata blob: a checksum in hex, a mark, and JSON, plain or compressed. The checksum is of the blob's path in the
 * repository and of the bytes as they lie there: what fails it is corrupt, or lies in the place of another blob, and says so.
 *
 * Whether a body is compressed shows in its first bytes, as in the product, so that a repository is read whatever its settings say now.
 */
import { concatBytes, crc32c, OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { deflateSync, Inflate } from "fflate";
import type { Compression } from "./settings.ts";

const CHECKSUM_LENGTH = 8;
/** The checksum is of path and bytes … */
const WITH_PATH = 0x40;
/** … or of the bytes alone, in repositories that were written before it had the path. */
const WITHOUT_PATH = 0x0a;
/** `DFL\0`: raw DEFLATE follows. No JSON begins like that. */
const DEFLATED: readonly number[] = [0x44, 0x46, 0x4c, 0];
/** As fast as the product's. */
const LEVEL = 3;

/** A compressed body is read in pieces of this size, so that the bound below holds before the memory is taken. */
const PIECE_BYTES = 64 * 1024;
/** Bytes that a compressed body may hold: what inflates to more was not written by a node. */
export const INFLATED_BYTES_MOST: number = 256 * 1024 * 1024;

/** `path`: where it will lie, below the repository's own place. */
export function encodeBlob(value: unknown, compression: Compression, path: string): Uint8Array {
  const json = utf8Encode(JSON.stringify(value));
  const body = compression === "none" ? json : deflated(json);
  const checksum = utf8Encode(checksumOf(body, pathSum(path)));
  return concatBytes([checksum, Uint8Array.of(WITH_PATH), body]);
}

function deflated(json: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.from(DEFLATED), deflateSync(json, { level: LEVEL })]);
}

/** Throws `OperationError` of type `corrupt_index_exception`. The caller knows what shape it wrote. */
export function decodeBlob(bytes: Uint8Array, path: string): unknown {
  const checksum = utf8Decode(bytes.subarray(0, CHECKSUM_LENGTH));
  const body = bytes.subarray(CHECKSUM_LENGTH + 1);
  const mark = bytes[CHECKSUM_LENGTH];
  const isKnown = mark === WITH_PATH || mark === WITHOUT_PATH;
  if (!isKnown || checksum !== checksumOf(body, mark === WITH_PATH ? pathSum(path) : 0)) {
    throw corrupt(path, "codec footer mismatch (file truncated?)");
  }
  const isDeflated = DEFLATED.every((byte, at) => body[at] === byte);
  try {
    return JSON.parse(utf8Decode(isDeflated ? inflated(body, path) : body));
  } catch (error) {
    throw error instanceof OperationError ? error : corrupt(path, "body is not JSON");
  }
}

function inflated(body: Uint8Array, name: string): Uint8Array {
  const pieces: Uint8Array[] = [];
  let sizeBytes = 0;
  const stream = new Inflate((piece) => {
    pieces.push(piece);
    sizeBytes += piece.length;
  });
  for (let at = DEFLATED.length; at < body.length; at += PIECE_BYTES) {
    try {
      stream.push(body.subarray(at, at + PIECE_BYTES), at + PIECE_BYTES >= body.length);
    } catch {
      throw corrupt(name, "compressed body cannot be read");
    }
    if (sizeBytes > INFLATED_BYTES_MOST)
      throw corrupt(name, `compressed body holds more than ${INFLATED_BYTES_MOST} bytes`);
  }
  return concatBytes(pieces);
}

export function corrupt(name: string, what: string): OperationError {
  const reason = `${what} (resource=${name})`;
  return new OperationError({ type: "corrupt_index_exception", reason, status: 500 });
}

function pathSum(path: string): number {
  return crc32c(utf8Encode(path));
}

function checksumOf(body: Uint8Array, before: number): string {
  return crc32c(body, before).toString(16).padStart(CHECKSUM_LENGTH, "0");
}
