/**
 * Queue of the requests of one connection: each starts when the response before it has been sent, so that a client
 * which pipelines thousands of requests has one in progress, like every other client.
 *
 * Above a limit of waiting requests the connection is not read. HTTP/1.1 returns responses in the order of the requests
 * anyway.
 */
import type { Socket } from "node:net";

const MOST_WAITING = 16;
/** Number of waiting requests at which reading resumes. */
const FEW_WAITING = 4;

interface Line {
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

const lineKey: unique symbol = Symbol("requests that wait");

type WithLine = Socket & { [lineKey]?: Line };

/**
 * Starts the request now, or when all earlier requests of this connection have completed. Each started request ends
 * with `completeRequest`.
 */
export function enterLine(socket: WithLine, begin: () => void): void {
  const line = (socket[lineKey] ??= { isBusy: false, isPaused: false, waiting: [] });
  if (!line.isBusy) {
    line.isBusy = true;
    begin();
    return;
  }
  line.waiting.push(begin);
  if (line.isPaused || line.waiting.length < MOST_WAITING) return;
  line.isPaused = true;
  socket.pause();
}

export function leaveLine(socket: WithLine): void {
  const line = socket[lineKey];
  if (line === undefined) return;
  // The connection is closed: the waiting requests have no client.
  if (socket.destroyed) line.waiting.length = 0;
  const next = line.waiting.shift();
  if (line.isPaused && line.waiting.length <= FEW_WAITING) {
    line.isPaused = false;
    socket.resume();
  }
  if (next === undefined) line.isBusy = false;
  else next();
}
