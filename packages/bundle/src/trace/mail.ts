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

export interface Mail<T> {
  put(event: MessageEvent, thing: T): void;
  /**
   * Removes and returns the value of the oldest equal message; a duplicate delivery gets the value
   * of the last one. `undefined` if the message was never sent.
   */
  take(event: MessageEvent): T | undefined;
}

interface Box<T> {
  readonly waiting: T[];
  last: T | undefined;
}

export function createMail<T>(): Mail<T> {
  const boxes = new Map<string, Box<T>>();
  const keyOf = (event: MessageEvent): string => {
    const { from, to, action, correlationId, frameKind, sizeBytes } = event;
    return [from, to, action, correlationId, frameKind, sizeBytes].join("|");
  };
  return {
    put: (event, thing) => {
      const key = keyOf(event);
      const box = boxes.get(key);
      if (box === undefined) boxes.set(key, { waiting: [thing], last: undefined });
      else box.waiting.push(thing);
    },
    take: (event) => {
      const key = keyOf(event);
      const box = boxes.get(key);
      if (box === undefined) return undefined;
      if (box.waiting.length > 0) box.last = box.waiting.shift();
      // Frames with a response are never duplicated, and correlation ids never repeat: keeping
      // their entries would grow without bound.
      if (event.correlationId !== 0 && box.waiting.length === 0) boxes.delete(key);
      return box.last;
    },
  };
}
