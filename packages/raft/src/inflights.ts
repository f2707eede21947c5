/**
 * The window of MsgApp messages that were sent to one node and not yet acknowledged (`tracker/inflights.go` of
 * etcd-io/raft).
 *
 * A message is identified by the index of its last entry. The window is limited by the number of messages and by
 * payload bytes: it is full when either limit is reached. A single message may exceed the byte limit, but none is
 * added to a full window.
 */
import { assert } from "@orrery/stdx";

/** The window; owned and mutated by one Progress. */
export interface Inflights {
  readonly maxCount: number;
  /** Infinity when there is no limit. */
  readonly maxBytes: number;
  /** Ascending by index; those before `start` are freed. */
  messages: { readonly index: number; readonly bytes: number }[];
  start: number;
  /** Payload bytes of the messages from `start` on. */
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

/** Adds a message that ends at `index`. Indexes ascend. */
export function addInflight(inflights: Inflights, index: number, bytes: number): void {
  assert(!isFull(inflights), "cannot add into a Full inflights");
  inflights.messages.push({ index, bytes });
  inflights.bytes += bytes;
}

/** Frees all messages that end at or before `index`: an acknowledgement covers everything before it. */
export function freeInflightsTo(inflights: Inflights, index: number): void {
  const { messages } = inflights;
  let at = inflights.start;
  for (let message = messages[at]; message !== undefined; message = messages[at]) {
    if (message.index > index) break;
    inflights.bytes -= message.bytes;
    at += 1;
  }
  inflights.start = at;
  // Freed messages are dropped only when they are at least half of the array: the cost per message stays constant.
  if (at * 2 < messages.length) return;
  inflights.messages = messages.slice(at);
  inflights.start = 0;
}

export function resetInflights(inflights: Inflights): void {
  inflights.messages = [];
  inflights.start = 0;
  inflights.bytes = 0;
}
