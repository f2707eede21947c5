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

export { protobuf };

/** A message to be written: members that are left out have proto3's default. */
type Draft<T> = T extends Uint8Array
  ? Uint8Array
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Draft<T[Key]> | undefined }
      : T;

export interface Message<T> {
  encode(message: Draft<T>): { finish(): Uint8Array<ArrayBuffer> };
  /** Throws `OperationError` on malformed bytes. Byte fields are views into `bytes`. */
  decode(bytes: Uint8Array): T;
}

/** Malformed bytes are what a peer sent, and no fault of this program. */
export function codec<T>(name: string, { encode, decode }: Message<T>): Message<T> {
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
