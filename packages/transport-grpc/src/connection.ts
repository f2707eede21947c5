/** One connection over one gRPC stream, the same for the end that opened it and the end that accepted it. */
import {
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { assert } from "@orrery/stdx";
import { createOutbox } from "./outbox.ts";
import type { Packet } from "./packet.ts";

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
  let linger: NodeJS.Timeout | undefined;

  const outbox = createOutbox({
    queueBytes: options.queueBytes,
    write: (frame, done) => stream.write({ frame }, done),
    onDrain: () => void (isClosed || events?.onDrain?.()),
  });

  const finish = (reason: string): void => {
    isClosed = true;
    outbox.discard();
    queueMicrotask(() => events?.onClose(reason));
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
      for (const frame of packet.frame) {
        if (isClosed) return;
        // Small frames share a buffer with strangers, and who keeps one would keep them all.
        events?.onFrame(frame.length < sharedBytes ? frame.slice() : frame);
      }
    },
    lost(reason) {
      clearTimeout(linger);
      options.onOver();
      if (!isClosed) finish(reason);
    },
  };
}
