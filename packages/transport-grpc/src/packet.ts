/** The only method of proto/transport.proto, and the encoding of its messages. */
import type { MethodDefinition } from "@grpc/grpc-js";
import { Packet as codec } from "../generated/transport.js";

/** The message of the stream: whole frames, or a piece of one frame. */
export interface Packet {
  readonly frame: readonly Uint8Array[];
  /** A piece of a frame that is too large for a packet. */
  readonly piece?: Uint8Array;
  /** Size of that frame, in the packet with its first piece; else 0. */
  readonly size?: number;
}

export const connectMethod: MethodDefinition<Packet, Packet> = {
  path: "/orrery.transport.Transport/Connect",
  requestStream: true,
  responseStream: true,
  requestSerialize: encode,
  requestDeserialize: decode,
  responseSerialize: encode,
  responseDeserialize: decode,
};

function encode(packet: Packet): Buffer {
  const bytes = codec.encode(packet).finish();
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function decode(bytes: Buffer): Packet {
  return codec.decode(new Uint8Array(bytes.buffer, bytes.byteOffset, bytes.byteLength));
}
