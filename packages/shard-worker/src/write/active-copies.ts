/**
 * `wait_for_active_shards` (`ActiveShardCount`): a check before the write begins; it promises nothing about the
 * copies that the write reaches.
 */
import { isActive } from "@orrery/cluster-state";
import { formatDuration, type Problem } from "@orrery/stdx";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";

/**
 * The problem of a write for which too few copies are active; `undefined`: enough are. An empty `waitForActiveShards`
 * of the request stands for the setting of the index.
 */
export function checkActiveCopies(
  copy: ShardCopy,
  request: { readonly waitForActiveShards: string; readonly timeoutMs: number },
): Problem | undefined {
  const wanted = request.waitForActiveShards || copy.service.settings.waitForActiveShards;
  if (wanted === "0" || wanted === "1") return undefined;
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const active = rows.filter(isActive).length;
  const needed = wanted === "all" ? copy.service.metadata.numberOfReplicas + 1 : Number(wanted);
  if (active >= needed) return undefined;
  const shown = wanted === "all" ? "ALL" : wanted;
  const reason = `${shardName(copy)} Not enough active copies to meet shard count of [${shown}] (have ${active}, needed ${needed}). Timeout: [${formatDuration(request.timeoutMs)}]`;
  return { type: "unavailable_shards_exception", reason, status: 503, isRetryable: true };
}
