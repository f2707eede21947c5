/**
 * The caller of a request, made once where the request begins and carried unchanged: its principal and the headers
 * that are passed on, with their encoding for frames.
 *
 * Bytes from peers are read within limits. A malformed caller is refused together with its frame.
 */
import {
  createByteReader,
  createByteWriter,
  emptyBytes,
  OperationError,
  AssertionError,
} from "@orrery/stdx";

/** A principal that a guard has authenticated. */
export interface Principal {
  readonly name: string;
  readonly roles: readonly string[];
}

/** The caller of a request. Immutable, and shared by everything that the request starts. */
export interface Caller {
  /** `undefined` when no guard has authenticated the request. */
  readonly principal: Principal | undefined;
  /** Headers that are passed on, such as `x-opaque-id`, by name in lower case. */
  readonly headers: ReadonlyMap<string, string>;
  /** The encoding in frames; empty for a caller without principal and headers. */
  readonly bytes: Uint8Array;
}

/** Limit of a caller's encoding, in bytes; larger than the headers that HTTP accepts. */
export const callerBytesMost: number = 32 * 1024;
const ROLES_MOST = 1024;
const HEADERS_MOST = 32;

/** The caller without principal and headers. */
export const anonymous: Caller = { principal: undefined, headers: new Map(), bytes: emptyBytes };

/**
 * A caller with its encoding.
 * @throws OperationError `illegal_argument_exception`: the encoding exceeds `callerBytesMost`, or there are too many
 *   headers or roles.
 */
export function createCaller({ principal, headers }: Omit<Caller, "bytes">): Caller {
  if (principal === undefined && headers.size === 0) return anonymous;
  const bytes = encode({ principal, headers });
  const isTooMuch =
    bytes.length > callerBytesMost ||
    headers.size > HEADERS_MOST ||
    (principal?.roles.length ?? 0) > ROLES_MOST;
  if (!isTooMuch) return { principal, headers, bytes };
  const reason = `principal and headers that are passed on take [${bytes.length}] bytes, at most [${callerBytesMost}] in [${HEADERS_MOST}] headers and [${ROLES_MOST}] roles are possible`;
  throw new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

function encode({ principal, headers }: Omit<Caller, "bytes">): Uint8Array {
  const writer = createByteWriter();
  writer.byte(principal === undefined ? 0 : 1);
  if (principal !== undefined) {
    writer.text(principal.name);
    writer.varint(principal.roles.length);
    for (const role of principal.roles) writer.text(role);
  }
  writer.varint(headers.size);
  for (const [name, value] of headers) {
    writer.text(name);
    writer.text(value);
  }
  return writer.finish();
}

/** Decodes a caller. Throws `OperationError` for bytes that `createCaller` does not make. */
export function readCaller(bytes: Uint8Array): Caller {
  if (bytes.length === 0) return anonymous;
  if (bytes.length > callerBytesMost) throw invalid(`a caller of [${bytes.length}] bytes`);
  // A copy: a view would keep the whole frame alive for as long as the caller.
  const own = bytes.slice();
  const caller = { ...decode(own), bytes: own };
  if (!isEncodingOf(own, caller)) throw invalid("a caller in another form than it is written in");
  return caller;
}

function decode(bytes: Uint8Array): Omit<Caller, "bytes"> {
  const reader = createByteReader(bytes);
  const count = (most: number, what: string): number => {
    const value = reader.varint();
    if (value > most) throw invalid(`[${value}] ${what}`);
    return value;
  };
  try {
    const hasPrincipal = reader.byte() === 1;
    const principal = hasPrincipal
      ? {
          name: reader.text(),
          roles: Array.from({ length: count(ROLES_MOST, "roles") }, () => reader.text()),
        }
      : undefined;
    const headers = new Map<string, string>();
    for (let left = count(HEADERS_MOST, "headers"); left > 0; left -= 1) {
      const name = reader.text();
      headers.set(name, reader.text());
    }
    return { principal, headers };
  } catch (error) {
    if (!(error instanceof AssertionError)) throw error;
    throw invalid(`a caller that ends too early: ${error.message}`);
  }
}

/** Whether the bytes are the canonical encoding. Trailing bytes, a repeated header and malformed UTF-8 are not. */
function isEncodingOf(bytes: Uint8Array, caller: Omit<Caller, "bytes">): boolean {
  const again = encode(caller);
  return again.length === bytes.length && again.every((byte, i) => byte === bytes[i]);
}

function invalid(what: string): OperationError {
  const reason = `invalid internal transport message format: ${what}`;
  return new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
}
