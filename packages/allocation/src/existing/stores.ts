/** Store data of a shard, as far as nodes have answered (`AsyncShardFetch`). */
import type { ShardRouting } from "@orrery/cluster-state";
import type { Allocation } from "../allocation.ts";
import { shardKey } from "../keys.ts";
import type { StoredCopy } from "../types.ts";

/**
 * The copies of a shard on the disks of data nodes; `undefined` while an answer is missing. Missing answers are
 * requested through the result of the round, which then does not rebalance.
 */
export function storesOf(
  allocation: Allocation,
  copy: ShardRouting,
): readonly StoredCopy[] | undefined {
  const key = shardKey(copy.index, copy.shard);
  const known = allocation.inputs.shardStores?.get(key);
  const stores = copy.primary && known?.hadPrimary === true ? undefined : known;
  const live = [...allocation.routing.nodes.keys()];
  const answered = new Set(stores?.answeredNodeIds);
  const missing = live.filter((nodeId) => !answered.has(nodeId));
  if (missing.length === 0) return stores?.copies ?? [];
  const pending = new Set(stores?.pendingNodeIds);
  const toAsk = missing.filter((nodeId) => !pending.has(nodeId));
  if (toAsk.length > 0) {
    allocation.needs.set(key, { index: copy.index, shard: copy.shard, nodeIds: toAsk });
  }
  allocation.hasPendingFetch = true;
  return undefined;
}

/** Whether data nodes have been asked for their copies of the shard. */
export function hasAskedStores({ inputs }: Allocation, copy: ShardRouting): boolean {
  return inputs.shardStores?.has(shardKey(copy.index, copy.shard)) === true;
}
