/**
 * Binary form of scroll and point-in-time ids. Ids are opaque to clients but come back from them, so malformed ids
 * are rejected with the product's messages. Source: `StreamInput`, `java.util.Base64`.
 */
import {
  base64ToBytes,
  bytesToBase64Url,
  illegalArgument,
  OperationError,
  utf8Decode,
  type Problem,
} from "@orrery/stdx";

/** A reader over the decoded bytes. Every method throws `OperationError` when too few bytes are left. */
export interface IdReader {
  readonly left: number;
  byte(): number;
  varint(): number;
  /** Eight bytes, big endian; exact for integers up to 2^53. */
  long(): number;
  text(): string;
  /** A varint count, then that many items. */
  list<T>(read: () => T): readonly T[];
}

/** A reader of `bytes`; `short` words the error for too few bytes. */
export function idReader(
  bytes: Uint8Array,
  short: (wanted: number, left: number) => string,
): IdReader {
  let at = 0;
  const left = (): number => bytes.length - at;
  const byte = (): number => {
    const value = bytes[at];
    if (value === undefined) throw endOfFile(null);
    at += 1;
    return value;
  };
  const varint = (): number => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const part = byte();
      value += (part & 127) * scale;
      if (part < 128) return value;
      if (scale > 2 ** 28) throw illegalArgument("Invalid vInt");
    }
  };
  const need = (wanted: number): void => {
    if (wanted > left()) throw endOfFile(short(wanted, left()));
  };
  return {
    get left() {
      return left();
    },
    byte,
    varint,
    long: () => {
      let value = 0;
      for (let i = 0; i < 8; i += 1) value = value * 256 + byte();
      return value;
    },
    text: () => {
      const length = varint();
      need(length);
      at += length;
      return utf8Decode(bytes.subarray(at - length, at));
    },
    list: (read) => {
      const length = varint();
      need(length);
      return Array.from({ length }, read);
    },
  };
}

function endOfFile(reason: string | null): OperationError {
  return new OperationError({ type: "e_o_f_exception", reason, status: 500 });
}

/**
 * Runs `read`. A truncated or non-base64 id becomes the cause of an error with the message `complaint`; other errors
 * pass unchanged.
 */
export function readId<T>(complaint: string, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (!(error instanceof OperationError) || !isCause(error.problem)) throw error;
    throw illegalArgument(complaint, error.problem);
  }
}

const BASE64_COMPLAINT = /^(Input byte|Illegal base64|Last unit)/;

/** Whether a problem is wrapped as a cause; the product wraps only truncation and base64 errors. */
function isCause({ type, reason }: Problem): boolean {
  return type === "e_o_f_exception" || BASE64_COMPLAINT.test(reason ?? "");
}

/** The id of the bytes: padded, URL-safe base64. */
export function idOf(bytes: Uint8Array): string {
  const text = bytesToBase64Url(bytes);
  return text + "=".repeat((4 - (text.length % 4)) % 4);
}

/**
 * The bytes of a URL-safe base64 id. Padding is optional, but must be correct when present. Throws `OperationError` for
 * other texts.
 */
export function bytesOfId(id: string): Uint8Array {
  const padding = /(?<!=)=*$/.exec(id)?.[0].length ?? 0;
  const body = id.slice(0, id.length - padding);
  if (id.length === 1)
    throw illegalArgument("Input byte[] should at least have 2 bytes for base64 bytes");
  const wrong = /[^0-9A-Za-z_=-]/.exec(body)?.[0];
  if (wrong !== undefined)
    throw illegalArgument(`Illegal base64 character ${(wrong.codePointAt(0) ?? 0).toString(16)}`);
  const isPadded = padding === 0 || (id.length % 4 === 0 && padding < 3);
  if (!isPadded || body.includes("="))
    throw illegalArgument("Input byte array has wrong 4-byte ending unit");
  if (body.length % 4 === 1) throw illegalArgument("Last unit does not have enough valid bits");
  return base64ToBytes(body) ?? new Uint8Array(0);
}

/** Splits a context id, `session:number`, into the session of the shard worker and the number within it. */
export function splitContextId(contextId: string): readonly [session: string, number: number] {
  const colon = contextId.lastIndexOf(":");
  return [contextId.slice(0, colon), Number(contextId.slice(colon + 1))];
}

/** Encodes a non-negative integer in eight bytes, big-endian. */
export function longBytes(value: number): Uint8Array {
  const bytes = new Uint8Array(8);
  let rest = value;
  for (let i = 7; i >= 0; i -= 1) {
    bytes[i] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}
