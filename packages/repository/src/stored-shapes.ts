/**
 * Validation of the contents of metadata blobs. A checksum proves nothing about intent: anyone who can write to the
 * repository may have stored values that no node writes.
 *
 * Contract: a value that passes has the shape of its type, and each name that becomes a part of a path is a single step
 * of it. Others throw `corrupt_index_exception`.
 */
import { isJsonObject, lookup, type Json, type JsonObject } from "@orrery/stdx";
import { corrupt } from "./blob-format.ts";
import type { StoredData } from "./repository-data.ts";
import type { ShardFile, ShardIndex, ShardSnapshot, SnapshotInfo } from "./types.ts";

type Check = (value: Json | undefined) => boolean;

/** Contents of `index-N`, validated. */
export function storedData(value: unknown, path: string): StoredData {
  check(value, path, isStoredData);
  return value as StoredData;
}

/** Contents of a snapshot's info blob, validated. */
export function snapshotInfo(value: unknown, path: string): SnapshotInfo {
  check(value, path, isSnapshotInfo);
  return value as SnapshotInfo;
}

/** Contents of a shard index, validated. */
export function shardIndex(value: unknown, path: string): ShardIndex {
  check(value, path, isShardIndex);
  return value as ShardIndex;
}

/** Contents of a shard's list of files, validated. */
export function shardSnapshot(value: unknown, path: string): ShardSnapshot {
  check(value, path, isShardSnapshot);
  return value as ShardSnapshot;
}

function check(value: unknown, path: string, hasShape: Check): void {
  if (!hasShape(value as Json))
    throw corrupt(path, "it does not hold what is kept under this name");
}

/**
 * Whether the value is the name of one blob or folder: a text of at most 255 characters that is neither `.` nor `..`
 * and has no separator.
 */
export function isStep(value: unknown): value is string {
  return (
    typeof value === "string" &&
    value !== "." &&
    value !== ".." &&
    value.length <= 255 &&
    /^[^/\\\0]+$/.test(value)
  );
}

const isText: Check = (value) => typeof value === "string";
const isCount: Check = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
const isNumber: Check = (value) => typeof value === "number";
const isFlag: Check = (value) => typeof value === "boolean";
const isState: Check = (value) => value === "SUCCESS" || value === "FAILED" || value === "PARTIAL";
const orNone =
  (is: Check): Check =>
  (value) =>
    value === undefined || is(value);
const isStepOrNull: Check = (value) => value === null || isStep(value);

const listOf =
  (each: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(each);
const tableOf =
  (each: Check): Check =>
  (value) =>
    isJsonObject(value) && Object.values(value).every(each);
const shape =
  (keys: Readonly<Record<string, Check>>): Check =>
  (value) =>
    isJsonObject(value) && Object.entries(keys).every(([key, is]) => is(own(value, key)));

function own(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? lookup(object, key) : undefined;
}

const isStoredData = shape({
  snapshots: listOf(
    shape({
      ...{ name: isText, uuid: isStep, state: isNumber, version: isText },
      index_metadata_lookup: tableOf(isText),
    }),
  ),
  indices: tableOf(
    shape({
      ...{ id: isStep, snapshots: listOf(isText), shard_generations: listOf(isStepOrNull) },
      shard_path_type: isNumber,
    }),
  ),
  index_metadata_identifiers: tableOf(isStep),
});

const snapshotInfoKeys: Readonly<Record<keyof SnapshotInfo, Check>> = {
  ...{ name: isText, uuid: isStep, version: isText, state: isState, reason: orNone(isText) },
  ...{ indices: listOf(isText), dataStreams: listOf(isText), includeGlobalState: isFlag },
  ...{ metadata: orNone(isJsonObject), startTimeMs: isNumber, endTimeMs: isNumber },
  ...{ totalShards: isCount, successfulShards: isCount, remoteStoreIndexShallowCopy: isFlag },
  failures: listOf(
    shape({ index: isText, shard: isCount, reason: isText, nodeId: orNone(isText) }),
  ),
};
const isSnapshotInfo = shape(snapshotInfoKeys);

const shardFile: Readonly<Record<keyof ShardFile, Check>> = {
  ...{ blob: isStep, name: isStep, sizeBytes: isCount, checksum: isNumber, partBytes: isCount },
};
const names = { name: isText, uuid: isStep };

const isShardIndex = shape({
  snapshots: listOf(shape({ ...names, files: listOf(isStep) })),
  files: listOf(shape(shardFile)),
});
const shardSnapshotKeys: Readonly<Record<keyof ShardSnapshot, Check>> = {
  ...{ ...names, startTimeMs: isNumber, durationMs: isNumber },
  ...{ incrementalFiles: isCount, incrementalBytes: isCount, files: listOf(shape(shardFile)) },
};
const isShardSnapshot = shape(shardSnapshotKeys);
