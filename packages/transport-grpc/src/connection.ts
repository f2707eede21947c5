/** One connection over one gRPC stream, the same for the end that opened it and the end that accepted it. */
import {
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { assert, wordsOf } from "@orrery/stdx";
import { createOutbox } from "./outbox.ts";
import type { Packet } from "./packet.ts";
import { createFrameReader, packetsOf } from "./pieces.ts";

/** What a connection needs of either end's stream. */
export interface Stream {
  write(packet: Packet, done: () => void): void;
  /** Sends what was written, then ends. */
  end(): void;
  /** Breaks it off. */
  cancel(): void;
}

export interface StreamConnection {
  readonly connection: Connection;
  attach(events: ConnectionEvents): void;
  opened(): void;
  received(packet: Packet): void;
  /** The stream is over. Only the first call counts. */
  lost(reason: string): void;
}

export interface ConnectionOptions {
  readonly channel: ChannelClass;
  readonly remote: string;
  readonly stream: Stream;
  readonly queueBytes: number;
  /** Frames of the other end before the handshake is over. */
  readonly openingFrames: number;
  /** The stream is over, which may be a while after the close. */
  readonly onOver: () => void;
}

/** A peer that takes longer to read the last frames does not get them. */
const lingerMs = 1000;
/** A frame of at least this size came in a buffer of its own. */
const sharedBytes = 64 * 1024;

export function createConnection(options: ConnectionOptions): StreamConnection {
  const { stream } = options;
  let events: ConnectionEvents | undefined;
  let isClosed = false;
  let isOpened = false;
  let isOver = false;
  let linger: NodeJS.Timeout | undefined;

  const reader = createFrameReader(options.openingFrames);
  const outbox = createOutbox({
    queueBytes: options.queueBytes,
    write: (frames, done) => {
      const packets = packetsOf(frames);
      for (const [i, packet] of packets.entries())
        stream.write(packet, i === packets.length - 1 ? done : notYet);
    },
    onDrain: () => void (isClosed || events?.onDrain?.()),
  });

  const finish = (reason: string): void => {
    isClosed = true;
    outbox.discard();
    queueMicrotask(() => events?.onClose(reason));
  };

  /** Broken off: what comes is of no node. */
  const breakOff = (why: string): void => {
    if (isClosed) return;
    finish(`connection to [${options.remote}] broken off: ${why}`);
    stream.cancel();
  };

  const framesOf = (packet: Packet): readonly Uint8Array[] => {
    try {
      return reader.take(packet);
    } catch (error) {
      breakOff(wordsOf(error));
      return [];
    }
  };

  return {
    connection: {
      channel: options.channel,
      remote: options.remote,
      send(frame) {
        assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
        return isClosed ? "accepted" : outbox.send(frame);
      },
      close() {
        if (isClosed) return;
        if (isOpened) {
          outbox.drain();
          stream.end();
          linger = setTimeout(() => stream.cancel(), lingerMs).unref();
        } else {
          stream.cancel();
        }
        finish("closed by this node");
      },
    },
    attach(receiver) {
      events = receiver;
    },
    opened() {
      if (isClosed) return;
      isOpened = true;
      outbox.open();
      events?.onOpen?.();
    },
    received(packet) {
      if (isClosed) return;
      for (const frame of framesOf(packet)) {
        if (isClosed) return;
        // Small frames share a buffer with strangers, and who keeps one would keep them all.
        events?.onFrame(frame.length < sharedBytes ? frame.slice() : frame);
      }
    },
    lost(reason) {
      if (isOver) return;
      isOver = true;
      clearTimeout(linger);
      options.onOver();
      if (!isClosed) finish(reason);
    },
  };
}

/** Of a packet before the last one of its frames. */
function notYet(): void {}
