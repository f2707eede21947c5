/** The bytes of a metadata blob: a checksum in hex, a line end, JSON. What fails the checksum is corrupt, and says so. */
import { crc32c, OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";

const CHECKSUM_LENGTH = 8;

export function encodeBlob(value: unknown): Uint8Array {
  const body = JSON.stringify(value);
  return utf8Encode(`${checksumOf(body)}\n${body}`);
}

/** Throws `OperationError` of type `corrupt_index_exception`. The caller knows what shape it wrote. */
export function decodeBlob(bytes: Uint8Array, name: string): unknown {
  const text = utf8Decode(bytes);
  const body = text.slice(CHECKSUM_LENGTH + 1);
  if (text[CHECKSUM_LENGTH] === "\n" && text.slice(0, CHECKSUM_LENGTH) === checksumOf(body)) {
    return JSON.parse(body);
  }
  throw corrupt(name, "codec footer mismatch (file truncated?)");
}

export function corrupt(name: string, what: string): OperationError {
  const reason = `${what} (resource=${name})`;
  return new OperationError({ type: "corrupt_index_exception", reason, status: 500 });
}

function checksumOf(body: string): string {
  return crc32c(utf8Encode(body)).toString(16).padStart(CHECKSUM_LENGTH, "0");
}
