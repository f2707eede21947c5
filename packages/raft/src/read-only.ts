/**
 * Reads that wait until a quorum has confirmed that this node still leads (safe ReadIndex).
 *
 * Each read gets the next number of a counter, and heartbeats carry the latest number. The answer to number n
 * confirms every read up to n. The highest number that a quorum has answered releases reads in order. Numbers replace
 * the request contexts that `read_only.go` of etcd-io/raft sends: clients choose contexts, which need not be unique.
 *
 * INV-READ-1: a read's index is the commit index at the time it arrived, and only answers to heartbeats sent after
 * that confirm it.
 */
import { committedIndex, type Halves } from "./quorum.ts";
import type { Message } from "./types.ts";

/** A read in the queue: its request, its read index, its number. */
export interface PendingRead {
  readonly request: Message;
  readonly index: number;
  readonly number: number;
}

/** The reads of one leadership; created anew by every reset of the role. */
export interface ReadOnly {
  /** The number of the newest read; 0 when there was none in this leadership. */
  last: number;
  /** Unconfirmed reads, ascending by number. */
  queue: PendingRead[];
  /** By node, the highest number that it has answered. */
  readonly acknowledged: Map<number, number>;
}

export function createReadOnly(): ReadOnly {
  return { last: 0, queue: [], acknowledged: new Map() };
}

/** Queues a read with the commit index as its read index; the result is the context for the heartbeats. */
export function addRead(readOnly: ReadOnly, index: number, request: Message): Uint8Array {
  readOnly.last += 1;
  readOnly.queue.push({ request, index, number: readOnly.last });
  return encodeNumber(readOnly.last);
}

/** The context for periodic heartbeats, the number of the newest read; undefined when no read is pending. */
export function lastPendingContext(readOnly: ReadOnly): Uint8Array | undefined {
  return readOnly.queue.length === 0 ? undefined : encodeNumber(readOnly.last);
}

/** Records a node's answer to a heartbeat with this context. A context that was never sent out confirms no read. */
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

/**
 * Removes the reads that a quorum has confirmed from the queue and returns them, in order. In a joint configuration
 * both halves must confirm.
 */
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
