/**
 * One connection with its faults: frames of both directions go through pipes as long as something delays or holds them, and
 * straight on when nothing does.
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
import { createMail, type Way } from "./mail.ts";
import type { NetworkFaultsOptions } from "./network.ts";
import { createPipe, type Pipe } from "./pipe.ts";

export interface Line {
  readonly connection: Connection;
  /** The faults have changed. */
  look(): void;
  /** The network closes: nothing is held any longer. */
  abandon(): void;
}

export interface LineOptions extends Omit<NetworkFaultsOptions, "nameOf"> {
  readonly peer: string;
  readonly address: string;
  readonly channel: ChannelClass;
  readonly events: ConnectionEvents;
  readonly connect: (events: ConnectionEvents) => Connection;
  /** Both directions are done. */
  readonly onOver: (line: Line) => void;
}

/** As the transports have it. */
const QUEUE_BYTES = 32 * 1024 * 1024;

const CLOSED_HERE = "closed by this node";

export function openLine(options: LineOptions): Line {
  const { self, peer, state, clock, random, events, trace } = options;
  const mail = createMail(trace);
  const there: Way = { from: self, to: peer };
  const here: Way = { from: peer, to: self };
  let inner: Connection | undefined;
  /** The owner was told, or will be at once. */
  let isOver = false;
  let isInnerOver = false;
  let isClosing = false;
  let isAbandoned = false;
  let owesDrain = false;

  const isHeld = (from: string, to: string): boolean => {
    const id = state.isCalm || isAbandoned ? undefined : barrier(state, from, to);
    if (id !== undefined) state.tookEffect(id);
    return id !== undefined;
  };

  const finish = (reason: string): void => {
    if (isOver) return;
    isOver = true;
    back.clear();
    if (isInnerOver) options.onOver(line);
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
  /** Never during a call of the owner. */
  const finishSoon = (reason: string): void => void Promise.resolve().then(() => finish(reason));

  const out = createPipe({
    clock,
    isHeld: () => inner === undefined || isHeld(self, peer),
    deliver: (frame) => (inner === undefined ? "accepted" : pass(inner, frame)),
    onEnd: () => inner?.close(),
  });
  const back = createPipe({
    clock,
    isHeld: () => isHeld(peer, self),
    deliver: handOver,
    onEnd: finish,
  });

  const breakOff = (reason: string): void => {
    out.clear();
    back.clear();
    inner?.close();
    isInnerOver ||= inner === undefined;
    finish(reason);
  };

  /** `undefined`: nothing is done to it, and it may go straight on. */
  const disturb = (pipe: Pipe, way: Way) => (frame: Uint8Array) => {
    const { from, to } = way;
    const journey = journeyOf(state, random, { from, to, frame });
    if (journey.kind !== "travels") mail.dropped(way, frame, journey.kind);
    if (journey.kind === "vanishes") return "taken";
    if (journey.kind === "breaks") {
      void Promise.resolve().then(() => breakOff("connection reset"));
      return "taken";
    }
    if (journey.kind === "refused") {
      const answer = refusal(journey.request);
      void Promise.resolve().then(() => isOver || isClosing || handOver(answer));
      return "taken";
    }
    if (journey === undisturbed && pipe.isEmpty) return "free";
    if (journey.delayMs + journey.busyMs + journey.overtakenMs === 0 && !journey.isDoubled) {
      if (pipe.isEmpty && !isHeld(from, to) && inner !== undefined) return "free";
    }
    for (let copies = journey.isDoubled ? 2 : 1; copies > 0; copies -= 1) {
      if (journey.overtakenMs === 0) pipe.put(frame, journey);
      else {
        const own = frame.slice();
        const put = (): void => pipe.put(own, { delayMs: 0, busyMs: journey.busyMs });
        clock.setTimer(journey.delayMs + journey.overtakenMs, () => isOver || put());
      }
    }
    return "taken";
  };
  const sent = disturb(out, there);
  const received = disturb(back, here);

  const drained = (): void => {
    if (!owesDrain || isOver || out.bytes > QUEUE_BYTES / 2) return;
    owesDrain = false;
    events.onDrain?.();
  };

  const connect = (): void => {
    if (inner !== undefined || isOver || isClosing || isHeld(self, peer) || isHeld(peer, self))
      return;
    inner = options.connect({
      onOpen: () => {
        if (isOver) return;
        trace?.({ kind: "connection-opened", ...there, channel: options.channel });
        events.onOpen?.();
      },
      onFrame: (frame) => {
        mail.sent(here, frame);
        if (isOver || isClosing) mail.dropped(here, frame, "connection closed");
        else if (received(frame) === "free") handOver(frame);
      },
      onClose: (reason) => {
        isInnerOver = true;
        out.clear();
        if (isOver) options.onOver(line);
        else back.end(reason);
      },
      onDrain: () => {
        out.pump();
        drained();
      },
    });
    out.pump();
  };

  const send = (frame: Uint8Array): "accepted" | "full" => {
    assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
    if (isOver || isClosing) return "accepted";
    if (!out.isEmpty && out.bytes + frame.length > QUEUE_BYTES) {
      owesDrain = true;
      return "full";
    }
    mail.sent(there, frame);
    if (inner === undefined) {
      out.put(frame, { delayMs: 0, busyMs: 0 });
      return "accepted";
    }
    if (sent(frame) === "taken") return "accepted";
    const outcome = pass(inner, frame);
    if (outcome === "full") mail.dropped(there, frame, "queue full");
    owesDrain ||= outcome === "full";
    return outcome;
  };

  const close = (): void => {
    if (isOver || isClosing) return;
    isClosing = true;
    back.clear();
    if (inner === undefined) {
      isInnerOver = true;
      finishSoon(CLOSED_HERE);
    } else if (out.isEmpty && !isHeld(self, peer)) inner.close();
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
      drained();
    },
    abandon: () => {
      isAbandoned = true;
      if (inner === undefined) breakOff(CLOSED_HERE);
      else {
        out.clear();
        back.clear();
      }
    },
  };
  // The line is in its owner's hands before anything happens on it.
  connect();
  return line;
}

/** What a node answers whose queues are full. */
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
