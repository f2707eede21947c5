/** The expected size of a copy (`DiskThresholdDecider.getExpectedShardSize`). */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "./allocation.ts";
import { shardSizeKey } from "./keys.ts";

/** The expected size of a copy in bytes; 0 when no size is known. */
export function expectedSize({ inputs, state }: Allocation, copy: ShardRouting): number {
  const sizes = inputs.info?.shardSizes;
  if (sizes === undefined) return 0;
  const source = copy.recoverySource;
  if (source?.type === "LOCAL_SHARDS") {
    const origin = state.metadata.indices.get(source.sourceIndex);
    const shard = copy.shard % (origin?.numberOfShards ?? 1);
    return sizes.get(shardSizeKey({ index: source.sourceIndex, shard, primary: true })) ?? 0;
  }
  const own = sizes.get(shardSizeKey(copy));
  return own ?? sizes.get(shardSizeKey({ ...copy, primary: true })) ?? 0;
}
