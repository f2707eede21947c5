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

interface RequestQueue {
  isBusy: boolean;
  isPaused: boolean;
  readonly waiting: (() => void)[];
}

const queueKey: unique symbol = Symbol("requests that wait");

type QueuedSocket = Socket & { [queueKey]?: RequestQueue };

/**
 * Starts the request now, or when all earlier requests of this connection have completed. Each started request ends
 * with `completeRequest`.
 */
export function enqueueRequest(socket: QueuedSocket, begin: () => void): void {
  const queue = (socket[queueKey] ??= { isBusy: false, isPaused: false, waiting: [] });
  if (!queue.isBusy) {
    queue.isBusy = true;
    begin();
    return;
  }
  queue.waiting.push(begin);
  if (queue.isPaused || queue.waiting.length < MOST_WAITING) return;
  queue.isPaused = true;
  socket.pause();
}

/** Ends a started request: starts the next one of the connection, and resumes reading when few requests wait. */
export function completeRequest(socket: QueuedSocket): void {
  const queue = socket[queueKey];
  if (queue === undefined) return;
  // The connection is closed: the waiting requests have no client.
  if (socket.destroyed) queue.waiting.length = 0;
  const next = queue.waiting.shift();
  if (queue.isPaused && queue.waiting.length <= FEW_WAITING) {
    queue.isPaused = false;
    socket.resume();
  }
  if (next === undefined) queue.isBusy = false;
  else next();
}
