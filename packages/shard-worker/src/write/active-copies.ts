/** `wait_for_active_shards`: a look before the write, no promise about it. Source: `ActiveShardCount`. */
import { isActive } from "@orrery/cluster-state";
import { formatDuration, type Problem } from "@orrery/stdx";
import { shardName, type ShardCopy } from "../copy/shard-copy.ts";

export function checkActiveCopies(
  copy: ShardCopy,
  request: {
    readonly waitForActiveShards: string;
    readonly timeoutMs: number;
    readonly items: readonly { readonly operation: string; readonly id: string }[];
    readonly refresh: string;
  },
): Problem | undefined {
  const wanted = request.waitForActiveShards || copy.service.settings.waitForActiveShards;
  if (wanted === "0" || wanted === "1") return undefined;
  const rows = copy.worker.state?.routingTable.get(copy.index)?.shards[copy.shard] ?? [];
  const active = rows.filter(isActive).length;
  const needed = wanted === "all" ? copy.service.metadata.numberOfReplicas + 1 : Number(wanted);
  if (active >= needed) return undefined;
  const name = shardName(copy);
  const refresh = request.refresh === "false" ? "" : " and a refresh";
  const [first] = request.items;
  const what =
    request.items.length === 1 && first !== undefined
      ? `[${first.operation} {[${copy.index}][${first.id}]}]`
      : `[${request.items.length}] requests`;
  const timeout = formatDuration(request.timeoutMs);
  const reason =
    `${name} Not enough active copies to meet shard count of [${wanted}] (have ${active}, needed ${wanted === "all" ? needed : wanted}).` +
    ` Timeout: [${timeout}], request: [BulkShardRequest [${name}] containing ${what}${refresh}]`;
  return { type: "unavailable_shards_exception", reason, status: 503, isRetryable: true };
}
