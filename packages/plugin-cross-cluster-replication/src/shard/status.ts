/** Statistics of a leader shard for `leader_stats`. */
import { engineOf, type ShardCopy } from "@orrery/shard-worker";
import { utf8Encode } from "@orrery/stdx";
import { LEASE_PREFIX } from "../names.ts";
import { countersOf, type LeaderCounters } from "./counters.ts";

/** Statistics of one leader shard; `isFollowed`: a follower holds a lease on it. */
export interface LeaderShardStats extends LeaderCounters {
  readonly index: string;
  readonly shard: number;
  readonly isFollowed: boolean;
  readonly translogBytes: number;
}

/** Reports the statistics of a leader shard copy as JSON text. */
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
