/**
 * The two ends of a connection inside a process. A frame is copied into the other end's bounded inbox and delivered
 * in a later turn, so the ends share no memory, and `send` never delivers during its call.
 *
 * After a close the other end still receives all frames sent before it; the closing end receives no more.
 */
import {
  maxFrameBytes,
  type ChannelClass,
  type Connection,
  type ConnectionEvents,
} from "@orrery/ports";
import { assert, createBoundedQueue } from "@orrery/stdx";

/** Runs a task in a later turn; tasks run in the order they were scheduled. */
export type Schedule = (task: () => void) => void;

export interface EndOptions {
  readonly channel: ChannelClass;
  readonly remote: string;
  readonly queueBytes: number;
  readonly schedule: Schedule;
  /** Called when the end has closed, before its `onClose` event. */
  readonly onClosed: (end: End) => void;
}

/** One end of a connection, as the hub sees it. */
export interface End {
  readonly connection: Connection;
  readonly isClosed: boolean;
  /** Sets the receiver of events, before `open`. */
  attach(events: ConnectionEvents): void;
  /** Establishes the connection at this end in a later turn; frames are delivered from then on. */
  open(): void;
  /** Closes this end of a connection that was not established. */
  refuse(reason: string): void;
}

/** The operations of an end that the other end calls. */
interface Peer {
  take(frame: Uint8Array): "accepted" | "full";
  drained(): void;
  closing(): void;
}

/** The two ends of a new connection, the near one at the connecting node. */
export function createPair(near: EndOptions, far: EndOptions): readonly [End, End] {
  const [first, firstPeer] = createEnd(near, () => secondPeer);
  const [second, secondPeer] = createEnd(far, () => firstPeer);
  return [first, second];
}

function createEnd(options: EndOptions, peer: () => Peer): readonly [End, Peer] {
  const { schedule } = options;
  const inbox = createBoundedQueue<Uint8Array>(options.queueBytes);
  let events: ConnectionEvents | undefined;
  let state: "waiting" | "open" | "closed" = "waiting";
  let isPeerClosed = false;
  let isPumping = false;
  /** The other end's `send` has returned `full`: it must be notified of room. */
  let owesDrain = false;

  const isClosed = (): boolean => state === "closed";

  const finish = (reason: string): void => {
    if (isClosed()) return;
    state = "closed";
    inbox.clear();
    options.onClosed(end);
    schedule(() => events?.onClose(reason));
  };

  const pump = (): void => {
    isPumping = false;
    for (let left = inbox.size; left > 0 && !isClosed(); left -= 1) {
      const frame = inbox.take();
      if (frame === undefined) break;
      if (owesDrain && inbox.weight <= options.queueBytes / 2) {
        owesDrain = false;
        peer().drained();
      }
      events?.onFrame(frame);
    }
    if (isClosed()) return;
    if (inbox.size > 0) wake();
    else if (isPeerClosed) finish(`closed by [${options.remote}]`);
  };

  const wake = (): void => {
    if (isPumping || state !== "open") return;
    isPumping = true;
    schedule(pump);
  };

  const end: End = {
    connection: {
      channel: options.channel,
      remote: options.remote,
      send(frame) {
        assert(frame.length <= maxFrameBytes, `a frame of ${frame.length} bytes is too large`);
        return isClosed() ? "accepted" : peer().take(frame);
      },
      close() {
        if (isClosed()) return;
        finish("closed by this node");
        peer().closing();
      },
    },
    get isClosed() {
      return isClosed();
    },
    attach(receiver) {
      events = receiver;
    },
    open() {
      schedule(() => {
        if (state !== "waiting") return;
        state = "open";
        events?.onOpen?.();
        if (inbox.size > 0 || isPeerClosed) wake();
      });
    },
    refuse: finish,
  };
  return [
    end,
    {
      take(frame) {
        if (isClosed()) return "accepted";
        if (!inbox.offer(frame.slice(), frame.length)) {
          owesDrain = true;
          return "full";
        }
        wake();
        return "accepted";
      },
      drained: () => schedule(() => void (isClosed() || events?.onDrain?.())),
      closing() {
        isPeerClosed = true;
        wake();
      },
    },
  ];
}
