/**
 * Format of metadata blobs (`ChecksumBlobStoreFormat`): a checksum in hex, a mark, and a body of JSON, plain or
 * compressed. The checksum covers the body and the blob's path in the repository, so that it detects both damaged bytes
 * and a blob that was moved to another's path.
 *
 * The first bytes of a body tell whether it is compressed, as in the product: a repository can be read whatever its
 * settings are now.
 */
import { concatBytes, crc32c, OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { deflateSync, Inflate } from "fflate";
import type { Compression } from "./settings.ts";

const CHECKSUM_LENGTH = 8;
/** Mark of a checksum over path and body. */
const WITH_PATH = 0x40;
/** Mark of a checksum over the body alone, as older versions wrote it. */
const WITHOUT_PATH = 0x0a;
/** `DFL\0`, the prefix of a raw DEFLATE body; no JSON begins with it. */
const DEFLATED: readonly number[] = [0x44, 0x46, 0x4c, 0];
/** Compression level of the product. */
const LEVEL = 3;

/** Compressed bytes that are inflated at a time, so that the limit below stops a body before it has used the memory. */
const PIECE_BYTES = 64 * 1024;
/** Limit of a body before compression. Writers refuse a larger one; readers reject a larger inflated one as corrupt. */
export const INFLATED_BYTES_MOST: number = 256 * 1024 * 1024;

/**
 * The bytes of a blob. `path` is where it will be stored, relative to the repository's location.
 * @throws OperationError The value is larger than readers accept.
 */
export function encodeBlob(value: unknown, compression: Compression, path: string): Uint8Array {
  const json = utf8Encode(JSON.stringify(value));
  if (json.length > INFLATED_BYTES_MOST) throw tooLarge(path, json.length);
  const body = compression === "none" ? json : deflated(json);
  const checksum = utf8Encode(checksumOf(body, pathSum(path)));
  return concatBytes([checksum, Uint8Array.of(WITH_PATH), body]);
}

function tooLarge(path: string, sizeBytes: number): OperationError {
  return new OperationError({
    type: "repository_exception",
    reason: `blob [${path}] of [${sizeBytes}] bytes is not written, as it is larger than [${INFLATED_BYTES_MOST}] bytes`,
    status: 500,
  });
}

function deflated(json: Uint8Array): Uint8Array {
  return concatBytes([Uint8Array.from(DEFLATED), deflateSync(json, { level: LEVEL })]);
}

/** The value of a blob read from `path`. Throws `corrupt_index_exception` for a failed checksum or no JSON; its shape is checked by the caller. */
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

/** `corrupt_index_exception` about a blob. */
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
