/** Cluster health (`ClusterStateHealth`): counts of shard copies by state, and the status that follows, per shard, index and cluster. */
import { isActive } from "./routing.ts";
import type { ClusterState, DiscoveryNode, ShardRouting } from "./types.ts";

/**
 * Green: all copies are active. Yellow: all primaries are active, or have no data of their own yet (new or restored
 * shards). Red: some other primary is not active.
 */
export type HealthStatus = "green" | "yellow" | "red";

/** Health of one shard. */
export interface ShardHealth {
  readonly shard: number;
  readonly status: HealthStatus;
  readonly isPrimaryActive: boolean;
  readonly activeShards: number;
  readonly relocatingShards: number;
  readonly initializingShards: number;
  readonly unassignedShards: number;
  readonly delayedUnassignedShards: number;
}

/** Health of one index; counts are sums over its shards. */
export interface IndexHealth {
  readonly index: string;
  readonly status: HealthStatus;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly activePrimaryShards: number;
  readonly activeShards: number;
  readonly relocatingShards: number;
  readonly initializingShards: number;
  readonly unassignedShards: number;
  readonly delayedUnassignedShards: number;
  readonly shards: readonly ShardHealth[];
}

/** Health of the cluster, or of the indices that were asked for. */
export interface ClusterHealth {
  readonly status: HealthStatus;
  readonly numberOfNodes: number;
  readonly numberOfDataNodes: number;
  readonly activePrimaryShards: number;
  readonly activeShards: number;
  readonly relocatingShards: number;
  readonly initializingShards: number;
  readonly unassignedShards: number;
  readonly delayedUnassignedShards: number;
  /**
   * Percentage of active copies among all copies of the cluster, even if only some indices were asked for; 100 when the
   * status is green.
   */
  readonly activeShardsPercent: number;
  readonly indices: ReadonlyMap<string, IndexHealth>;
}

/** Health of the named indices, or of all; names without an index are ignored. Red while a global block makes the cluster unavailable. */
export function clusterHealth(state: ClusterState, indices?: readonly string[]): ClusterHealth {
  const names = indices ?? [...state.routingTable.keys()];
  const healths = names.flatMap((name) => {
    const health = indexHealth(state, name);
    return health === undefined ? [] : [health];
  });
  const sum = (count: (health: IndexHealth) => number): number =>
    healths.reduce((total, health) => total + count(health), 0);
  const isBlocked = state.blocks.global.some(({ status }) => status === "SERVICE_UNAVAILABLE");
  const status = isBlocked ? "red" : worst(healths.map((health) => health.status));
  return {
    status,
    numberOfNodes: state.nodes.size,
    numberOfDataNodes: [...state.nodes.values()].filter(isDataNode).length,
    activePrimaryShards: sum((health) => health.activePrimaryShards),
    activeShards: sum((health) => health.activeShards),
    relocatingShards: sum((health) => health.relocatingShards),
    initializingShards: sum((health) => health.initializingShards),
    unassignedShards: sum((health) => health.unassignedShards),
    delayedUnassignedShards: sum((health) => health.delayedUnassignedShards),
    activeShardsPercent: status === "green" ? 100 : activePercent(state),
    indices: new Map(healths.map((health) => [health.index, health])),
  };
}

/** Share of active copies among all of the cluster, not only those of the named indices, as in the product. */
function activePercent(state: ClusterState): number {
  const copies = [...state.routingTable.values()].flatMap(({ shards }) => shards.flat());
  return copies.length === 0 ? 100 : (copies.filter(isActive).length / copies.length) * 100;
}

function isDataNode({ roles }: DiscoveryNode): boolean {
  return roles.includes("data") || roles.includes("warm") || roles.includes("search");
}

function indexHealth(state: ClusterState, index: string): IndexHealth | undefined {
  const metadata = state.metadata.indices.get(index);
  const row = state.routingTable.get(index);
  if (metadata === undefined || row === undefined) return undefined;
  const shards = row.shards.map(shardHealth);
  const sum = (count: (health: ShardHealth) => number): number =>
    shards.reduce((total, health) => total + count(health), 0);
  return {
    index,
    status: worst(shards.map(({ status }) => status)),
    numberOfShards: metadata.numberOfShards,
    numberOfReplicas: metadata.numberOfReplicas,
    activePrimaryShards: shards.filter(({ isPrimaryActive }) => isPrimaryActive).length,
    activeShards: sum((health) => health.activeShards),
    relocatingShards: sum((health) => health.relocatingShards),
    initializingShards: sum((health) => health.initializingShards),
    unassignedShards: sum((health) => health.unassignedShards),
    delayedUnassignedShards: sum((health) => health.delayedUnassignedShards),
    shards,
  };
}

/** Health by the list of a shard's copies. Lists are replaced, never mutated, and health is computed for many requests and states. */
const known = new WeakMap<readonly ShardRouting[], ShardHealth>();

function shardHealth(copies: readonly ShardRouting[], shard: number): ShardHealth {
  const before = known.get(copies);
  if (before !== undefined) return before;
  const health = healthOf(copies, shard);
  known.set(copies, health);
  return health;
}

function healthOf(copies: readonly ShardRouting[], shard: number): ShardHealth {
  const count = (holds: (copy: ShardRouting) => boolean): number => copies.filter(holds).length;
  const primary = copies.find((copy) => copy.primary);
  const isPrimaryActive = primary !== undefined && isActive(primary);
  const activeShards = count(isActive);
  const relocatingShards = count(({ state }) => state === "RELOCATING");
  return {
    shard,
    status: shardStatus(primary, activeShards === copies.length),
    isPrimaryActive,
    activeShards,
    relocatingShards,
    initializingShards: count(({ state }) => state === "INITIALIZING"),
    unassignedShards: count(({ state }) => state === "UNASSIGNED"),
    delayedUnassignedShards: count(
      ({ state, unassignedInfo }) => state === "UNASSIGNED" && unassignedInfo?.delayed === true,
    ),
  };
}

function shardStatus(primary: ShardRouting | undefined, areAllActive: boolean): HealthStatus {
  if (primary === undefined) return "red";
  if (isActive(primary)) return areAllActive ? "green" : "yellow";
  return isNewPrimary(primary) ? "yellow" : "red";
}

/** Whether an inactive primary never held data here: it counts as yellow until its allocation was refused or failed. */
function isNewPrimary({ unassignedInfo, recoverySource }: ShardRouting): boolean {
  if (unassignedInfo === undefined || recoverySource === undefined) return false;
  if (unassignedInfo.failedAllocations > 0) return false;
  if (unassignedInfo.lastAllocationStatus === "deciders_no") return false;
  const fresh = ["EMPTY_STORE", "LOCAL_SHARDS", "SNAPSHOT"];
  return fresh.includes(recoverySource.type);
}

function worst(statuses: readonly HealthStatus[]): HealthStatus {
  if (statuses.includes("red")) return "red";
  return statuses.includes("yellow") ? "yellow" : "green";
}
