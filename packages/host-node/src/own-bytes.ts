/** Bytes of a message are the receiver's to keep: in a buffer that holds nothing else. */
import type { WorkerMessage } from "@orrery/ports";

/** Frames are handed over with their buffer when it holds nothing else; a state goes to several workers. */
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

function isWhole({ buffer, byteLength }: Uint8Array): boolean {
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
}
