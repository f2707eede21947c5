/**
 * Connections that other nodes opened: each has a number, its requests go to their receivers, answers go back on it.
 *
 * No frame is read before the peer is authenticated; afterwards the peer speaks for that node alone. An answer that
 * finds the connection's queue full waits here: a dropped one would leave the requester to its time-out.
 */
import {
  decodeFrame,
  type CancelTimer,
  type Clock,
  type Connection,
  type ConnectionEvents,
  type Frame,
  type Trust,
} from "@orrery/ports";
import { AssertionError, wordsOf, type Problem } from "@orrery/stdx";
import {
  acceptingHandshake,
  handshakeAction,
  type AcceptingHandshake,
  type Greeting,
} from "./handshake.ts";
import { answerKinds } from "./peers.ts";

/** The inbound connections of a node. */
export interface Inbound {
  accept(connection: Connection): ConnectionEvents;
  /** Sends on the connection of this number; no effect when it is closed. */
  answer(connection: number, frame: Uint8Array): void;
  close(): void;
}

interface Accepted {
  readonly connection: Connection;
  readonly number: number;
  readonly address: string;
  /** Set until the peer is authenticated; `peer` is set from then on. */
  handshake: AcceptingHandshake | undefined;
  peer: Greeting | undefined;
  cancelTimer: CancelTimer;
  /** Answers that wait for room. */
  waiting: Uint8Array[];
  waitingBytes: number;
}

/**
 * Limit of bytes of answers that wait on one connection. A requester that reads too slowly exceeds it; the connection
 * is closed then, and its requests fail. A single answer may wait whatever its size.
 */
export const maxWaitingBytes: number = 64 * 1024 * 1024;
/** Time in which a peer must be authenticated. */
export const handshakeTimeoutMs = 10_000;
/** Limit of connections whose peer is not authenticated. A further connection closes the oldest of them. */
export const maxUnauthenticated = 256;
/** Limit of connections from one network address, which many nodes may share. A further connection is closed. */
export const maxPerAddress = 2048;

/** Parameters of the handshakes at the accepting end. */
export interface InboundOptions {
  readonly clock: Clock;
  readonly trust: Trust;
  /** This node's own greeting. */
  readonly greeting: Greeting;
  /** The problem of a peer that cannot be the node it claims to be. */
  readonly screen?: (theirs: Greeting) => Problem | undefined;
}

/** Callbacks for frames and changes of inbound connections. */
export interface InboundEvents {
  /** A frame that its peer may send. */
  readonly deliver: (frame: Frame, bytes: Uint8Array, connection: number) => void;
  /** The problem of a frame that the peer may not send; `undefined`: it may. */
  readonly refusal: (frame: Frame, peer: Greeting) => Problem | undefined;
  /** A frame that its peer may not send; it is not delivered. */
  readonly refuse: (frame: Frame, problem: Problem, connection: number, peer: Greeting) => void;
  /** A peer was authenticated. */
  readonly greeted: (greeting: Greeting) => void;
  readonly closed: (connection: number, reason: string) => void;
  /** This node has closed a connection: its peer broke a rule or was not authenticated in time, or a limit was reached. */
  readonly expelled: (remote: string, why: string) => void;
}

export function createInbound(
  { clock, trust, greeting, screen = noProblem }: InboundOptions,
  events: InboundEvents,
): Inbound {
  const accepted = new Map<number, Accepted>();
  const unauthenticated = new Set<Accepted>();
  const ofAddress = new Map<string, number>();
  let last = 0;

  const expel = (entry: Accepted, why: string): void => {
    events.expelled(entry.connection.remote, why);
    forget(entry);
    entry.connection.close();
  };

  /** Frames that still arrive are dropped. */
  const forget = (entry: Accepted): void => {
    entry.cancelTimer();
    unauthenticated.delete(entry);
    entry.handshake = undefined;
    entry.peer = undefined;
    if (!accepted.delete(entry.number)) return;
    const others = (ofAddress.get(entry.address) ?? 1) - 1;
    if (others === 0) ofAddress.delete(entry.address);
    else ofAddress.set(entry.address, others);
  };

  const shakeHands = (entry: Accepted, handshake: AcceptingHandshake, bytes: Uint8Array): void => {
    const step = handshake.take(bytes);
    if (step.reply !== undefined) send(entry, step.reply);
    if (step.kind === "refused") return expel(entry, step.problem.reason ?? step.problem.type);
    if (step.kind === "continue") return;
    entry.cancelTimer();
    unauthenticated.delete(entry);
    entry.handshake = undefined;
    entry.peer = step.greeting;
    events.greeted(step.greeting);
  };

  const receive = (entry: Accepted, bytes: Uint8Array): void => {
    if (entry.handshake !== undefined) return shakeHands(entry, entry.handshake, bytes);
    // The connection was closed, and frames that were sent before still arrive.
    if (entry.peer === undefined) return;
    const frame = decodeFrame(bytes);
    const why = misuse(frame, entry.peer, greeting);
    if (why !== undefined) return expel(entry, why);
    const problem = events.refusal(frame, entry.peer);
    if (problem === undefined) events.deliver(frame, bytes, entry.number);
    else events.refuse(frame, problem, entry.number, entry.peer);
  };

  /**
   * An error that a peer's frame causes ends its connection; a failed assertion is a bug of this node, and is thrown
   * on.
   */
  const contain = (entry: Accepted, bytes: Uint8Array): void => {
    try {
      receive(entry, bytes);
    } catch (error) {
      if (error instanceof AssertionError) throw error;
      expel(entry, wordsOf(error));
    }
  };

  const admit = (entry: Accepted): void => {
    accepted.set(entry.number, entry);
    const others = ofAddress.get(entry.address) ?? 0;
    ofAddress.set(entry.address, others + 1);
    if (others >= maxPerAddress) {
      expel(entry, `there are [${others}] connections from there already`);
      return;
    }
    unauthenticated.add(entry);
    const [oldest] = unauthenticated;
    if (unauthenticated.size > maxUnauthenticated && oldest !== undefined)
      expel(oldest, `more than [${maxUnauthenticated}] have proved nothing so far`);
  };

  return {
    accept: (connection) => {
      last += 1;
      const { channel } = connection;
      const entry: Accepted = {
        connection,
        number: last,
        address: addressOf(connection.remote),
        handshake: acceptingHandshake({ trust, greeting, channel, screen }),
        peer: undefined,
        cancelTimer: clock.setTimer(handshakeTimeoutMs, () =>
          expel(entry, `no handshake within [${handshakeTimeoutMs}ms]`),
        ),
        waiting: [],
        waitingBytes: 0,
      };
      admit(entry);
      return {
        onFrame: (bytes) => contain(entry, bytes),
        onClose: (reason) => {
          forget(entry);
          events.closed(entry.number, reason);
        },
        onDrain: () => sendWaiting(entry),
      };
    },
    answer: (number, frame) => {
      const entry = accepted.get(number);
      if (entry) send(entry, frame);
    },
    close: () => {
      for (const entry of [...accepted.values()]) {
        forget(entry);
        entry.connection.close();
      }
    },
  };
}

function send(entry: Accepted, frame: Uint8Array): void {
  if (entry.waiting.length === 0 && entry.connection.send(frame) !== "full") return;
  entry.waiting.push(frame);
  entry.waitingBytes += frame.length;
  // A single answer may wait, whatever its size.
  if (entry.waiting.length === 1 || entry.waitingBytes <= maxWaitingBytes) return;
  entry.waiting = [];
  entry.waitingBytes = 0;
  entry.connection.close();
}

/** The connection has room again. */
function sendWaiting(entry: Accepted): void {
  const { waiting } = entry;
  entry.waiting = [];
  entry.waitingBytes = 0;
  for (const frame of waiting) send(entry, frame);
}

function noProblem(): undefined {}

/**
 * The offence of a frame: a peer speaks for itself, to this node, and sends no answers here, since this node asks on
 * connections of its own.
 */
function misuse(frame: Frame, peer: Greeting, own: Greeting): string | undefined {
  if (frame.action === handshakeAction) return "a second handshake";
  if (frame.from !== peer.node.id) return `it speaks for [${frame.from}] as [${peer.node.id}]`;
  if (frame.to !== own.node.id) return `it speaks to [${frame.to}]`;
  if (answerKinds.has(frame.kind)) return `it sent [${frame.kind}], and was asked nothing`;
  return undefined;
}

/** The address without the port, which differs between connections. */
function addressOf(remote: string): string {
  const at = remote.lastIndexOf(":");
  return at === -1 ? remote : remote.slice(0, at);
}
