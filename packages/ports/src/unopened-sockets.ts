/**
 * Limits for accepted sockets without an open connection, in number and time, for all transports.
 *
 * A socket enters when it is accepted, and again when its last connection has closed. It leaves when a connection
 * opens on it, which then counts as one that has proved nothing, or when it closes. Above the limit the oldest socket
 * is closed.
 */
import type { CancelTimer } from "./clock.ts";

/** The accepted sockets of one node that have no open connection. */
export interface UnopenedSockets<Socket> {
  /** No effect on a socket that has entered already. */
  enter(socket: Socket): void;
  leave(socket: Socket): void;
}

/** The timer of sockets, and the function that closes one. */
export interface UnopenedSocketsOptions<Socket> {
  readonly setTimer: (ms: number, run: () => void) => CancelTimer;
  /** Closes the socket at once. */
  readonly cut: (socket: Socket) => void;
}

/** Limit of sockets without an open connection. Connections without a proof have the same limit. */
export const unopenedSocketsMost = 256;
/** Time that a socket may stay without an open connection. Connections without a proof have the same limit. */
export const unopenedSocketMs = 10_000;

export function createUnopenedSockets<Socket>({
  setTimer,
  cut,
}: UnopenedSocketsOptions<Socket>): UnopenedSockets<Socket> {
  const timers = new Map<Socket, CancelTimer>();

  const leave = (socket: Socket): void => {
    timers.get(socket)?.();
    timers.delete(socket);
  };

  const end = (socket: Socket): void => {
    leave(socket);
    cut(socket);
  };

  return {
    enter(socket) {
      if (timers.has(socket)) return;
      timers.set(
        socket,
        setTimer(unopenedSocketMs, () => end(socket)),
      );
      const [oldest] = timers.keys();
      if (timers.size > unopenedSocketsMost && oldest !== undefined) end(oldest);
    },
    leave,
  };
}
