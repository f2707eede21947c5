/** What was put with the sending of a message, for its delivery or loss. */
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
  /** Of equal messages the oldest first; where none is left, a repeat has what the last one had. */
  take(event: MessageEvent): T | undefined;
}

interface Box<T> {
  readonly waiting: T[];
  last: T | undefined;
}

export function createMail<T>(): Mail<T> {
  const boxes = new Map<string, Box<T>>();
  const boxOf = (event: MessageEvent): Box<T> => {
    const { from, to, action, correlationId, frameKind, sizeBytes } = event;
    const key = [from, to, action, correlationId, frameKind, sizeBytes].join("|");
    const box = boxes.get(key) ?? { waiting: [], last: undefined };
    boxes.set(key, box);
    return box;
  };
  return {
    put: (event, thing) => void boxOf(event).waiting.push(thing),
    take: (event) => {
      const box = boxOf(event);
      if (box.waiting.length > 0) box.last = box.waiting.shift();
      return box.last;
    },
  };
}
