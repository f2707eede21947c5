/**
 * The Network port: frames between nodes. There is one connection per peer and channel class; both ends may send on
 * it.
 *
 * Contract: frames of one connection arrive in order, whole, once, or the connection closes. `send` never blocks:
 * `full` means that the bounded queue has no room and the frame was not queued. A frame above `maxFrameBytes` is a
 * bug of the caller. Loss of the peer is one `onClose` on both ends. The connecting end begins with a greeting and a
 * proof of at most 64 kB each; an adapter may cut off a peer that begins with more. A fault of a simulated network
 * may break the first sentence: layers above must tolerate loss.
 */

/**
 * The class of a connection, named as in the product. Separate connections keep a recovery from delaying a heartbeat.
 */
export type ChannelClass = "recovery" | "bulk" | "reg" | "state" | "ping";

export const channelClasses: readonly ChannelClass[] = ["recovery", "bulk", "reg", "state", "ping"];

/** One connection, at either end. */
export interface Connection {
  readonly channel: ChannelClass;
  /** The address of the other end, for messages to people. */
  readonly remote: string;
  send(frame: Uint8Array): "accepted" | "full";
  close(): void;
}

/** The callbacks of a connection's owner. */
export interface ConnectionEvents {
  /** The connection is established; earlier frames were queued. */
  onOpen?(): void;
  onFrame(frame: Uint8Array): void;
  /** The connection is closed, by either end or by a failure. Called once. */
  onClose(reason: string): void;
  /** The queue has room again after a `full`. */
  onDrain?(): void;
}

/** The network of one node. */
export interface Network {
  /**
   * Starts to accept connections. Resolves with the address at which peers reach this node (`host:port`); rejects
   * with an `OperationError` when the address is in use.
   */
  listen(accept: (connection: Connection) => ConnectionEvents): Promise<string>;
  /** Returns at once; an unreachable peer is an `onClose`. */
  connect(address: string, channel: ChannelClass, events: ConnectionEvents): Connection;
  /** Closes every connection and stops listening. */
  close(): Promise<void>;
}

/** Limit of a frame; `parts.ts` splits larger payloads. */
export const maxFrameBytes: number = 16 * 1024 * 1024;

/**
 * Idle time after which a connection is probed; the connection is closed when the other end does not know it. Without
 * the probe a request could wait for ever for an answer over a dead connection. Source: `transport.tcp.keep_alive`,
 * enabled, with five minutes at most.
 */
export const keepAliveMs: number = 300_000;

/**
 * Limit of bytes on a connection before its handshake has ended: four greetings of the largest size, where the
 * accepting end receives two frames and the connecting end one. A transport closes a connection that brings more.
 */
export const openingBytesMost: number = 256 * 1024;
