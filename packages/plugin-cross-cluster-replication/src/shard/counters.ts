/** Counters of reads by followers of one leader shard, for `leader_stats`. They live in the copy and are lost with it. */
import type { ShardCopy } from "@orrery/shard-worker";
import type { ValueKey } from "@orrery/stdx";

/** Operations and bytes that followers have read from one shard copy, and the time it took. */
export interface LeaderCounters {
  operationsRead: number;
  bytesRead: number;
  readMs: number;
  /** Wall-clock time of the last read; 0: never. */
  lastReadAtMs: number;
}

const counters: ValueKey<LeaderCounters> = {
  name: "counters of a leader's shard",
  create: () => ({ operationsRead: 0, bytesRead: 0, readMs: 0, lastReadAtMs: 0 }),
};

/** The read counters of a shard copy. */
export function countersOf({ kept }: ShardCopy): LeaderCounters {
  return kept.of(counters);
}
