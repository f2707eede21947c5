/** Body of `_status`. Source: `TransportReplicationStatusAction`, `ReplicationStatusResponse`. */
import type { PluginNode } from "@orrery/node";
import { greatest, isJsonObject, least, lookup, type JsonObject } from "@orrery/stdx";
import { actions } from "../actions.ts";
import { followingOf, type Following } from "../state/section.ts";
import { askNodes, type ShardStatus } from "./node-answers.ts";

interface Restore {
  readonly bytesTotal: number;
  readonly bytesRecovered: number;
  readonly filesTotal: number;
  readonly filesRecovered: number;
  readonly startTime: number;
  readonly runningTime: number;
}

interface Sync {
  readonly leader: number;
  readonly follower: number;
  readonly local: number;
}

interface ShardDetails {
  readonly shard: number;
  /** Progress of the restore of the primary; `undefined`: it is not being restored. */
  readonly restore: Restore | undefined;
  readonly sync: Sync;
}

/** The status of one follower index; `isVerbose` adds details by shard. */
export async function statusOf(
  node: PluginNode,
  follower: string,
  isVerbose: boolean,
): Promise<JsonObject> {
  const state = node.cluster.state();
  const following = followingOf(state, follower);
  if (following === undefined || following.state === "STOPPING") {
    return { status: "REPLICATION NOT IN PROGRESS" };
  }
  if (following.state !== "RUNNING") return head(following, following.state);
  const statuses = await askNodes<ShardStatus>(node, actions.shardStatus, { index: follower });
  const count = state.metadata.indices.get(follower)?.numberOfShards ?? 0;
  const shards = Array.from({ length: count }, (_, shard) => detailsOf(shard, statuses));
  const isBootstrapping =
    following.task === "RESTORING" ||
    (following.task === "INIT" && count === 0) ||
    shards.some(({ restore }) => restore !== undefined);
  if (isBootstrapping) {
    return {
      ...head(following, "BOOTSTRAPPING"),
      bootstrap_details: restoreJson(shards.flatMap(({ restore }) => restore ?? [])),
      ...(isVerbose ? perShard(follower, shards) : {}),
    };
  }
  return {
    ...head(following, "SYNCING"),
    syncing_details: syncJson(shards.map(({ sync }) => sync)),
    ...(isVerbose ? perShard(follower, shards) : {}),
  };
}

function head(following: Following, status: string): JsonObject {
  const { reason, leaderAlias, leaderIndex, follower } = following;
  return {
    status,
    reason,
    leader_alias: leaderAlias,
    leader_index: leaderIndex,
    follower_index: follower,
  };
}

function detailsOf(shard: number, statuses: readonly ShardStatus[]): ShardDetails {
  const own = statuses.filter((one) => one.shard === shard);
  const progress = own.find(({ running }) => running !== undefined)?.running?.progress;
  const recovery = own.find((one) => one.recovery !== undefined)?.recovery;
  return {
    shard,
    restore: recovery === undefined ? undefined : restoreOf(recovery),
    sync: {
      leader: progress?.leaderCheckpoint ?? -1,
      follower: progress?.followerCheckpoint ?? -1,
      local: progress?.localCheckpoint ?? -1,
    },
  };
}

/** Progress of a restore; `undefined` when it has finished. */
function restoreOf(recovery: JsonObject): Restore | undefined {
  if (recovery["type"] !== "SNAPSHOT" || recovery["stage"] === "DONE") return undefined;
  const index = child(recovery, "index");
  const size = child(index, "size");
  const files = child(index, "files");
  return {
    bytesTotal: Number(size["total_in_bytes"] ?? 0),
    bytesRecovered: Number(size["recovered_in_bytes"] ?? 0),
    filesTotal: Number(files["total"] ?? 0),
    filesRecovered: Number(files["recovered"] ?? 0),
    startTime: Number(recovery["start_time_in_millis"] ?? 0),
    runningTime: Number(recovery["total_time_in_millis"] ?? 0),
  };
}

function child(object: JsonObject, key: string): JsonObject {
  const value = lookup(object, key);
  return isJsonObject(value) ? value : {};
}

function restoreJson(shards: readonly Restore[]): JsonObject {
  const sum = (of: (shard: Restore) => number): number =>
    shards.reduce((total, shard) => total + of(shard), 0);
  const bytesTotal = sum((shard) => shard.bytesTotal);
  const bytesRecovered = sum((shard) => shard.bytesRecovered);
  const filesTotal = sum((shard) => shard.filesTotal);
  const filesRecovered = sum((shard) => shard.filesRecovered);
  return {
    bytes_total: bytesTotal,
    bytes_recovered: bytesRecovered,
    bytes_percent: percent(bytesRecovered, bytesTotal),
    files_total: filesTotal,
    files_recovered: filesRecovered,
    files_percent: percent(filesRecovered, filesTotal),
    start_time: shards.length === 0 ? 0 : least(shards.map(({ startTime }) => startTime)),
    running_time: Math.max(0, greatest(shards.map(({ runningTime }) => runningTime))),
  };
}

function percent(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((1000 * part) / whole) / 10;
}

/** Sums of checkpoints over shards. Without operations a shard counts as −1. */
function syncJson(shards: readonly Sync[]): JsonObject {
  const sum = (of: (shard: Sync) => number): number =>
    shards.reduce((total, shard) => total + of(shard), 0);
  return {
    leader_checkpoint: sum(({ leader }) => leader),
    follower_checkpoint: sum(({ follower }) => follower),
    seq_no: sum(({ local }) => local),
  };
}

function perShard(follower: string, shards: readonly ShardDetails[]): JsonObject {
  return {
    shard_replication_details: shards.map(({ shard, restore, sync }) => ({
      shard_id: `[${follower}][${shard}]`,
      ...(restore === undefined
        ? { syncing_task_details: syncJson([sync]) }
        : { bootstrap_task_details: restoreJson([restore]) }),
    })),
  };
}
