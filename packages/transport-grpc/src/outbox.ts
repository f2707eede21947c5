/**
 * The bounded queue of outgoing frames; the frames of one turn leave as one packet.
 *
 * A frame counts against the bound until the stream has passed it on, so a peer that does not read fills the queue.
 */
import { createBoundedQueue } from "@orrery/stdx";

/** The outgoing frames of one connection. */
export interface Outbox {
  send(frame: Uint8Array): "accepted" | "full";
  /** The connection is established: queued frames are sent. */
  open(): void;
  /** Writes all queued frames at once, even above the limit of bytes in flight; called before the stream ends. */
  drain(): void;
  /** Drops queued frames. */
  discard(): void;
}

export interface OutboxOptions {
  readonly queueBytes: number;
  /** Writes a packet; `done` is called when the stream has passed it on. */
  readonly write: (frames: readonly Uint8Array[], done: () => void) => void;
  /** Called when, after a `full`, the queue is at most half full again. */
  readonly onDrain: () => void;
}

/** No frame is added to a packet of at least this size: large frames travel alone. */
const packetBytes = 64 * 1024;
/** Limit of bytes in the stream's own buffers. */
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
