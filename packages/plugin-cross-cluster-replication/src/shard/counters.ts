/** What a leader's shard has given to followers, for `leader_stats`; gone with the copy. */
import type { ShardCopy } from "@orrery/shard-worker";
import type { ValueKey } from "@orrery/stdx";

export interface LeaderCounters {
  operationsRead: number;
  bytesRead: number;
  readMs: number;
  /** Wall clock; 0: never. */
  lastReadAtMs: number;
}

const counters: ValueKey<LeaderCounters> = {
  name: "counters of a leader's shard",
  create: () => ({ operationsRead: 0, bytesRead: 0, readMs: 0, lastReadAtMs: 0 }),
};

export function countersOf({ kept }: ShardCopy): LeaderCounters {
  return kept.of(counters);
}
