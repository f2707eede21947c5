/** Bytes of a message are the receiver's to keep: copied out of whatever buffer they were a part of. */
import type { WorkerMessage } from "@orrery/ports";

/** The message with bytes that are the receiver's, in buffers that hold nothing else. */
export function ownBytes(message: WorkerMessage): WorkerMessage {
  switch (message.kind) {
    case "frame":
    case "send":
      return { ...message, frame: message.frame.slice() };
    case "state":
      return { ...message, slice: message.slice.slice() };
    default:
      return message;
  }
}
