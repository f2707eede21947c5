/**
 * Frames between the threads of a node, packed many to a message: a message costs the same for one frame as for ten.
 *
 * A frame waits for further ones until the current turn of the thread ends. During heavy work, which shows in the
 * time since the last frame, it is sent at once. Messages of other kinds are sent at once, behind the frames before
 * them.
 */
import type { WorkerMessage } from "@orrery/ports";
import type { Transferable } from "node:worker_threads";
import { ownBytes } from "./own-bytes.ts";

/** Several frames in one buffer: for each, connection and length as 32 bits, then the bytes. */
interface PackedFrames {
  readonly kind: "packed";
  readonly frames: Uint8Array;
}

export type ThreadMessage = WorkerMessage | PackedFrames;

/** A larger frame is sent alone, and its memory is transferred. */
const MOST_BYTES_PACKED = 4096;

/** Time between two frames that shows the thread to be at heavy work. */
const HEAVY_MS = 0.25;

const HEAD_BYTES = 8;

type Frame = WorkerMessage & { readonly kind: "frame" };

/** The sending side of a thread's channel. */
export interface FrameSender {
  post(message: WorkerMessage): void;
}

export function createFrameSender(
  send: (message: ThreadMessage, transfer: readonly Transferable[]) => void,
): FrameSender {
  let waiting: Frame[] = [];
  let lastMs = 0;
  let isFlushDue = false;

  const sendAlone = (message: WorkerMessage): void => {
    const own = ownBytes(message);
    send(own, transferables(own));
  };

  const flush = (): void => {
    isFlushDue = false;
    const [first, second] = waiting;
    if (first === undefined) return;
    if (second === undefined) sendAlone(first);
    else {
      const frames = pack(waiting);
      send({ kind: "packed", frames }, [frames.buffer]);
    }
    waiting = [];
  };

  return {
    post(message) {
      if (message.kind !== "frame" || message.frame.length > MOST_BYTES_PACKED) {
        flush();
        sendAlone(message);
        return;
      }
      waiting.push(message);
      const nowMs = performance.now();
      const isHeavy = nowMs - lastMs > HEAVY_MS;
      lastMs = nowMs;
      if (isHeavy) flush();
      else if (!isFlushDue) {
        isFlushDue = true;
        setImmediate(flush);
      }
    },
  };
}

/** Unpacks a message for its receiver. */
export function receiveFrames(
  message: ThreadMessage,
  receive: (message: WorkerMessage) => void,
): void {
  if (message.kind === "packed") for (const frame of unpack(message.frames)) receive(frame);
  else receive(message);
}

function pack(frames: readonly Frame[]): Uint8Array<ArrayBuffer> {
  const bytes = frames.reduce((sum, { frame }) => sum + HEAD_BYTES + frame.length, 0);
  const packed = new Uint8Array(bytes);
  const view = new DataView(packed.buffer);
  let at = 0;
  for (const { connection, frame } of frames) {
    view.setUint32(at, connection);
    view.setUint32(at + 4, frame.length);
    packed.set(frame, at + HEAD_BYTES);
    at += HEAD_BYTES + frame.length;
  }
  return packed;
}

function unpack(packed: Uint8Array): readonly Frame[] {
  const view = new DataView(packed.buffer, packed.byteOffset, packed.length);
  const frames: Frame[] = [];
  for (let at = 0; at < packed.length;) {
    const start = at + HEAD_BYTES;
    const end = start + view.getUint32(at + 4);
    frames.push({
      kind: "frame",
      connection: view.getUint32(at),
      frame: packed.subarray(start, end),
    });
    at = end;
  }
  return frames;
}

function transferables(message: WorkerMessage): readonly Transferable[] {
  const bytes = "frame" in message ? message.frame : "slice" in message ? message.slice : undefined;
  return bytes?.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];
}
