/**
 * Named timers of a copy: each is armed at most once, when there is a reason for it, and none outlives the copy. A
 * copy without work has no timers but those of the primary.
 */
import type { ShardCopy } from "./shard-copy.ts";

/**
 * Arms a timer of the copy; `run` is called once, unless the copy is closed before. No effect while a timer of this
 * name is armed, or for a negative delay: -1 is the setting of a refresh interval that is turned off.
 */
export function arm(copy: ShardCopy, name: string, delayMs: number, run: () => void): void {
  if (copy.timers.has(name) || copy.state === "CLOSED" || delayMs < 0) return;
  const cancel = copy.worker.clock.setTimer(delayMs, () => {
    copy.timers.delete(name);
    if (copy.state !== "CLOSED") run();
  });
  copy.timers.set(name, cancel);
}

/** Cancels every timer of the copy. */
export function disarmAll(copy: ShardCopy): void {
  for (const cancel of copy.timers.values()) cancel();
  copy.timers.clear();
}
