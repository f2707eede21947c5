/**
 * Sent messages that await their delivery or drop, each with a value that the sender's event
 * stored.
 */
import type { RecordedEvent } from "../types.ts";

export type MessageEvent = Extract<
  RecordedEvent,
  { readonly kind: "message-sent" | "message-delivered" | "message-dropped" }
>;

export function isMessage(event: RecordedEvent): event is MessageEvent {
  return event.kind.startsWith("message-");
}

export interface SentMessages<T> {
  put(event: MessageEvent, value: T): void;
  /**
   * Removes and returns the value of the oldest equal message; a duplicate delivery gets the value
   * of the last one. `undefined` if the message was never sent.
   */
  take(event: MessageEvent): T | undefined;
}

interface Queue<T> {
  readonly waiting: T[];
  last: T | undefined;
}

export function createSentMessages<T>(): SentMessages<T> {
  const queues = new Map<string, Queue<T>>();
  const keyOf = (event: MessageEvent): string => {
    const { from, to, action, correlationId, frameKind, sizeBytes } = event;
    return [from, to, action, correlationId, frameKind, sizeBytes].join("|");
  };
  return {
    put: (event, value) => {
      const key = keyOf(event);
      const queue = queues.get(key);
      if (queue === undefined) queues.set(key, { waiting: [value], last: undefined });
      else queue.waiting.push(value);
    },
    take: (event) => {
      const key = keyOf(event);
      const queue = queues.get(key);
      if (queue === undefined) return undefined;
      if (queue.waiting.length > 0) queue.last = queue.waiting.shift();
      // Frames with a response are never duplicated, and correlation ids never repeat: keeping
      // their entries would grow without bound.
      if (event.correlationId !== 0 && queue.waiting.length === 0) queues.delete(key);
      return queue.last;
    },
  };
}
