/** Disk usages and shard sizes as `include_disk_info` prints them. Source: `ClusterInfo.toXContent`. */
import type { JsonObject } from "@orrery/stdx";
import type { Allocation } from "./allocation.ts";

export function printClusterInfo({ inputs, state }: Allocation): JsonObject {
  const { info } = inputs;
  const nodes = [...(info?.diskUsages ?? [])].map(([nodeId, usage]) => {
    const used = usage.totalBytes - usage.freeBytes;
    const percent = (bytes: number): number =>
      usage.totalBytes === 0 ? 0 : Math.round((bytes / usage.totalBytes) * 1000) / 10;
    const figures = {
      path: usage.path,
      total_bytes: usage.totalBytes,
      used_bytes: used,
      free_bytes: usage.freeBytes,
      free_disk_percent: percent(usage.freeBytes),
      used_disk_percent: percent(used),
    };
    const node_name = state.nodes.get(nodeId)?.name ?? nodeId;
    return [nodeId, { node_name, least_available: figures, most_available: figures }] as const;
  });
  const sizes = [...(info?.shardSizes ?? [])].map(([key, bytes]) => [`${key}_bytes`, bytes]);
  const reserved = [...(info?.reservedBytes ?? [])].map(([node_id, total]) => ({
    node_id,
    total,
  }));
  return {
    nodes: Object.fromEntries(nodes),
    shard_sizes: Object.fromEntries(sizes),
    shard_paths: {},
    reserved_sizes: reserved,
  };
}
