/**
 * Clients that have stopped, or nearly: who sends a body or takes an answer without getting on is cut, and what it held is free.
 *
 * How long an operation takes is nobody's fault: while it runs, nothing is expected of the client.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IdTable } from "@orrery/stdx";

/** One look at all requests under way. Who did not get on between two looks is cut. */
export const STALL_MS = 60_000;

/** Less than this between two looks is as good as nothing. */
const LEAST_BYTES = 16 * 1024;

export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** To be called when the client goes away. */
  cancel: (() => void) | undefined;
  isReceiving: boolean;
  receivedBytes: number;
  heldBytes: number;
  /** Bytes of the hits and documents of its answer. */
  answerBytes: number;
  /** Its bytes were given back, and no more are counted. */
  isOver: boolean;
  /** At the last look; below zero: not waited for then. */
  seenBytes: number;
}

/** Looks at intervals until it is stopped. */
export function cutStalled(running: IdTable<Exchange>, stallMs: number): () => void {
  const timer = setInterval(() => {
    for (const exchange of running.values()) if (isStalled(exchange)) exchange.request.destroy();
  }, stallMs);
  timer.unref();
  return () => clearInterval(timer);
}

function isStalled(exchange: Exchange): boolean {
  const progress = progressOf(exchange);
  const { seenBytes } = exchange;
  exchange.seenBytes = progress ?? -1;
  return progress !== undefined && seenBytes >= 0 && progress - seenBytes < LEAST_BYTES;
}

/** `undefined` while the client has nothing to do but to wait. */
function progressOf({
  isReceiving,
  receivedBytes,
  request,
  response,
}: Exchange): number | undefined {
  if (isReceiving) return receivedBytes;
  if (!response.headersSent) return undefined;
  const { socket } = request;
  // What the system has taken of the answer; the rest waits here.
  return socket.bytesWritten - socket.writableLength;
}
