/**
 * Reads that wait until a quorum has confirmed that this node still leads (safe read index).
 *
 * Each read gets the next number of a counter; heartbeats carry the latest number, and an answer to
 * number n confirms every read up to n, whatever contexts the clients chose. The highest number that a
 * quorum has answered releases the reads, in order. INV-READ-1: a read's index is the commit index at
 * the time it arrived, and only answers to heartbeats sent after that count.
 */
import { committedIndex, type Halves } from "./quorum.ts";
import type { Message } from "./types.ts";

export interface PendingRead {
  readonly request: Message;
  readonly index: number;
  readonly number: number;
}

export interface ReadOnly {
  /** The number of the newest read; 0 when there was none in this leadership. */
  last: number;
  queue: PendingRead[];
  /** By node, the highest number it has answered. */
  readonly acknowledged: Map<number, number>;
}

export function createReadOnly(): ReadOnly {
  return { last: 0, queue: [], acknowledged: new Map() };
}

/** Queues a read at the commit index; the context to send out with a heartbeat. */
export function addRead(readOnly: ReadOnly, index: number, request: Message): Uint8Array {
  readOnly.last += 1;
  readOnly.queue.push({ request, index, number: readOnly.last });
  return encodeNumber(readOnly.last);
}

/** The context for periodic heartbeats: the newest read that is still waiting. */
export function lastPendingContext(readOnly: ReadOnly): Uint8Array | undefined {
  return readOnly.queue.length === 0 ? undefined : encodeNumber(readOnly.last);
}

/** A node answered a heartbeat that carried this context. Contexts that were never sent out count for nothing. */
export function acknowledge(readOnly: ReadOnly, id: number, context: Uint8Array): void {
  const number = decodeNumber(context);
  if (number === undefined || number > readOnly.last) return;
  const before = readOnly.acknowledged.get(id) ?? 0;
  readOnly.acknowledged.set(id, Math.max(before, number));
}

/** The node itself confirms every read it has queued. */
export function acknowledgeOwn(readOnly: ReadOnly, id: number): void {
  readOnly.acknowledged.set(id, readOnly.last);
}

/** Takes the reads that a quorum has confirmed out of the queue. */
export function releaseConfirmed(readOnly: ReadOnly, halves: Halves): readonly PendingRead[] {
  const confirmed = committedIndex(halves, (id) => readOnly.acknowledged.get(id));
  const waiting = readOnly.queue.findIndex((read) => read.number > confirmed);
  const released = waiting === -1 ? readOnly.queue : readOnly.queue.slice(0, waiting);
  readOnly.queue = waiting === -1 ? [] : readOnly.queue.slice(waiting);
  return released;
}

const contextLength = 8;

function encodeNumber(number: number): Uint8Array {
  const bytes = new Uint8Array(contextLength);
  let rest = number;
  for (let at = contextLength - 1; at >= 0; at -= 1) {
    bytes[at] = rest % 256;
    rest = Math.floor(rest / 256);
  }
  return bytes;
}

function decodeNumber(bytes: Uint8Array): number | undefined {
  if (bytes.length !== contextLength) return undefined;
  return bytes.reduce((number, byte) => number * 256 + byte, 0);
}
