/**
 * A connection that this node opened, with its handshake: frames that are sent before whoever answers is believed wait here, and
 * nobody who is not gets any.
 */
import type { ChannelClass, Clock, Connection, Network, Trust } from "@orrery/ports";
import { createBoundedQueue, problemOf, type Problem } from "@orrery/stdx";
import { connectingHandshake, type Greeting } from "./handshake.ts";

export interface LineOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly channel: ChannelClass;
  readonly greeting: Greeting;
  /** Until whoever answers is believed. */
  readonly timeoutMs: number;
}

export interface LineEvents {
  /** Before any frame; what was sent so far is on its way. */
  onBelieved(greeting: Greeting): void;
  onFrame(frame: Uint8Array): void;
  /**
   * Once, unless it is closed from here. `problem`: why one end did not believe the other; `isTold`: it was the other end that did not.
   */
  onClose(reason: string, problem?: Problem, isTold?: boolean): void;
}

export interface Line {
  send(frame: Uint8Array): "accepted" | "full";
  close(): void;
}

/** Less than a connection holds, so that all of it can be handed on at once. */
const WAITING_BYTES_MOST = 16 * 1024 * 1024;

/** Whatever the address is: one that cannot be connected to shows as a close. */
export function openLine(options: LineOptions, address: string, events: LineEvents): Line {
  const { network, clock, channel, timeoutMs } = options;
  const handshake = connectingHandshake(options);
  const waiting = createBoundedQueue<Uint8Array>(WAITING_BYTES_MOST);
  let connection: Connection | undefined;
  let state: "waiting" | "believed" | "over" = "waiting";

  const isOver = (): boolean => state === "over";

  const end = (reason: string, problem?: Problem, isTold = false): void => {
    if (state === "over") return;
    state = "over";
    cancelTimer();
    waiting.clear();
    connection?.close();
    events.onClose(reason, problem, isTold);
  };

  const cancelTimer = clock.setTimer(timeoutMs, () => end(`connect_timeout[${timeoutMs}ms]`));

  const believe = (greeting: Greeting, proof: Uint8Array | undefined): void => {
    cancelTimer();
    if (proof !== undefined) connection?.send(proof);
    events.onBelieved(greeting);
    if (isOver()) return;
    // What was sent meanwhile waits behind what was sent before.
    for (let frame = waiting.take(); frame !== undefined; frame = waiting.take())
      connection?.send(frame);
    state = "believed";
  };

  const take = (bytes: Uint8Array): void => {
    if (state === "believed") return events.onFrame(bytes);
    if (state === "over") return;
    const step = handshake.take(bytes);
    if (step.kind === "believed") return believe(step.greeting, step.reply);
    if (step.kind === "go-on") return;
    const isTold = step.reply === undefined;
    if (step.reply !== undefined) connection?.send(step.reply);
    end(
      isTold ? "handshake failed" : `handshake failed: ${step.problem.reason}`,
      step.problem,
      isTold,
    );
  };

  try {
    connection = network.connect(address, channel, {
      onFrame: take,
      onClose: (reason) => end(state === "believed" ? reason : `connect failed: ${reason}`),
    });
    connection.send(handshake.hello);
  } catch (error) {
    // An address that somebody told, and that is none. Whoever opened the line does not have it yet.
    const problem = problemOf(error);
    void Promise.resolve().then(() => end(`connect failed: ${problem.reason}`));
  }
  return {
    send: (frame) => {
      if (state === "waiting") return waiting.offer(frame, frame.length) ? "accepted" : "full";
      return state === "over" ? "accepted" : (connection?.send(frame) ?? "accepted");
    },
    close: () => {
      if (state === "over") return;
      state = "over";
      cancelTimer();
      waiting.clear();
      connection?.close();
    },
  };
}
