/** One connection over one gRPC stream, for either end. */
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

/** The operations of a stream that a connection needs, at either end. */
export interface Stream {
  /** `done` is called when the stream has passed the packet on. */
  write(packet: Packet, done: () => void): void;
  /** Ends the stream after everything that was written. */
  end(): void;
  /** Ends the stream at once. */
  cancel(): void;
}

/** A connection, with the methods by which its stream's events reach it. */
export interface StreamConnection {
  readonly connection: Connection;
  /** Sets the receiver of events, before any event. */
  attach(events: ConnectionEvents): void;
  /** The other end is there: waiting frames are sent. */
  opened(): void;
  received(packet: Packet): void;
  /** The stream has ended. Only the first call has an effect. */
  lost(reason: string): void;
}

export interface ConnectionOptions {
  readonly channel: ChannelClass;
  readonly remote: string;
  readonly stream: Stream;
  readonly queueBytes: number;
  /** Number of frames that the other end sends before the handshake has ended. */
  readonly openingFrames: number;
  /** The stream has ended, perhaps some time after `close`. */
  readonly onEnded: () => void;
}

/** Time after `close` for the peer to read the last frames. */
const lingerMs = 1000;
/** A frame of at least this size arrives in a buffer of its own. */
const sharedBytes = 64 * 1024;

export function createConnection(options: ConnectionOptions): StreamConnection {
  const { stream } = options;
  let events: ConnectionEvents | undefined;
  let isClosed = false;
  let isOpened = false;
  let isEnded = false;
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

  /** Ends a connection whose peer does not keep the protocol. */
  const abort = (why: string): void => {
    if (isClosed) return;
    finish(`connection to [${options.remote}] aborted: ${why}`);
    stream.cancel();
  };

  const framesOf = (packet: Packet): readonly Uint8Array[] => {
    try {
      return reader.take(packet);
    } catch (error) {
      abort(wordsOf(error));
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
        // Small frames share a buffer with others, which a frame that is kept would keep alive.
        events?.onFrame(frame.length < sharedBytes ? frame.slice() : frame);
      }
    },
    lost(reason) {
      if (isEnded) return;
      isEnded = true;
      clearTimeout(linger);
      options.onEnded();
      if (!isClosed) finish(reason);
    },
  };
}

/** The callback of all packets but the last one of a write. */
function notYet(): void {}
