/** What a case of the transport is: a visitor who opens a connection, says who they are or does not, and sends bytes. */
import type { ChannelClass, FrameHeader, FrameKind } from "@orrery/ports";

/**
 * `nobody` shakes no hands; `liar` does it without the secret; `client` is a client of another cluster; `member` has the secret of the
 * cluster, and is no node of it.
 */
export type VisitorKind = "nobody" | "liar" | "client" | "member";

export type Said =
  | { readonly kind: "bytes"; readonly base64: string }
  | {
      readonly kind: "frame";
      readonly header: Partial<Omit<FrameHeader, "kind">> & { readonly kind: FrameKind };
      readonly base64: string;
      /** Bits of the whole frame that are flipped. */
      readonly flips: readonly number[];
    };

export interface TransportCase {
  readonly visitor: VisitorKind;
  readonly channel: ChannelClass;
  /** Below the transport: bytes at the socket, where there is one. */
  readonly isRaw: boolean;
  /** Which node is visited. */
  readonly node: number;
  readonly said: readonly Said[];
}

export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
