/** Case of the transport target: a visitor that opens a connection, authenticates or does not, and sends bytes. */
import type { ChannelClass, FrameHeader, FrameKind } from "@orrery/ports";

/**
 * Kinds of visitors. `nobody` performs no handshake; `liar` performs it without the secret; `client` is a client of
 * another cluster; `member` has the secret of the cluster, but is no node of it. A `replayer` repeats greeting and
 * proof of an accepted handshake; `partial` has the secret and sends only part of the proof; `data-node` has the secret
 * and may not be elected.
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
      /** Flipped bits of the whole frame. */
      readonly flips: readonly number[];
    };

/** Kinds of damage below frames; `noise`: the frames on the bare socket, without the transport's protocol. */
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
  /** Bytes on the socket below the transport; absent: frames of a connection. */
  readonly raw?: { readonly kind: RawKind; readonly count: number };
  /** Number of the node that is visited. */
  readonly node: number;
  readonly said: readonly Said[];
}

/** True for a visitor that may disturb a cluster; all others must not change anything. */
export function isMember({ visitor, raw }: TransportCase): boolean {
  return raw === undefined && (visitor === "member" || visitor === "data-node");
}

export function bytesOf(base64: string): Uint8Array {
  return new Uint8Array(Buffer.from(base64, "base64"));
}
