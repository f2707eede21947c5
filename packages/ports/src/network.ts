/**
 * Frames between nodes. One connection per peer and channel class; both ends may send on it.
 *
 * Contract: frames of one connection arrive in order, whole, once, or the connection closes. `send`
 * never blocks: `full` means the bounded queue has no room and the frame was not taken. A frame above
 * `maxFrameBytes` is a programmer error. Loss of the peer is a `close` event at once, on both ends.
 * The opening end sends a greeting and a proof first, 64 kB at most each: an adapter may cut off who begins with more.
 * Simulated networks break the first sentence when a fault says so; what lies above must bear that.
 */

/** Kept apart so that a recovery never delays a heartbeat; same names as the product's. */
export type ChannelClass = "recovery" | "bulk" | "reg" | "state" | "ping";

export const channelClasses: readonly ChannelClass[] = ["recovery", "bulk", "reg", "state", "ping"];

export interface Connection {
  readonly channel: ChannelClass;
  /** Where the other end is, for messages to people. */
  readonly remote: string;
  send(frame: Uint8Array): "accepted" | "full";
  close(): void;
}

export interface ConnectionEvents {
  /** The connection can carry frames now; `send` before that queues. */
  onOpen?(): void;
  onFrame(frame: Uint8Array): void;
  /** Once, whichever end closed it or whatever broke it. */
  onClose(reason: string): void;
  /** Room again after a `full`. */
  onDrain?(): void;
}

export interface Network {
  /**
   * Starts to accept connections; the address peers reach this node at (`host:port`). Rejects with an
   * `OperationError` when the address is taken.
   */
  listen(accept: (connection: Connection) => ConnectionEvents): Promise<string>;
  /** Returns at once; a peer that cannot be reached shows as `onClose`. */
  connect(address: string, channel: ChannelClass, events: ConnectionEvents): Connection;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/** Frames larger than this are split by the transport above. */
export const maxFrameBytes: number = 16 * 1024 * 1024;

/**
 * A connection on which nothing came for so long is probed, and ends when its other end knows nothing of it: a request that waits there for an
 * answer would wait for ever. Source: `transport.tcp.keep_alive`, which is on, with five minutes at most.
 */
export const keepAliveMs: number = 300_000;

/**
 * So much may come on a connection before its handshake is over, which is two frames for the end that accepts and one for the end that
 * connects: four greetings of the largest size. A transport ends the connection that brings more.
 */
export const openingBytesMost: number = 256 * 1024;
