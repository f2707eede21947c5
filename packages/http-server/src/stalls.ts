/**
 * Stalled clients: the connection of a client that sends a body or reads a response without progress is closed, and its
 * held bytes are released.
 *
 * Time that an operation takes does not count: while it runs, the client has nothing to send or read.
 */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { IdTable } from "@orrery/stdx";

/** Interval between two checks of all requests in progress; a client without progress between two checks is stalled. */
export const STALL_MS = 60_000;

/** Minimum progress between two checks; less counts as none. */
const LEAST_BYTES = 16 * 1024;

/** Request in progress with its response. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  /** Cancels the request's operation; called when the client disconnects. */
  cancel: (() => void) | undefined;
  isReceiving: boolean;
  receivedBytes: number;
  heldBytes: number;
  /** Bytes of the hits and documents in its response. */
  answerBytes: number;
  /** The bytes that the exchange held have been released, and no more are counted. */
  isOver: boolean;
  /** Progress at the last check; negative if the client was not expected to make any. */
  seenBytes: number;
}

/** Starts the periodic check; returns the function that stops it. */
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

/** Bytes transferred so far; `undefined` while the client only waits for the response. */
function progressOf({
  isReceiving,
  receivedBytes,
  request,
  response,
}: Exchange): number | undefined {
  if (isReceiving) return receivedBytes;
  if (!response.headersSent) return undefined;
  const { socket } = request;
  // Bytes that the operating system has accepted; the rest waits in the socket's buffer.
  return socket.bytesWritten - socket.writableLength;
}
