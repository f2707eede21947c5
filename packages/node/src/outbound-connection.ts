/**
 * A connection that this node opened, with its handshake. Frames that are sent before the peer is authenticated wait
 * here, and no other peer receives them.
 */
import type { ChannelClass, Clock, Connection, Network, Trust } from "@orrery/ports";
import { createBoundedQueue, problemOf, type Problem } from "@orrery/stdx";
import { connectingHandshake, type Greeting } from "./handshake.ts";

export interface OutboundOptions {
  readonly network: Network;
  readonly clock: Clock;
  readonly trust: Trust;
  readonly channel: ChannelClass;
  readonly greeting: Greeting;
  /** Time in which the peer must be authenticated. */
  readonly timeoutMs: number;
}

/** Callbacks of an outbound connection. */
export interface OutboundEvents {
  /** Called before any frame. Frames that wait here are sent next, before those that this callback sends. */
  onAuthenticated(greeting: Greeting): void;
  onFrame(frame: Uint8Array): void;
  /**
   * Called once, unless this end has closed the connection. `problem`: the refusal of one end by the other; `isPeerRefusal`: the peer
   * has refused this node.
   */
  onClose(reason: string, problem?: Problem, isPeerRefusal?: boolean): void;
}

/** A connection that this node has opened or is opening. */
export interface OutboundConnection {
  send(frame: Uint8Array): "accepted" | "full";
  close(): void;
}

/** Less than a connection's own queue holds, so that all waiting frames fit into it at once. */
const MAX_WAITING_BYTES = 16 * 1024 * 1024;

/** Opens a connection. A malformed or unreachable address is reported by `onClose`, never thrown. */
export function openOutbound(
  options: OutboundOptions,
  address: string,
  events: OutboundEvents,
): OutboundConnection {
  const { network, clock, channel, timeoutMs } = options;
  const handshake = connectingHandshake(options);
  const waiting = createBoundedQueue<Uint8Array>(MAX_WAITING_BYTES);
  let connection: Connection | undefined;
  let state: "waiting" | "authenticated" | "over" = "waiting";

  const isOver = (): boolean => state === "over";

  const end = (reason: string, problem?: Problem, isPeerRefusal = false): void => {
    if (state === "over") return;
    state = "over";
    cancelTimer();
    waiting.clear();
    connection?.close();
    events.onClose(reason, problem, isPeerRefusal);
  };

  const cancelTimer = clock.setTimer(timeoutMs, () => end(`connect_timeout[${timeoutMs}ms]`));

  const authenticate = (greeting: Greeting, proof: Uint8Array | undefined): void => {
    cancelTimer();
    if (proof !== undefined) connection?.send(proof);
    events.onAuthenticated(greeting);
    if (isOver()) return;
    // Frames that are sent by `onAuthenticated` queue behind those that were sent before.
    for (let frame = waiting.take(); frame !== undefined; frame = waiting.take())
      connection?.send(frame);
    state = "authenticated";
  };

  const take = (bytes: Uint8Array): void => {
    if (state === "authenticated") return events.onFrame(bytes);
    if (state === "over") return;
    const step = handshake.take(bytes);
    if (step.kind === "authenticated") return authenticate(step.greeting, step.reply);
    if (step.kind === "continue") return;
    const isPeerRefusal = step.reply === undefined;
    if (step.reply !== undefined) connection?.send(step.reply);
    end(
      isPeerRefusal ? "handshake failed" : `handshake failed: ${step.problem.reason}`,
      step.problem,
      isPeerRefusal,
    );
  };

  try {
    connection = network.connect(address, channel, {
      onFrame: take,
      onClose: (reason) => end(state === "authenticated" ? reason : `connect failed: ${reason}`),
    });
    connection.send(handshake.hello);
  } catch (error) {
    // A malformed address of another node. `onClose` comes later: the caller does not have the connection yet.
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
