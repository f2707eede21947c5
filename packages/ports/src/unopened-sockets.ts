/**
 * Sockets that have come and on which no connection is open: how many there may be, and for how long, whatever the transport.
 *
 * A socket enters when it is accepted, and again when its last connection is over; it leaves when a connection opens on it, which is
 * then counted as one that has proved nothing, or when it closes. The oldest one goes when there are too many.
 */
import type { CancelTimer } from "./clock.ts";

export interface UnopenedSockets<Socket> {
  /** A socket that is counted already is left alone. */
  enter(socket: Socket): void;
  leave(socket: Socket): void;
}

export interface UnopenedSocketsOptions<Socket> {
  readonly setTimer: (ms: number, run: () => void) => CancelTimer;
  /** Ends the socket at once. */
  readonly cut: (socket: Socket) => void;
}

/** As many, and as long, as connections that have proved nothing. */
export const unopenedSocketsMost = 256;
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
