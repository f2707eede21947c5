/**
 * Connections that others opened: each gets a number, requests on it go to whom they are for, answers go back on it.
 *
 * An answer that finds its connection's queue full waits here until there is room: dropping it would leave the
 * requester to its timeout.
 */
import {
  decodeFrame,
  encodeFrame,
  type Connection,
  type ConnectionEvents,
  type Frame,
  type FrameHeader,
} from "@orrery/ports";
import { problemOf, utf8Encode } from "@orrery/stdx";
import { greetingFrame, handshakeAction, type Greeting } from "./peers.ts";

export interface Inbound {
  accept(connection: Connection): ConnectionEvents;
  /** Sends on the connection with this number; nothing happens when it is gone. */
  answer(connection: number, frame: Uint8Array): void;
  close(): void;
}

interface Accepted {
  readonly connection: Connection;
  waiting: Uint8Array[];
}

export function createInbound(
  greeting: Greeting,
  deliver: (frame: Frame, bytes: Uint8Array, connection: number) => void,
  greeted: (handshake: Frame) => void,
): Inbound {
  const accepted = new Map<number, Accepted>();
  let last = 0;

  const send = (entry: Accepted, frame: Uint8Array): void => {
    if (entry.waiting.length > 0 || entry.connection.send(frame) === "full")
      entry.waiting.push(frame);
  };

  const receive = (entry: Accepted, number: number, bytes: Uint8Array): void => {
    let frame: Frame;
    try {
      frame = decodeFrame(bytes);
    } catch (error) {
      const problem = problemOf(error);
      send(entry, encodeFrame(unreadable, utf8Encode(JSON.stringify(problem))));
      entry.connection.close();
      return;
    }
    if (frame.action === handshakeAction) {
      send(entry, greetingFrame("response", greeting));
      greeted(frame);
    } else deliver(frame, bytes, number);
  };

  return {
    accept: (connection) => {
      last += 1;
      const number = last;
      const entry: Accepted = { connection, waiting: [] };
      accepted.set(number, entry);
      return {
        onFrame: (bytes) => receive(entry, number, bytes),
        onClose: () => accepted.delete(number),
        onDrain: () => {
          const { waiting } = entry;
          entry.waiting = [];
          for (const frame of waiting) send(entry, frame);
        },
      };
    },
    answer: (number, frame) => {
      const entry = accepted.get(number);
      if (entry) send(entry, frame);
    },
    close: () => {
      for (const { connection } of accepted.values()) connection.close();
      accepted.clear();
    },
  };
}

const unreadable: FrameHeader = {
  kind: "error",
  correlationId: 0,
  from: "",
  to: "",
  endpoint: 0,
  action: handshakeAction,
  shard: "",
  timeoutMs: 0,
};
