/**
 * Two ends of one connection inside a process. A frame is copied into the other end's bounded inbox and taken out in
 * a later turn, so nothing is shared and nothing is delivered during the call of `send`.
 *
 * A close lets the other end have what was sent before it; the end that closes gets nothing more.
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
  /** Called when the end has closed, before its owner hears of it. */
  readonly onClosed: (end: End) => void;
}

export interface End {
  readonly connection: Connection;
  readonly isClosed: boolean;
  /** Who hears of what happens here. */
  attach(events: ConnectionEvents): void;
  /** From now on frames flow. */
  open(): void;
  /** Closes both ends: the connection never came about. */
  refuse(reason: string): void;
}

/** What one end needs of the other. */
interface Peer {
  take(frame: Uint8Array): "accepted" | "full";
  drained(): void;
  closing(): void;
}

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
  /** The other end was told `full` and waits to hear of room. */
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
