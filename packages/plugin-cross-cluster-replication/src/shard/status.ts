/** What `leader_stats` shows of a shard: only one that somebody follows. */
import { engineOf, type ShardCopy } from "@orrery/shard-worker";
import { utf8Encode } from "@orrery/stdx";
import { LEASE_PREFIX } from "../names.ts";
import { countersOf, type LeaderCounters } from "./counters.ts";

export interface LeaderShardStats extends LeaderCounters {
  readonly index: string;
  readonly shard: number;
  readonly isFollowed: boolean;
  readonly translogBytes: number;
}

export async function serveLeaderShard(copy: ShardCopy): Promise<Uint8Array> {
  const stats: LeaderShardStats = {
    ...countersOf(copy),
    index: copy.index,
    shard: copy.shard,
    isFollowed: copy.leases.leases.some(({ id }) => id.startsWith(LEASE_PREFIX)),
    translogBytes: engineOf(copy).translog.sizeBytes,
  };
  return utf8Encode(JSON.stringify(stats));
}
