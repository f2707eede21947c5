/** The one method of proto/transport.proto, and its messages as bytes. */
import type { MethodDefinition } from "@grpc/grpc-js";
import { Packet as codec } from "../generated/transport.js";

export interface Packet {
  readonly frame: readonly Uint8Array[];
  /** Of one frame that is larger than a packet may be. */
  readonly piece?: Uint8Array;
  /** Of that whole frame, with its first piece; else 0. */
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
