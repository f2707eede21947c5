/**
 * The runtime of generated protobuf codecs, one for all packages with messages: numbers instead of Long, plain byte
 * arrays instead of Buffers, on every engine. Only code that `scripts/generate.mjs` generates imports it.
 */
import protobuf from "protobufjs/minimal.js";
import { OperationError } from "./problem.ts";

/**
 * The depth of nested messages. Client values are up to a thousand levels deep (`MAX_NESTING` of `query`), within a
 * few messages.
 */
const MAX_NESTING = 1100;

protobuf.util.Long = undefined;
protobuf.util.Buffer = null;
protobuf.util.recursionLimit = MAX_NESTING;
protobuf.Reader.recursionLimit = MAX_NESTING;
protobuf.configure();

export { protobuf };

/** A message to encode; an absent member has the default of proto3. */
type Draft<T> = T extends Uint8Array
  ? Uint8Array
  : T extends readonly (infer Item)[]
    ? readonly Draft<Item>[]
    : T extends object
      ? { readonly [Key in keyof T]?: Draft<T[Key]> | undefined }
      : T;

/** The codec of one message type. */
export interface Message<T> {
  encode(message: Draft<T>): { finish(): Uint8Array<ArrayBuffer> };
  /**
   * Byte members are views into `bytes`.
   * @throws OperationError Malformed bytes.
   */
  decode(bytes: Uint8Array): T;
}

/**
 * A codec that reports malformed bytes as `stream_corrupted_exception`. A peer has sent such bytes, so they are no bug
 * of this program.
 */
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
