/** New routing rows: the unassigned copies of an index, and what is added or taken away with replicas. */
import { defined } from "@orrery/stdx";
import type {
  IndexMetadata,
  IndexRoutingTable,
  RecoverySource,
  ShardRouting,
  UnassignedInfo,
  UnassignedReason,
} from "./types.ts";

export interface Unassigned {
  readonly reason: UnassignedReason;
  readonly atMs: number;
  readonly details?: string;
}

/** Every copy unassigned. Primaries with in-sync copies recover from what is on disk, others from `fresh`. */
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

/** Grows or shrinks every shard to this many replicas; unassigned copies go first. */
export function withReplicas(
  row: IndexRoutingTable,
  replicas: number,
  atMs: number,
): IndexRoutingTable {
  return resized(row, () => replicas, atMs);
}

/**
 * The same, but every replica that has a node stays, even one too many: nodes may be gone, and the allocator takes
 * away what is too much when it has failed the copies of those.
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

/** Which replica goes when there is one too many: an unassigned one, if there is one. */
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
