/** What a copy does later: armed when there is a reason, at most once each, gone when the copy closes. */
import type { ShardCopy } from "./shard-copy.ts";

export function arm(copy: ShardCopy, name: string, delayMs: number, run: () => void): void {
  if (copy.timers.has(name) || copy.state === "CLOSED" || delayMs < 0) return;
  const cancel = copy.worker.clock.setTimer(delayMs, () => {
    copy.timers.delete(name);
    if (copy.state !== "CLOSED") run();
  });
  copy.timers.set(name, cancel);
}

export function disarmAll(copy: ShardCopy): void {
  for (const cancel of copy.timers.values()) cancel();
  copy.timers.clear();
}
