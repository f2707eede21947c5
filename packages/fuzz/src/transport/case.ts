/** What a case of the transport is: a visitor who opens a connection, says who they are or does not, and sends bytes. */
import type { ChannelClass, FrameHeader, FrameKind } from "@orrery/ports";

/**
 * `nobody` shakes no hands; `liar` does it without the secret; `client` is a client of another cluster; `member` has the secret of the
 * cluster, and is no node of it. A `replayer` repeats greeting and proof of a conversation that was believed; `partial` has the secret
 * and sends no more than a part of the proof; `data-node` is a member by secret that may not be elected.
 */
export type VisitorKind =
  | "nobody"
  | "liar"
  | "replayer"
  | "partial"
  | "client"
  | "member"
  | "data-node";

export type Said =
  | { readonly kind: "bytes"; readonly base64: string }
  | {
      readonly kind: "frame";
      readonly header: Partial<Omit<FrameHeader, "kind">> & { readonly kind: FrameKind };
      readonly base64: string;
      /** Bits of the whole frame that are flipped. */
      readonly flips: readonly number[];
    };

/** Kind of damage below frames; `noise`: the frames themselves at the bare socket. */
export type RawKind =
  | "noise"
  | "http-1"
  | "idle"
  | "unfinished"
  | "many"
  | "head-flood"
  | "bad-lengths"
  | "bad-kinds"
  | "control-flood"
  | "fragments"
  | "bad-opening"
  | "packets";

export interface TransportCase {
  readonly visitor: VisitorKind;
  readonly channel: ChannelClass;
  /** Below the transport: bytes at the socket, where there is one. Absent: frames of a connection. */
  readonly raw?: { readonly kind: RawKind; readonly count: number };
  /** Which node is visited. */
  readonly node: number;
  readonly said: readonly Said[];
}

/** Members may disturb a cluster; all others change nothing. */
export function isMember({ visitor, raw }: TransportCase): boolean {
  return raw === undefined && (visitor === "member" || visitor === "data-node");
}

export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
