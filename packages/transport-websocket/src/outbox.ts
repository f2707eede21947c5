/**
 * Frames on their way out: bounded, and those of one turn leave in one write of the socket.
 *
 * A frame weighs on the connection until the socket has passed it on, so a peer that does not read is felt as `full`.
 */
import type { Socket } from "node:net";
import { createBoundedQueue } from "@orrery/stdx";
import type { WebSocket } from "ws";

export interface Outbox {
  send(frame: Uint8Array): "accepted" | "full";
  /** The connection can carry frames from now on. */
  open(socket: Socket): void;
  discard(): void;
}

export interface OutboxOptions {
  readonly webSocket: WebSocket;
  readonly queueBytes: number;
  readonly onDrain: () => void;
}

export function createOutbox(options: OutboxOptions): Outbox {
  const { webSocket, queueBytes } = options;
  /** Frames sent before the connection was open. */
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
