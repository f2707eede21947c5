/**
 * The window of MsgApp messages that were sent to one node and not yet acknowledged.
 *
 * A message is known by the index of its last entry; the window is limited by count and by payload
 * bytes. A message may overshoot the byte limit, but nothing may be added once the window is full.
 */
import { assert } from "@orrery/stdx";

export interface Inflights {
  readonly maxCount: number;
  /** Infinity when there is no limit. */
  readonly maxBytes: number;
  /** Ascending by index; those before `start` are freed. */
  messages: { readonly index: number; readonly bytes: number }[];
  start: number;
  bytes: number;
}

export function createInflights(maxCount: number, maxBytes: number): Inflights {
  return { maxCount, maxBytes, messages: [], start: 0, bytes: 0 };
}

export function inflightCount(inflights: Inflights): number {
  return inflights.messages.length - inflights.start;
}

export function isFull(inflights: Inflights): boolean {
  return inflightCount(inflights) === inflights.maxCount || inflights.bytes >= inflights.maxBytes;
}

/** Indexes are added in order. */
export function addInflight(inflights: Inflights, index: number, bytes: number): void {
  assert(!isFull(inflights), "cannot add into a Full inflights");
  inflights.messages.push({ index, bytes });
  inflights.bytes += bytes;
}

/** Frees all messages up to and including the one that ends at `index`. */
export function freeInflightsTo(inflights: Inflights, index: number): void {
  const { messages } = inflights;
  let at = inflights.start;
  for (let message = messages[at]; message !== undefined; message = messages[at]) {
    if (message.index > index) break;
    inflights.bytes -= message.bytes;
    at += 1;
  }
  inflights.start = at;
  // Dropping freed messages only when they are half of the array keeps the cost per message constant.
  if (at * 2 < messages.length) return;
  inflights.messages = messages.slice(at);
  inflights.start = 0;
}

export function resetInflights(inflights: Inflights): void {
  inflights.messages = [];
  inflights.start = 0;
  inflights.bytes = 0;
}
