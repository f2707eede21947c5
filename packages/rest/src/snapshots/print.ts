/** JSON of snapshots and their status. */
import type { ShardStats, ShardStatus, ShownSnapshot, SnapshotStatus } from "@orrery/node";
import { formatByteSize, formatDuration, greatest, least } from "@orrery/stdx";
import { isoDate } from "../dates.ts";
import type { PrintableObject } from "../json/printable.ts";

/** Version id of 3.8.0. */
const VERSION_ID = 137_297_827;

/** One snapshot with all details; `isHuman` adds readable times. */
export function snapshotJson(snapshot: ShownSnapshot, isHuman: boolean): PrintableObject {
  const { name, uuid, version, state, startTimeMs, endTimeMs } = snapshot;
  return {
    snapshot: name,
    uuid,
    version_id: VERSION_ID,
    version,
    remote_store_index_shallow_copy: snapshot.remoteStoreIndexShallowCopy,
    indices: snapshot.indices,
    data_streams: snapshot.dataStreams,
    include_global_state: snapshot.includeGlobalState,
    metadata: snapshot.metadata,
    state,
    reason: snapshot.reason,
    start_time: isoDate(startTimeMs),
    start_time_in_millis: startTimeMs,
    end_time: isoDate(endTimeMs),
    end_time_in_millis: endTimeMs,
    duration: isHuman ? formatDuration(durationMs(snapshot)) : undefined,
    duration_in_millis: durationMs(snapshot),
    failures: snapshot.failures.map(({ index, shard, reason, nodeId }) => ({
      index,
      index_uuid: index,
      shard_id: shard,
      reason,
      node_id: nodeId,
      status: "INTERNAL_SERVER_ERROR",
    })),
    shards: {
      total: snapshot.totalShards,
      failed: snapshot.totalShards - snapshot.successfulShards,
      successful: snapshot.successfulShards,
    },
  };
}

/** Duration of a finished snapshot; 0 while it runs. */
export function durationMs({ startTimeMs, endTimeMs }: ShownSnapshot): number {
  return endTimeMs === 0 ? 0 : endTimeMs - startTimeMs;
}

/** One snapshot for `verbose=false`: only data of the repository's index, without reading the snapshot's own blob. */
export function briefSnapshotJson(snapshot: ShownSnapshot): PrintableObject {
  const { name, uuid, indices, dataStreams, state } = snapshot;
  return { snapshot: name, uuid, indices, data_streams: dataStreams, state };
}

/** The status of a snapshot; `isHuman` adds readable sizes and durations. */
export function statusJson(status: SnapshotStatus, isHuman: boolean): PrintableObject {
  const { snapshot, repository, uuid, state, shards, startTimeMs, timeMs } = status;
  const indices = status.indices.map((index) => [
    index,
    indexJson(
      shards.filter((shard) => shard.index === index),
      isHuman,
    ),
  ]);
  return {
    snapshot,
    repository,
    uuid,
    state,
    include_global_state: status.includeGlobalState,
    shards_stats: countsJson(shards),
    stats: statsJson({ ...sum(shards), startTimeMs, timeMs }, isHuman),
    indices: Object.fromEntries(indices) as PrintableObject,
  };
}

function indexJson(shards: readonly ShardStatus[], isHuman: boolean): PrintableObject {
  const rows = shards.map(({ shard, stage, stats, node, reason }) => [
    String(shard),
    { stage, stats: statsJson(stats, isHuman), node, reason },
  ]);
  return {
    shards_stats: countsJson(shards),
    stats: statsJson(sum(shards), isHuman),
    shards: Object.fromEntries(rows) as PrintableObject,
  };
}

function countsJson(shards: readonly ShardStatus[]): PrintableObject {
  const count = (stage: string): number => shards.filter((shard) => shard.stage === stage).length;
  return {
    initializing: count("INIT"),
    started: count("STARTED"),
    finalizing: count("FINALIZE"),
    done: count("DONE"),
    failed: count("FAILURE"),
    total: shards.length,
  };
}

function sum(shards: readonly ShardStatus[]): ShardStats {
  const all = shards.map(({ stats }) => stats);
  const total = (key: keyof ShardStats): number => all.reduce((of, one) => of + one[key], 0);
  const begun = all.filter(({ startTimeMs }) => startTimeMs > 0);
  const startTimeMs = least(begun.map((one) => one.startTimeMs));
  const endTimeMs = greatest(begun.map((one) => one.startTimeMs + one.timeMs));
  return {
    incrementalFiles: total("incrementalFiles"),
    incrementalBytes: total("incrementalBytes"),
    processedFiles: total("processedFiles"),
    processedBytes: total("processedBytes"),
    totalFiles: total("totalFiles"),
    totalBytes: total("totalBytes"),
    startTimeMs: begun.length === 0 ? 0 : startTimeMs,
    timeMs: begun.length === 0 ? 0 : endTimeMs - startTimeMs,
  };
}

function statsJson(stats: ShardStats, isHuman: boolean): PrintableObject {
  const isPartly = stats.processedFiles !== stats.incrementalFiles;
  return {
    incremental: sizeJson(stats.incrementalFiles, stats.incrementalBytes, isHuman),
    processed: isPartly ? sizeJson(stats.processedFiles, stats.processedBytes, isHuman) : undefined,
    total: sizeJson(stats.totalFiles, stats.totalBytes, isHuman),
    start_time_in_millis: stats.startTimeMs,
    time: isHuman ? formatDuration(stats.timeMs) : undefined,
    time_in_millis: stats.timeMs,
  };
}

function sizeJson(files: number, bytes: number, isHuman: boolean): PrintableObject {
  const size = isHuman ? formatByteSize(bytes) : undefined;
  return { file_count: files, size, size_in_bytes: bytes };
}
