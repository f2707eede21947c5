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
import { AssertionError, problemOf, utf8Encode } from "@orrery/stdx";
import {
  answerKinds,
  decodeGreeting,
  greetingFrame,
  handshakeAction,
  type Greeting,
} from "./peers.ts";

export interface Inbound {
  accept(connection: Connection): ConnectionEvents;
  /** Sends on the connection with this number; nothing happens when it is gone. */
  answer(connection: number, frame: Uint8Array): void;
  close(): void;
}

interface Accepted {
  readonly connection: Connection;
  waiting: Uint8Array[];
  waitingBytes: number;
}

/** A requester that reads so slowly is cut off: its connection closes, and what it waits for fails. */
export const mostWaitingBytes: number = 64 * 1024 * 1024;

export interface InboundEvents {
  readonly deliver: (frame: Frame, bytes: Uint8Array, connection: number) => void;
  readonly greeted: (greeting: Greeting) => void;
  readonly closed: (connection: number, reason: string) => void;
  /** The connection of whoever is there is closed for what they did. */
  readonly refused: (remote: string, why: string) => void;
}

export function createInbound(greeting: Greeting, events: InboundEvents): Inbound {
  const { deliver, greeted, closed } = events;
  const accepted = new Map<number, Accepted>();
  let last = 0;

  const send = (entry: Accepted, frame: Uint8Array): void => {
    if (entry.waiting.length === 0 && entry.connection.send(frame) !== "full") return;
    entry.waiting.push(frame);
    entry.waitingBytes += frame.length;
    // A single answer is not too much, whatever its size.
    if (entry.waiting.length === 1 || entry.waitingBytes <= mostWaitingBytes) return;
    entry.waiting = [];
    entry.waitingBytes = 0;
    entry.connection.close();
  };

  const receive = (entry: Accepted, number: number, bytes: Uint8Array): void => {
    let frame: Frame;
    let hello: Greeting | undefined;
    try {
      frame = decodeFrame(bytes);
      if (frame.action === handshakeAction) hello = decodeGreeting(frame.payload);
    } catch (error) {
      const problem = problemOf(error);
      send(entry, encodeFrame(unreadable, utf8Encode(JSON.stringify(problem))));
      entry.connection.close();
      return;
    }
    if (hello !== undefined) {
      send(entry, greetingFrame("response", greeting));
      greeted(hello);
    } else if (answerKinds.has(frame.kind)) {
      refuse(entry, `it sent [${frame.kind}], and was asked nothing`);
    } else contain(entry, () => deliver(frame, bytes, number));
  };

  const refuse = (entry: Accepted, why: string): void => {
    events.refused(entry.connection.remote, why);
    entry.connection.close();
  };

  /** What a frame of somebody else makes fail ends with its connection; a claim that does not hold is this node's own fault. */
  const contain = (entry: Accepted, act: () => void): void => {
    try {
      act();
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      refuse(entry, problemOf(error).reason ?? "unexpected failure");
    }
  };

  return {
    accept: (connection) => {
      last += 1;
      const number = last;
      const entry: Accepted = { connection, waiting: [], waitingBytes: 0 };
      accepted.set(number, entry);
      return {
        onFrame: (bytes) => receive(entry, number, bytes),
        onClose: (reason) => {
          accepted.delete(number);
          closed(number, reason);
        },
        onDrain: () => {
          const { waiting } = entry;
          entry.waiting = [];
          entry.waitingBytes = 0;
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
