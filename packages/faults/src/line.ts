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
import { barrier, journeyOf, undisturbed } from "./journey.ts";
import { createMail, type Mail, type Way } from "./mail.ts";
import type { NetworkFaultsOptions } from "./network.ts";
import { createPipe, type Pipe } from "./pipe.ts";

export interface Line {
  readonly connection: Connection;
  /**
   * Re-evaluates the rules after they have changed: opens, resumes or drains what they no longer
   * hold.
   */
  look(): void;
  /** Called when the network closes: held frames are dropped and rules hold nothing any more. */
  abandon(): void;
}

export interface LineOptions extends Omit<NetworkFaultsOptions, "nameOf"> {
  readonly peer: string;
  readonly address: string;
  readonly channel: ChannelClass;
  readonly events: ConnectionEvents;
  readonly connect: (events: ConnectionEvents) => Connection;
  /** Called once, when both the owner's side and the connection below have closed. */
  readonly onOver: (line: Line) => void;
}

/** Bound of the outgoing queue, equal to that of the transports. */
const QUEUE_BYTES = 32 * 1024 * 1024;

const CLOSED_HERE = "closed by this node";

/** Progress of a faulty connection. */
interface LineState {
  /** Connection below; `undefined` while a rule holds its opening back. */
  inner: Connection | undefined;
  /** The owner has received `onClose`, or does so at once. */
  isOver: boolean;
  isInnerOver: boolean;
  isClosing: boolean;
  isAbandoned: boolean;
  /** A `send` returned `full`, so the owner expects `onDrain`. */
  owesDrain: boolean;
}

/**
 * Parts of a faulty connection: a pipe for each direction, and the functions that its frames leave
 * through.
 */
interface LineParts {
  readonly options: LineOptions;
  readonly state: LineState;
  readonly mail: Mail;
  readonly there: Way;
  readonly here: Way;
  readonly out: Pipe;
  readonly back: Pipe;
  readonly isHeld: (from: string, to: string) => boolean;
  /** Delivers a frame to the owner. */
  readonly handOver: (frame: Uint8Array) => "accepted";
  /** Sends a frame on the connection below. */
  readonly pass: (over: Connection, frame: Uint8Array) => "accepted" | "full";
  readonly finish: (reason: string) => void;
}

export function openLine(options: LineOptions): Line {
  const { self, peer, events } = options;
  const parts = createParts(options, () => options.onOver(line));
  const { state, mail, there, out, back, isHeld } = parts;
  const sent = disturb(parts, out, there);
  const connect = createConnect(parts, () => options.onOver(line));

  const send = (frame: Uint8Array): "accepted" | "full" => {
    assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
    if (state.isOver || state.isClosing) return "accepted";
    if (!out.isEmpty && out.bytes + frame.length > QUEUE_BYTES) {
      state.owesDrain = true;
      return "full";
    }
    mail.sent(there, frame);
    const { inner } = state;
    if (inner === undefined) {
      out.put(frame, { delayMs: 0, busyMs: 0 });
      return "accepted";
    }
    if (sent(frame) === "taken") return "accepted";
    const outcome = parts.pass(inner, frame);
    if (outcome === "full") mail.dropped(there, frame, "queue full");
    state.owesDrain ||= outcome === "full";
    return outcome;
  };

  /** Closes in a microtask: `onClose` must not run inside a call of the owner. */
  const finishSoon = (reason: string): void =>
    void Promise.resolve().then(() => parts.finish(reason));

  const close = (): void => {
    if (state.isOver || state.isClosing) return;
    state.isClosing = true;
    back.clear();
    if (state.inner === undefined) {
      state.isInnerOver = true;
      finishSoon(CLOSED_HERE);
    } else if (out.isEmpty && !isHeld(self, peer)) state.inner.close();
    else {
      out.end(CLOSED_HERE);
      finishSoon(CLOSED_HERE);
    }
  };

  const line: Line = {
    connection: { channel: options.channel, remote: options.address, send, close },
    look: () => {
      connect();
      out.pump();
      back.pump();
      drained(parts, events);
    },
    abandon: () => {
      state.isAbandoned = true;
      if (state.inner === undefined) breakOff(parts, CLOSED_HERE);
      else {
        out.clear();
        back.clear();
      }
    },
  };
  // The owner must hold this connection before any of its events occurs, so connecting comes last.
  connect();
  return line;
}

/** `onOver` is called when both directions have closed. */
function createParts(options: LineOptions, onOver: () => void): LineParts {
  const { self, peer, clock, events, trace } = options;
  const mail = createMail(trace);
  const there: Way = { from: self, to: peer };
  const here: Way = { from: peer, to: self };
  const state: LineState = {
    inner: undefined,
    isOver: false,
    isInnerOver: false,
    isClosing: false,
    isAbandoned: false,
    owesDrain: false,
  };

  const isHeld = (from: string, to: string): boolean => {
    const { state: faults } = options;
    const id = faults.isCalm || state.isAbandoned ? undefined : barrier(faults, from, to);
    if (id !== undefined) faults.tookEffect(id);
    return id !== undefined;
  };

  const finish = (reason: string): void => {
    if (state.isOver) return;
    state.isOver = true;
    back.clear();
    if (state.isInnerOver) onOver();
    trace?.({ kind: "connection-closed", ...there, reason });
    events.onClose(reason);
  };

  const handOver = (frame: Uint8Array): "accepted" => {
    mail.delivered(here, frame);
    events.onFrame(frame);
    return "accepted";
  };

  const pass = (over: Connection, frame: Uint8Array): "accepted" | "full" => {
    const outcome = over.send(frame);
    if (outcome === "accepted") mail.delivered(there, frame);
    return outcome;
  };

  const out = createPipe({
    clock,
    isHeld: () => state.inner === undefined || isHeld(self, peer),
    deliver: (frame) => (state.inner === undefined ? "accepted" : pass(state.inner, frame)),
    onEnd: () => state.inner?.close(),
  });
  const back = createPipe({
    clock,
    isHeld: () => isHeld(peer, self),
    deliver: handOver,
    onEnd: finish,
  });
  return { options, state, mail, there, here, out, back, isHeld, handOver, pass, finish };
}

/**
 * Returns the function that opens the connection below unless a rule holds it back; further calls
 * do nothing.
 */
function createConnect(parts: LineParts, onOver: () => void): () => void {
  const { options, state, mail, there, here, out, back, isHeld } = parts;
  const { self, peer, events, trace } = options;
  const received = disturb(parts, back, here);
  return () => {
    if (state.inner !== undefined || state.isOver || state.isClosing) return;
    if (isHeld(self, peer) || isHeld(peer, self)) return;
    state.inner = options.connect({
      onOpen: () => {
        if (state.isOver) return;
        trace?.({ kind: "connection-opened", ...there, channel: options.channel });
        events.onOpen?.();
      },
      onFrame: (frame) => {
        mail.sent(here, frame);
        if (state.isOver || state.isClosing) mail.dropped(here, frame, "connection closed");
        else if (received(frame) === "free") parts.handOver(frame);
      },
      onClose: (reason) => {
        state.isInnerOver = true;
        out.clear();
        if (state.isOver) onOver();
        else back.end(reason);
      },
      onDrain: () => {
        out.pump();
        drained(parts, events);
      },
    });
    out.pump();
  };
}

/**
 * Applies the rules to the frames of one direction. `free`: no rule touches the frame, the caller
 * sends it; `taken`: it was queued, dropped, refused, or its connection breaks.
 */
function disturb(parts: LineParts, pipe: Pipe, way: Way): (frame: Uint8Array) => "taken" | "free" {
  const { options, state, mail, isHeld } = parts;
  const { clock, random } = options;
  const { from, to } = way;
  return (frame) => {
    const journey = journeyOf(options.state, random, { from, to, frame });
    if (journey.kind !== "travels") mail.dropped(way, frame, journey.kind);
    if (journey.kind === "vanishes") return "taken";
    if (journey.kind === "breaks") {
      void Promise.resolve().then(() => breakOff(parts, "connection reset"));
      return "taken";
    }
    if (journey.kind === "refused") {
      const answer = refusal(journey.request);
      void Promise.resolve().then(() => state.isOver || state.isClosing || parts.handOver(answer));
      return "taken";
    }
    if (journey === undisturbed && pipe.isEmpty) return "free";
    if (journey.delayMs + journey.busyMs + journey.overtakenMs === 0 && !journey.isDoubled) {
      if (pipe.isEmpty && !isHeld(from, to) && state.inner !== undefined) return "free";
    }
    for (let copies = journey.isDoubled ? 2 : 1; copies > 0; copies -= 1) {
      if (journey.overtakenMs === 0) pipe.put(frame, journey);
      else {
        const own = frame.slice();
        const put = (): void => pipe.put(own, { delayMs: 0, busyMs: journey.busyMs });
        clock.setTimer(journey.delayMs + journey.overtakenMs, () => state.isOver || put());
      }
    }
    return "taken";
  };
}

function breakOff({ state, out, back, finish }: LineParts, reason: string): void {
  out.clear();
  back.clear();
  state.inner?.close();
  state.isInnerOver ||= state.inner === undefined;
  finish(reason);
}

function drained({ state, out }: LineParts, events: ConnectionEvents): void {
  if (!state.owesDrain || state.isOver || out.bytes > QUEUE_BYTES / 2) return;
  state.owesDrain = false;
  events.onDrain?.();
}

/** Error frame of a node whose queue is full (429, `rejected_execution_exception`). */
function refusal({ correlationId, action, endpoint, from, to }: Frame): Uint8Array {
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
