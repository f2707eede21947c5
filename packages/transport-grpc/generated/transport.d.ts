/** Generated from proto/transport.proto. */
import type { Message } from "@orrery/stdx/codec";

export interface Packet {
  readonly frame: readonly Uint8Array[];
  readonly piece: Uint8Array;
  readonly size: number;
}
export const Packet: Message<Packet>;
