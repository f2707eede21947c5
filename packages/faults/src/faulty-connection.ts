/**
 * One outgoing connection with faults. Frames of both directions pass through pipes while a rule
 * delays or holds them, and directly otherwise.
 */
import {
  encodeFrame,
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
  type Frame,
} from "@orrery/ports";
import { assert, utf8Encode, type Problem } from "@orrery/stdx";
import { blockingRule, outcomeOf, unaffected } from "./frame-outcome.ts";
import { createMessageTrace, type MessageTrace, type Direction } from "./message-trace.ts";
import type { NetworkFaultsOptions } from "./network.ts";
import { createPipe, type Pipe } from "./pipe.ts";

export interface FaultyConnection {
  readonly connection: Connection;
  /**
   * Re-evaluates the rules after they have changed: opens, resumes or drains what they no longer
   * hold.
   */
  onRulesChanged(): void;
  /** Called when the network closes: held frames are dropped and rules hold nothing any more. */
  abandon(): void;
}

export interface FaultyConnectionOptions extends Omit<NetworkFaultsOptions, "nameOf"> {
  readonly peer: string;
  readonly address: string;
  readonly channel: ChannelClass;
  readonly events: ConnectionEvents;
  readonly connect: (events: ConnectionEvents) => Connection;
  /** Called once, when both the owner's side and the connection below have closed. */
  readonly onClosed: (faulty: FaultyConnection) => void;
}

/** Bound of the outgoing queue, equal to that of the transports. */
const QUEUE_BYTES = 32 * 1024 * 1024;

const CLOSED_HERE = "closed by this node";

/** Progress of a faulty connection. */
interface ConnectionState {
  /** Connection below; `undefined` while a rule holds its opening back. */
  inner: Connection | undefined;
  /** The owner has received `onClose`, or does so at once. */
  isClosed: boolean;
  isInnerClosed: boolean;
  isClosing: boolean;
  isAbandoned: boolean;
  /** A `send` returned `full`, so the owner expects `onDrain`. */
  owesDrain: boolean;
}

/**
 * Parts of a faulty connection: a pipe for each direction, and the functions that its frames leave
 * through.
 */
interface ConnectionParts {
  readonly options: FaultyConnectionOptions;
  readonly state: ConnectionState;
  readonly messages: MessageTrace;
  readonly outbound: Direction;
  readonly inbound: Direction;
  readonly outgoing: Pipe;
  readonly incoming: Pipe;
  readonly isHeld: (from: string, to: string) => boolean;
  /** Delivers a frame to the owner. */
  readonly deliverToOwner: (frame: Uint8Array) => "accepted";
  /** Sends a frame on the connection below. */
  readonly sendBelow: (over: Connection, frame: Uint8Array) => "accepted" | "full";
  readonly finish: (reason: string) => void;
}

export function openFaultyConnection(options: FaultyConnectionOptions): FaultyConnection {
  const { self, peer, events } = options;
  const parts = createParts(options, () => options.onClosed(faulty));
  const { state, messages, outbound, outgoing, incoming, isHeld } = parts;
  const sent = applyRules(parts, outgoing, outbound);
  const connect = createConnect(parts, () => options.onClosed(faulty));

  const send = (frame: Uint8Array): "accepted" | "full" => {
    assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
    if (state.isClosed || state.isClosing) return "accepted";
    if (!outgoing.isEmpty && outgoing.bytes + frame.length > QUEUE_BYTES) {
      state.owesDrain = true;
      return "full";
    }
    messages.sent(outbound, frame);
    const { inner } = state;
    if (inner === undefined) {
      outgoing.put(frame, { delayMs: 0, busyMs: 0 });
      return "accepted";
    }
    if (sent(frame) === "taken") return "accepted";
    const outcome = parts.sendBelow(inner, frame);
    if (outcome === "full") messages.dropped(outbound, frame, "queue full");
    state.owesDrain ||= outcome === "full";
    return outcome;
  };

  /** Closes in a microtask: `onClose` must not run inside a call of the owner. */
  const finishSoon = (reason: string): void =>
    void Promise.resolve().then(() => parts.finish(reason));

  const close = (): void => {
    if (state.isClosed || state.isClosing) return;
    state.isClosing = true;
    incoming.clear();
    if (state.inner === undefined) {
      state.isInnerClosed = true;
      finishSoon(CLOSED_HERE);
    } else if (outgoing.isEmpty && !isHeld(self, peer)) state.inner.close();
    else {
      outgoing.end(CLOSED_HERE);
      finishSoon(CLOSED_HERE);
    }
  };

  const faulty: FaultyConnection = {
    connection: { channel: options.channel, remote: options.address, send, close },
    onRulesChanged: () => {
      connect();
      outgoing.pump();
      incoming.pump();
      notifyDrained(parts, events);
    },
    abandon: () => {
      state.isAbandoned = true;
      if (state.inner === undefined) breakConnection(parts, CLOSED_HERE);
      else {
        outgoing.clear();
        incoming.clear();
      }
    },
  };
  // The owner must hold this connection before any of its events occurs, so connecting comes last.
  connect();
  return faulty;
}

/** `onClosed` is called when both directions have closed. */
function createParts(options: FaultyConnectionOptions, onClosed: () => void): ConnectionParts {
  const { self, peer, clock, events, trace } = options;
  const messages = createMessageTrace(trace);
  const outbound: Direction = { from: self, to: peer };
  const inbound: Direction = { from: peer, to: self };
  const state: ConnectionState = {
    inner: undefined,
    isClosed: false,
    isInnerClosed: false,
    isClosing: false,
    isAbandoned: false,
    owesDrain: false,
  };

  const isHeld = (from: string, to: string): boolean => {
    const { state: faults } = options;
    const id = faults.isCalm || state.isAbandoned ? undefined : blockingRule(faults, from, to);
    if (id !== undefined) faults.tookEffect(id);
    return id !== undefined;
  };

  const finish = (reason: string): void => {
    if (state.isClosed) return;
    state.isClosed = true;
    incoming.clear();
    if (state.isInnerClosed) onClosed();
    trace?.({ kind: "connection-closed", ...outbound, reason });
    events.onClose(reason);
  };

  const deliverToOwner = (frame: Uint8Array): "accepted" => {
    messages.delivered(inbound, frame);
    events.onFrame(frame);
    return "accepted";
  };

  const sendBelow = (over: Connection, frame: Uint8Array): "accepted" | "full" => {
    const outcome = over.send(frame);
    if (outcome === "accepted") messages.delivered(outbound, frame);
    return outcome;
  };

  const outgoing = createPipe({
    clock,
    isHeld: () => state.inner === undefined || isHeld(self, peer),
    deliver: (frame) => (state.inner === undefined ? "accepted" : sendBelow(state.inner, frame)),
    onEnd: () => state.inner?.close(),
  });
  const incoming = createPipe({
    clock,
    isHeld: () => isHeld(peer, self),
    deliver: deliverToOwner,
    onEnd: finish,
  });
  return {
    options,
    state,
    messages,
    outbound,
    inbound,
    outgoing,
    incoming,
    isHeld,
    deliverToOwner,
    sendBelow,
    finish,
  };
}

/**
 * Returns the function that opens the connection below unless a rule holds it back; further calls
 * do nothing.
 */
function createConnect(parts: ConnectionParts, onClosed: () => void): () => void {
  const { options, state, messages, outbound, inbound, outgoing, incoming, isHeld } = parts;
  const { self, peer, events, trace } = options;
  const received = applyRules(parts, incoming, inbound);
  return () => {
    if (state.inner !== undefined || state.isClosed || state.isClosing) return;
    if (isHeld(self, peer) || isHeld(peer, self)) return;
    state.inner = options.connect({
      onOpen: () => {
        if (state.isClosed) return;
        trace?.({ kind: "connection-opened", ...outbound, channel: options.channel });
        events.onOpen?.();
      },
      onFrame: (frame) => {
        messages.sent(inbound, frame);
        if (state.isClosed || state.isClosing)
          messages.dropped(inbound, frame, "connection closed");
        else if (received(frame) === "free") parts.deliverToOwner(frame);
      },
      onClose: (reason) => {
        state.isInnerClosed = true;
        outgoing.clear();
        if (state.isClosed) onClosed();
        else incoming.end(reason);
      },
      onDrain: () => {
        outgoing.pump();
        notifyDrained(parts, events);
      },
    });
    outgoing.pump();
  };
}

/**
 * Applies the rules to the frames of one direction. `free`: no rule touches the frame, the caller
 * sends it; `taken`: it was queued, dropped, refused, or its connection breaks.
 */
function applyRules(
  parts: ConnectionParts,
  pipe: Pipe,
  direction: Direction,
): (frame: Uint8Array) => "taken" | "free" {
  const { options, state, messages, isHeld } = parts;
  const { clock, random } = options;
  const { from, to } = direction;
  return (frame) => {
    const outcome = outcomeOf(options.state, random, { from, to, frame });
    if (outcome.kind !== "travels") messages.dropped(direction, frame, outcome.kind);
    if (outcome.kind === "vanishes") return "taken";
    if (outcome.kind === "breaks") {
      void Promise.resolve().then(() => breakConnection(parts, "connection reset"));
      return "taken";
    }
    if (outcome.kind === "refused") {
      const answer = rejectionOf(outcome.request);
      void Promise.resolve().then(
        () => state.isClosed || state.isClosing || parts.deliverToOwner(answer),
      );
      return "taken";
    }
    if (outcome === unaffected && pipe.isEmpty) return "free";
    if (outcome.delayMs + outcome.busyMs + outcome.overtakenMs === 0 && !outcome.isDoubled) {
      if (pipe.isEmpty && !isHeld(from, to) && state.inner !== undefined) return "free";
    }
    for (let copies = outcome.isDoubled ? 2 : 1; copies > 0; copies -= 1) {
      if (outcome.overtakenMs === 0) pipe.put(frame, outcome);
      else {
        const own = frame.slice();
        const put = (): void => pipe.put(own, { delayMs: 0, busyMs: outcome.busyMs });
        clock.setTimer(outcome.delayMs + outcome.overtakenMs, () => state.isClosed || put());
      }
    }
    return "taken";
  };
}

function breakConnection(
  { state, outgoing, incoming, finish }: ConnectionParts,
  reason: string,
): void {
  outgoing.clear();
  incoming.clear();
  state.inner?.close();
  state.isInnerClosed ||= state.inner === undefined;
  finish(reason);
}

function notifyDrained({ state, outgoing }: ConnectionParts, events: ConnectionEvents): void {
  if (!state.owesDrain || state.isClosed || outgoing.bytes > QUEUE_BYTES / 2) return;
  state.owesDrain = false;
  events.onDrain?.();
}

/** Error frame of a node whose queue is full (429, `rejected_execution_exception`). */
function rejectionOf({ correlationId, action, endpoint, from, to }: Frame): Uint8Array {
  const problem: Problem = {
    type: "rejected_execution_exception",
    reason: `rejected execution of [${action}]: the queue of [${to}] is full`,
    status: 429,
    isRetryable: true,
  };
  const addressed = { correlationId, action, endpoint, from: to, to: from };
  return encodeFrame(
    { ...addressed, kind: "error", shard: "", timeoutMs: 0 },
    utf8Encode(JSON.stringify(problem)),
  );
}
