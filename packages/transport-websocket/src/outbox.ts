/**
 * The bounded queue of outgoing frames; the frames of one turn leave in one write of the socket.
 *
 * A frame counts against the bound until the socket has passed it on, so a peer that does not read fills the queue.
 */
import type { Socket } from "node:net";
import { createBoundedQueue } from "@orrery/stdx";
import type { WebSocket } from "ws";

/** The outgoing frames of one connection. */
export interface Outbox {
  send(frame: Uint8Array): "accepted" | "full";
  /** The connection is established: frames that were queued before are sent. */
  open(socket: Socket): void;
  discard(): void;
}

export interface OutboxOptions {
  readonly webSocket: WebSocket;
  readonly queueBytes: number;
  /** Called when, after a `full`, the queue is at most half full again. */
  readonly onDrain: () => void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { webSocket, queueBytes } = options;
  /** Frames that were sent before the connection was open. */
  const early = createBoundedQueue<Uint8Array>(queueBytes);
  let socket: Socket | undefined;
  let isCorked = false;
  let wasFull = false;

  const uncork = (): void => {
    isCorked = false;
    socket?.uncork();
  };

  const left = (): void => {
    if (!wasFull || webSocket.bufferedAmount > queueBytes / 2) return;
    wasFull = false;
    options.onDrain();
  };

  const write = (frame: Uint8Array): void => {
    if (!isCorked) {
      isCorked = true;
      socket?.cork();
      setImmediate(uncork);
    }
    webSocket.send(frame, left);
  };

  return {
    send(frame) {
      const held = webSocket.bufferedAmount;
      const fits =
        socket === undefined
          ? early.offer(frame, frame.length)
          : held === 0 || held + frame.length <= queueBytes;
      if (!fits) {
        wasFull = true;
        return "full";
      }
      if (socket !== undefined) write(frame);
      return "accepted";
    },
    open(opened) {
      socket = opened;
      for (let frame = early.take(); frame !== undefined; frame = early.take()) write(frame);
    },
    discard: () => early.clear(),
  };
}
