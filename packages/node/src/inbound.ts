/**
 * Connections that others opened: each gets a number, requests on it go to whom they are for, answers go back on it.
 *
 * Nothing on a connection is looked at before whoever is there has proved who it is, and after that it speaks for that node alone.
 * An answer that finds its connection's queue full waits here until there is room: dropping it would leave the
 * requester to its timeout.
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

export interface Inbound {
  accept(connection: Connection): ConnectionEvents;
  /** Sends on the connection with this number; nothing happens when it is gone. */
  answer(connection: number, frame: Uint8Array): void;
  close(): void;
}

interface Accepted {
  readonly connection: Connection;
  readonly number: number;
  readonly address: string;
  /** Until whoever is there is believed. */
  handshake: AcceptingHandshake | undefined;
  peer: Greeting | undefined;
  cancelTimer: CancelTimer;
  waiting: Uint8Array[];
  waitingBytes: number;
}

/** A requester that reads so slowly is cut off: its connection closes, and what it waits for fails. */
export const mostWaitingBytes: number = 64 * 1024 * 1024;
/** So long may somebody who has connected take to prove who they are. */
export const handshakeTimeoutMs = 10_000;
/** Connections whose other end has proved nothing so far; the oldest goes when another one comes. */
export const mostUnproved = 256;
/** Connections from one address, which many nodes may share. */
export const mostOfAddress = 2048;

export interface InboundOptions {
  readonly clock: Clock;
  readonly trust: Trust;
  /** Of this node. */
  readonly greeting: Greeting;
  /** Why a node that says hello is not who it says it is. */
  readonly screen?: (theirs: Greeting) => Problem | undefined;
}

export interface InboundEvents {
  /** A frame of this peer, which it may send. */
  readonly deliver: (frame: Frame, bytes: Uint8Array, connection: number) => void;
  /** Why the peer may not send this frame; undefined when it may. */
  readonly refusal: (frame: Frame, peer: Greeting) => Problem | undefined;
  /** A frame that its peer may not send: nothing else becomes of it. */
  readonly refuse: (frame: Frame, problem: Problem, connection: number, peer: Greeting) => void;
  readonly greeted: (greeting: Greeting) => void;
  readonly closed: (connection: number, reason: string) => void;
  /** The connection of whoever is there is closed for what they did. */
  readonly expelled: (remote: string, why: string) => void;
}

export function createInbound(
  { clock, trust, greeting, screen = noProblem }: InboundOptions,
  events: InboundEvents,
): Inbound {
  const accepted = new Map<number, Accepted>();
  const unproved = new Set<Accepted>();
  const ofAddress = new Map<string, number>();
  let last = 0;

  const expel = (entry: Accepted, why: string): void => {
    events.expelled(entry.connection.remote, why);
    forget(entry);
    entry.connection.close();
  };

  /** What still comes from there is not looked at. */
  const forget = (entry: Accepted): void => {
    entry.cancelTimer();
    unproved.delete(entry);
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
    if (step.kind === "go-on") return;
    entry.cancelTimer();
    unproved.delete(entry);
    entry.handshake = undefined;
    entry.peer = step.greeting;
    events.greeted(step.greeting);
  };

  const receive = (entry: Accepted, bytes: Uint8Array): void => {
    if (entry.handshake !== undefined) return shakeHands(entry, entry.handshake, bytes);
    // It was expelled, and what it had sent before still arrives.
    if (entry.peer === undefined) return;
    const frame = decodeFrame(bytes);
    const why = misuse(frame, entry.peer, greeting);
    if (why !== undefined) return expel(entry, why);
    const problem = events.refusal(frame, entry.peer);
    if (problem === undefined) events.deliver(frame, bytes, entry.number);
    else events.refuse(frame, problem, entry.number, entry.peer);
  };

  /** What a frame of somebody else makes fail ends with its connection; a claim that does not hold is this node's own fault. */
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
    if (others >= mostOfAddress) {
      expel(entry, `there are [${others}] connections from there already`);
      return;
    }
    unproved.add(entry);
    const [oldest] = unproved;
    if (unproved.size > mostUnproved && oldest !== undefined)
      expel(oldest, `more than [${mostUnproved}] have proved nothing so far`);
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
  // A single answer is not too much, whatever its size.
  if (entry.waiting.length === 1 || entry.waitingBytes <= mostWaitingBytes) return;
  entry.waiting = [];
  entry.waitingBytes = 0;
  entry.connection.close();
}

/** There is room again. */
function sendWaiting(entry: Accepted): void {
  const { waiting } = entry;
  entry.waiting = [];
  entry.waitingBytes = 0;
  for (const frame of waiting) send(entry, frame);
}

function noProblem(): undefined {}

/** A connection speaks for the node that proved itself on it, to this node, and asks. */
function misuse(frame: Frame, peer: Greeting, own: Greeting): string | undefined {
  if (frame.action === handshakeAction) return "a second handshake";
  if (frame.from !== peer.node.id) return `it speaks for [${frame.from}] as [${peer.node.id}]`;
  if (frame.to !== own.node.id) return `it speaks to [${frame.to}]`;
  if (answerKinds.has(frame.kind)) return `it sent [${frame.kind}], and was asked nothing`;
  return undefined;
}

/** Without the port, which is another one for each connection. */
function addressOf(remote: string): string {
  const at = remote.lastIndexOf(":");
  return at === -1 ? remote : remote.slice(0, at);
}
