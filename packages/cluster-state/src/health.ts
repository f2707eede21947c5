/** How many copies are where they should be. */
import { isActive } from "./routing.ts";
import type { ClusterState, DiscoveryNode, ShardRouting } from "./types.ts";

export type HealthStatus = "green" | "yellow" | "red";

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
  /** Of all shards of the cluster; 100 when the status is green. */
  readonly activeShardsPercent: number;
  readonly indices: ReadonlyMap<string, IndexHealth>;
}

/** Of the named indices, or of all; names without an index are passed over. */
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

/** Of all shards of the cluster, whichever indices were asked for. */
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

/** Health is asked for all the time, and the copies of a shard are never changed, only replaced. */
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

/** A primary that never had data is not missing any: it counts as yellow until it was refused or failed. */
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
