/** Two endpoints joined by a wire the test holds in its hands, and a clock that only the test moves. */
import type { NodeId } from "@orrery/stdx";
import {
  createEndpoint,
  decodeFrame,
  type Clock,
  type Endpoint,
  type Frame,
  type PostResult,
  type RequestName,
} from "../src/index.ts";

export interface Wire {
  readonly a: Endpoint;
  readonly b: Endpoint;
  /** Every frame that was posted or answered, in order. */
  readonly log: Frame[];
  /** Requests whose answers were not read, as they were told. */
  readonly unread: readonly RequestName[];
  /** Failed assertions of handlers, as they were told. */
  readonly broken: readonly Error[];
  /** What `post` of `a` answers from now on. */
  postResult: PostResult;
  /** Frames on their way. */
  readonly inFlight: number;
  /** The most bytes that were on their way at once. */
  readonly mostInFlightBytes: number;
  /** Delivers until nothing is on its way, or `until` holds; promises of handlers go on in between. */
  run(until?: () => boolean): Promise<void>;
  /** Takes the frames for which `isLost` holds off the wire. */
  lose(isLost: (frame: Frame) => boolean): void;
  advance(ms: number): void;
}

export const idA = "node-a" as NodeId;
export const idB = "node-b" as NodeId;

export function createWire(): Wire {
  const log: Frame[] = [];
  const unread: RequestName[] = [];
  const broken: Error[] = [];
  const queue: { readonly to: NodeId; readonly bytes: Uint8Array }[] = [];
  const { clock, advance } = manualClock();
  let mostInFlightBytes = 0;

  const put = (to: NodeId, bytes: Uint8Array): void => {
    log.push(decodeFrame(bytes));
    queue.push({ to, bytes });
    const held = queue.reduce((sum, item) => sum + item.bytes.length, 0);
    mostInFlightBytes = Math.max(mostInFlightBytes, held);
  };
  const endpoint = (localNodeId: NodeId, other: NodeId): Endpoint =>
    createEndpoint({
      localNodeId,
      endpoint: 0,
      clock,
      post: (to, _channel, frame) => {
        if (localNodeId === idA && wire.postResult !== "sent") return wire.postResult;
        put(to, frame);
        return "sent";
      },
      answer: (reply, frame) => put(reply === 1 ? other : localNodeId, frame),
      onUnread: (request) => unread.push(request),
      onFailedAssertion: (error) => broken.push(error),
    });

  const wire = {
    a: endpoint(idA, idB),
    b: endpoint(idB, idA),
    log,
    unread,
    broken,
    postResult: "sent" as PostResult,
    get inFlight() {
      return queue.length;
    },
    get mostInFlightBytes() {
      return mostInFlightBytes;
    },
    lose(isLost: (frame: Frame) => boolean) {
      const kept = queue.filter(({ bytes }) => !isLost(decodeFrame(bytes)));
      queue.splice(0, queue.length, ...kept);
    },
    async run(until: () => boolean = () => false) {
      for (let idle = 0; idle < 20; idle += 1) {
        await Promise.resolve();
        if (until()) return;
        const next = queue.shift();
        if (next === undefined) continue;
        idle = 0;
        const frame = decodeFrame(next.bytes);
        // 1: from the other node; 0: from this one.
        (next.to === idA ? wire.a : wire.b).receive(frame, frame.from === next.to ? 0 : 1);
      }
    },
    advance,
  };
  return wire;
}

function manualClock(): { readonly clock: Clock; readonly advance: (ms: number) => void } {
  let nowMs = 0;
  const timers = new Set<{ readonly atMs: number; readonly callback: () => void }>();
  const clock: Clock = {
    nowMs: () => nowMs,
    monotonicMs: () => nowMs,
    setTimer(delayMs, callback) {
      const timer = { atMs: nowMs + delayMs, callback };
      timers.add(timer);
      return () => timers.delete(timer);
    },
  };
  const advance = (ms: number): void => {
    nowMs += ms;
    for (const timer of [...timers]) {
      if (timer.atMs > nowMs || !timers.delete(timer)) continue;
      timer.callback();
    }
  };
  return { clock, advance };
}
