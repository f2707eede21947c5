/**
 * The runtime of generated protobuf codecs, one for all packages with messages: numbers instead of Long, plain byte arrays instead of
 * Buffers, on every engine. Only code that `scripts/generate.mjs` makes imports it.
 */
import protobuf from "protobufjs/minimal.js";
import { OperationError } from "./problem.ts";

/**
 * Messages in each other, written and read. Values of clients are up to a thousand levels deep (`MAX_NESTING` of the package query)
 * and lie in a few messages.
 */
const NESTING_MOST = 1100;

protobuf.util.Long = undefined;
protobuf.util.Buffer = null;
protobuf.util.recursionLimit = NESTING_MOST;
protobuf.Reader.recursionLimit = NESTING_MOST;
protobuf.configure();

export default protobuf;

export interface Codec<Encode, Decoded> {
  readonly encode: Encode;
  /** Throws `OperationError` on malformed bytes. */
  decode(bytes: Uint8Array): Decoded;
}

/** Malformed bytes are what a peer sent, and no fault of this program. */
export function codec<Encode, Decoded>(
  name: string,
  { encode, decode }: Codec<Encode, Decoded>,
): Codec<Encode, Decoded> {
  return {
    encode,
    decode(bytes) {
      try {
        return decode(bytes);
      } catch (error) {
        const what = error instanceof Error ? error.message : String(error);
        const reason = `malformed [${name}]: ${what}`;
        throw new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
      }
    },
  };
}
