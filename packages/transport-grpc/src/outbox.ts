/**
 * Frames on their way out: bounded, and those of one turn leave as one packet.
 *
 * A frame weighs on the queue until the stream has passed it on, so a peer that does not read is felt as `full`.
 */
import { createBoundedQueue } from "@orrery/stdx";

export interface Outbox {
  send(frame: Uint8Array): "accepted" | "full";
  /** The connection can carry frames from now on. */
  open(): void;
  /** Hands out all that waits, room or not: the last packets before an end. */
  drain(): void;
  discard(): void;
}

export interface OutboxOptions {
  readonly queueBytes: number;
  /** Writes a packet; calls back when it has left. */
  readonly write: (frames: readonly Uint8Array[], done: () => void) => void;
  readonly onDrain: () => void;
}

/** A packet is closed once it holds this much: large frames travel alone. */
const packetBytes = 64 * 1024;
/** How much may be in the stream's own buffers at once. */
const inFlightBytes = 1024 * 1024;

export function createOutbox(options: OutboxOptions): Outbox {
  const queue = createBoundedQueue<Uint8Array>(options.queueBytes);
  let inFlight = 0;
  let isOpen = false;
  let isScheduled = false;
  let wasFull = false;

  const writePacket = (): void => {
    const frames: Uint8Array[] = [];
    const before = queue.weight;
    while (before - queue.weight < packetBytes) {
      const frame = queue.take();
      if (frame === undefined) break;
      frames.push(frame);
    }
    const weight = before - queue.weight;
    inFlight += weight;
    options.write(frames, () => left(weight));
  };

  const flush = (): void => {
    isScheduled = false;
    while (isOpen && queue.size > 0 && inFlight < inFlightBytes) writePacket();
  };

  const left = (weight: number): void => {
    inFlight -= weight;
    flush();
    if (!wasFull || queue.weight > options.queueBytes / 2) return;
    wasFull = false;
    options.onDrain();
  };

  const schedule = (): void => {
    if (isScheduled || !isOpen || queue.size === 0) return;
    isScheduled = true;
    setImmediate(flush);
  };

  return {
    send(frame) {
      if (!queue.offer(frame, frame.length)) {
        wasFull = true;
        return "full";
      }
      schedule();
      return "accepted";
    },
    open() {
      isOpen = true;
      schedule();
    },
    drain() {
      while (isOpen && queue.size > 0) writePacket();
    },
    discard() {
      isOpen = false;
      queue.clear();
    },
  };
}
