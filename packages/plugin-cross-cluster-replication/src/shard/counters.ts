/** What a leader's shard has given to followers, for `leader_stats`; gone with the copy. */
import type { ShardCopy } from "@orrery/shard-worker";

export interface LeaderCounters {
  operationsRead: number;
  bytesRead: number;
  readMs: number;
  /** Wall clock; 0: never. */
  lastReadAtMs: number;
}

const counters = new WeakMap<ShardCopy, LeaderCounters>();

export function countersOf(copy: ShardCopy): LeaderCounters {
  let known = counters.get(copy);
  if (known === undefined) {
    known = { operationsRead: 0, bytesRead: 0, readMs: 0, lastReadAtMs: 0 };
    counters.set(copy, known);
  }
  return known;
}
