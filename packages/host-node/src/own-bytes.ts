/** Ownership of the bytes in a message: the receiver gets them in a buffer that it shares with no other bytes. */
import type { WorkerMessage } from "@orrery/ports";
import type { Transferable } from "node:worker_threads";

/**
 * The message with bytes of its own. A frame that fills its buffer is passed as it is; states are copied, since
 * several workers get the same one.
 */
export function ownBytes(message: WorkerMessage): WorkerMessage {
  switch (message.kind) {
    case "frame":
    case "send":
      return isWhole(message.frame) ? message : { ...message, frame: message.frame.slice() };
    case "state":
      return { ...message, slice: message.slice.slice() };
    case "state-change":
      return { ...message, change: message.change.slice() };
    default:
      return message;
  }
}

/**
 * The buffers that are transferred to the receiving thread instead of being copied: that of the message's frame or
 * whole state; none for other messages.
 */
export function transferables(message: WorkerMessage): readonly Transferable[] {
  const bytes = "frame" in message ? message.frame : "slice" in message ? message.slice : undefined;
  return bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}

function isWhole({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
