/** Generated. The codec runtime: numbers instead of Long, plain byte arrays instead of Buffers, on every engine. */
import { OperationError } from "@orrery/stdx";
import protobuf from "protobufjs/minimal.js";

protobuf.util.Long = undefined;
protobuf.util.Buffer = null;
protobuf.configure();

export default protobuf;

/** Malformed bytes are what somebody sent, and no fault of this program. */
export function codec(name, { encode, decode }) {
  return {
    encode,
    decode(bytes) {
      try {
        return decode(bytes);
      } catch (error) {
        const reason = `malformed [${name}]: ${error.message}`;
        throw new OperationError({ type: "stream_corrupted_exception", reason, status: 400 });
      }
    },
  };
}
