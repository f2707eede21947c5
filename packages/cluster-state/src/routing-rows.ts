/** Routing rows of new, reopened and resized indices (`IndexRoutingTable.Builder`): unassigned copies, and replicas added or removed. */
import { defined } from "@orrery/stdx";
import type {
  IndexMetadata,
  IndexRoutingTable,
  RecoverySource,
  ShardRouting,
  UnassignedInfo,
  UnassignedReason,
} from "./types.ts";

/** The reason and the time at which copies became unassigned. */
export interface Unassigned {
  readonly reason: UnassignedReason;
  readonly atMs: number;
  readonly details?: string;
}

/** A row with every copy unassigned. Primaries of shards with in-sync copies recover from their stores, others from `fresh`. */
export function unassignedRow(
  metadata: IndexMetadata,
  unassigned: Unassigned,
  fresh: RecoverySource = { type: "EMPTY_STORE" },
): IndexRoutingTable {
  const shards = Array.from({ length: metadata.numberOfShards }, (_, shard) => {
    const hasData = (metadata.inSyncAllocationIds[shard] ?? []).length > 0;
    const source: RecoverySource = hasData
      ? { type: "EXISTING_STORE", bootstrapNewHistoryUuid: false }
      : fresh;
    const replicas = Array.from({ length: metadata.numberOfReplicas }, () =>
      unassignedReplica(metadata.name, shard, unassigned),
    );
    return [unassignedCopy(metadata.name, shard, true, source, unassigned), ...replicas];
  });
  return { index: metadata.name, uuid: metadata.uuid, shards };
}

/**
 * The row with this many replicas for each shard. Missing ones are added, unassigned since `atMs`; surplus ones are
 * removed, the unassigned first.
 */
export function withReplicas(
  row: IndexRoutingTable,
  replicas: number,
  atMs: number,
): IndexRoutingTable {
  return resized(row, () => replicas, atMs);
}

/**
 * The row with this many replicas, in which assigned replicas stay even if they are surplus. The allocator first fails
 * copies of nodes that have left, and then removes replicas that are still surplus, in the same log entry.
 */
export function withReplicasForAllocator(
  row: IndexRoutingTable,
  replicas: number,
  atMs: number,
): IndexRoutingTable {
  const isAssigned = ({ primary, nodeId }: ShardRouting): boolean =>
    !primary && nodeId !== undefined;
  return resized(row, (copies) => Math.max(replicas, copies.filter(isAssigned).length), atMs);
}

function resized(
  row: IndexRoutingTable,
  replicasOf: (copies: readonly ShardRouting[]) => number,
  atMs: number,
): IndexRoutingTable {
  const added: Unassigned = { reason: "REPLICA_ADDED", atMs };
  const shards = row.shards.map((copies, shard) => {
    const replicas = replicasOf(copies);
    let next = [...copies];
    while (next.length - 1 > replicas) {
      const goes = surplusReplica(next);
      next = next.filter((copy) => copy !== goes);
    }
    while (next.length - 1 < replicas) next.push(unassignedReplica(row.index, shard, added));
    return next;
  });
  return { ...row, shards };
}

/** The replica to remove when there is one too many: an unassigned one if possible. */
export function surplusReplica(copies: readonly ShardRouting[]): ShardRouting {
  const replicas = copies.filter(({ primary }) => !primary);
  const goes = replicas.find(({ nodeId }) => nodeId === undefined) ?? replicas[0];
  return defined(goes, "a replica");
}

function unassignedReplica(index: string, shard: number, unassigned: Unassigned): ShardRouting {
  return unassignedCopy(index, shard, false, { type: "PEER" }, unassigned);
}

function unassignedCopy(
  index: string,
  shard: number,
  primary: boolean,
  recoverySource: RecoverySource,
  unassigned: Unassigned,
): ShardRouting {
  return {
    index,
    shard,
    primary,
    state: "UNASSIGNED",
    nodeId: undefined,
    relocatingNodeId: undefined,
    allocationId: undefined,
    relocationId: undefined,
    recoverySource,
    unassignedInfo: unassignedInfo(unassigned),
  };
}

/** Unassigned info before any allocation attempt. */
export function unassignedInfo({ reason, atMs, details }: Unassigned): UnassignedInfo {
  return {
    reason,
    atMs,
    delayed: false,
    failedAllocations: 0,
    failedNodeIds: [],
    lastAllocationStatus: "no_attempt",
    ...(details === undefined ? {} : { details }),
  };
}
