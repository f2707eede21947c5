/** Shards in the product's texts (`ShardRouting.toString`, `UnassignedInfo.toString`). */
import {
  formatInstant,
  type RecoverySource,
  type ShardRouting,
  type UnassignedInfo,
} from "@orrery/cluster-state";

/** Prints a shard as `[books][0]`. */
export function printShardId({ index, shard }: Pick<ShardRouting, "index" | "shard">): string {
  return `[${index}][${shard}]`;
}

/** Prints a copy as `[books][0], node[…], [P], s[STARTED], a[id=…]`. */
export function printShard(copy: ShardRouting): string {
  const relocating =
    copy.relocatingNodeId === undefined ? "" : `relocating [${copy.relocatingNodeId}], `;
  const parts = [
    `${printShardId(copy)}, node[${copy.nodeId ?? "null"}], ${relocating}[${copy.primary ? "P" : "R"}]`,
  ];
  if (copy.recoverySource !== undefined) {
    parts.push(`recovery_source[${printSource(copy.recoverySource)}]`);
  }
  parts.push(`s[${copy.state}]`);
  if (copy.allocationId !== undefined) {
    const moving = copy.relocationId === undefined ? "" : `, rId=${copy.relocationId}`;
    parts.push(`a[id=${copy.allocationId}${moving}]`);
  }
  if (copy.unassignedInfo !== undefined) parts.push(printUnassignedInfo(copy.unassignedInfo));
  return parts.join(", ");
}

function printSource(source: RecoverySource): string {
  switch (source.type) {
    case "EMPTY_STORE":
      return "new shard recovery";
    case "EXISTING_STORE":
      return `existing store recovery; bootstrap_history_uuid=${source.bootstrapNewHistoryUuid}`;
    case "PEER":
      return "peer recovery";
    case "LOCAL_SHARDS":
      return "local shards recovery";
    case "SNAPSHOT":
      return `snapshot recovery [${source.snapshotUuid}] from ${source.repository}:${source.snapshot}/${source.snapshotUuid}`;
  }
}

export function printUnassignedInfo(info: UnassignedInfo): string {
  const failures = info.failedAllocations > 0 ? `, failed_attempts[${info.failedAllocations}]` : "";
  const nodes =
    info.failedNodeIds.length > 0 ? `, failed_nodes[[${info.failedNodeIds.join(", ")}]]` : "";
  const details = info.details === undefined ? "" : `, details[${info.details}]`;
  return `unassigned_info[[reason=${info.reason}], at[${formatInstant(info.atMs)}]${failures}${nodes}, delayed=${info.delayed}${details}, allocation_status[${info.lastAllocationStatus}]]`;
}
