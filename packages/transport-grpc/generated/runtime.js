/** Generated. The codec runtime: numbers instead of Long, plain byte arrays instead of Buffers, on every engine. */
import protobuf from "protobufjs/minimal.js";

protobuf.util.Long = undefined;
protobuf.util.Buffer = null;
protobuf.configure();

export default protobuf;
