/**
 * Queue of one direction of a connection while a rule delays it: frames leave in order, none before
 * its time, and none while a rule holds the pipe.
 */
import type { Clock } from "@orrery/ports";

export interface Pipe {
  readonly isEmpty: boolean;
  readonly bytes: number;
  put(frame: Uint8Array, times: { readonly delayMs: number; readonly busyMs: number }): void;
  /** Appends the end of the connection behind the queued frames. */
  end(reason: string): void;
  /** Delivers all frames that are due; called when a rule that held the pipe may have ended. */
  pump(): void;
  clear(): void;
}

export interface PipeOptions {
  readonly clock: Clock;
  readonly isHeld: () => boolean;
  /**
   * `full`: the frame was not accepted and stays first; the caller calls `pump` when there is room.
   */
  readonly deliver: (frame: Uint8Array) => "accepted" | "full";
  readonly onEnd: (reason: string) => void;
}

interface Item {
  readonly readyAtMs: number;
  /** `undefined` marks the end of the connection. */
  readonly frame: Uint8Array | undefined;
  readonly reason: string;
}

export function createPipe({ clock, isHeld, deliver, onEnd }: PipeOptions): Pipe {
  const items: Item[] = [];
  let bytes = 0;
  let readyAtMs = 0;
  let isPumping = false;
  let cancelTimer: (() => void) | undefined;

  const take = (item: Item): boolean => {
    if (item.frame === undefined) {
      items.shift();
      onEnd(item.reason);
      return true;
    }
    if (deliver(item.frame) === "full") return false;
    // Delivery may have closed the connection and cleared this pipe.
    if (items[0] !== item) return true;
    items.shift();
    bytes -= item.frame.length;
    return true;
  };

  const pump = (): void => {
    if (isPumping) return;
    isPumping = true;
    cancelTimer?.();
    cancelTimer = undefined;
    for (let item = items[0]; item !== undefined && !isHeld(); item = items[0]) {
      const leftMs = item.readyAtMs - clock.monotonicMs();
      if (leftMs > 0) {
        cancelTimer = clock.setTimer(leftMs, pump);
        break;
      }
      if (!take(item)) break;
    }
    isPumping = false;
  };

  const add = (frame: Uint8Array | undefined, reason: string): void => {
    items.push({ readyAtMs, frame, reason });
    bytes += frame?.length ?? 0;
    pump();
  };

  return {
    get isEmpty() {
      return items.length === 0;
    },
    get bytes() {
      return bytes;
    },
    put: (frame, { delayMs, busyMs }) => {
      readyAtMs = Math.max(readyAtMs, clock.monotonicMs() + delayMs) + busyMs;
      add(frame.slice(), "");
    },
    end: (reason) => add(undefined, reason),
    pump,
    clear: () => {
      cancelTimer?.();
      cancelTimer = undefined;
      items.length = 0;
      bytes = 0;
    },
  };
}
