/**
 * Status of snapshots (`TransportSnapshotsStatusAction`, `_snapshot/…/_status`): running ones from the cluster state and
 * from the nodes that work on them, ended ones from the repository.
 */
import {
  clusterSetting,
  snapshotMissing,
  snapshotProblem,
  snapshotsOf,
  type IndexMetadata,
  type ShardSnapshotEntry,
  type SnapshotEntry,
} from "@orrery/cluster-state";
import {
  actions,
  readWireObject,
  ShardAdminRequest,
  ShardAdminResponse,
  wireJson,
} from "@orrery/protocol";
import {
  blobProblem,
  indicesOf,
  isMissing,
  readShardSnapshot,
  shardFolder,
  snapshotNamed,
  type IndexRecord,
  type RepositoryData,
  type SnapshotInfo,
} from "@orrery/repository";
import { lookup, OperationError } from "@orrery/stdx";
import type { ManagedBodies } from "../types.ts";
import type { SnapshotDeps } from "./deps.ts";
import { repositoryIndex } from "./finalize.ts";
import { indexMetadataError, infoError } from "./read.ts";
import type { LoadedRepository } from "./repositories.ts";

/** Parameters of the status. */
export interface SnapshotStatusRequest {
  /** Undefined: running snapshots of all repositories. */
  readonly repository?: string;
  readonly snapshots: readonly string[];
  readonly indices: readonly string[];
  readonly ignoreUnavailable: boolean;
}

/** Counts of files and bytes: new in this snapshot (incremental), uploaded (processed), and referenced by it (total). */
export interface ShardStats {
  readonly incrementalFiles: number;
  readonly incrementalBytes: number;
  readonly processedFiles: number;
  readonly processedBytes: number;
  readonly totalFiles: number;
  readonly totalBytes: number;
  readonly startTimeMs: number;
  readonly timeMs: number;
}

/** Status of one shard; `node` and `reason` only where known. */
export interface ShardStatus {
  readonly index: string;
  readonly shard: number;
  readonly stage: string;
  readonly stats: ShardStats;
  readonly node?: string;
  readonly reason?: string;
}

/** Status of one snapshot. */
export interface SnapshotStatus {
  readonly snapshot: string;
  readonly repository: string;
  readonly uuid: string;
  readonly state: string;
  readonly includeGlobalState: boolean;
  readonly startTimeMs: number;
  readonly timeMs: number;
  readonly indices: readonly string[];
  readonly shards: readonly ShardStatus[];
}

const noStats: ShardStats = {
  incrementalFiles: 0,
  incrementalBytes: 0,
  processedFiles: 0,
  processedBytes: 0,
  totalFiles: 0,
  totalBytes: 0,
  startTimeMs: 0,
  timeMs: 0,
};

/** Statuses of running snapshots, then of stored ones in the order of the request. */
export async function snapshotStatus(
  deps: SnapshotDeps,
  request: SnapshotStatusRequest,
): Promise<ManagedBodies["snapshotStatus"]> {
  const { repository, snapshots } = request;
  const running = snapshotsOf(deps.applied()).filter(
    (entry) =>
      (repository === undefined || entry.repository === repository) &&
      (snapshots.length === 0 || snapshots.includes(entry.snapshot)),
  );
  const others = snapshots.filter((name) => !running.some((entry) => entry.snapshot === name));
  const stored =
    repository === undefined || others.length === 0
      ? []
      : await storedSnapshots(deps, { ...request, repository, snapshots: others });
  // Before any shard is read.
  checkShardCount(deps, request, [
    ...running.map((entry) => entry.shards.length),
    ...stored.map(({ shardCount }) => shardCount),
  ]);
  const statuses: SnapshotStatus[] = [];
  for (const entry of running) statuses.push(await runningStatus(deps, entry, request));
  for (const one of stored) statuses.push(await storedStatus(one));
  return { snapshots: statuses };
}

/** Rejects requests over more shards than `snapshot.max_shards_allowed_in_status_api`: each stored shard is a read. */
function checkShardCount(
  { applied }: SnapshotDeps,
  { repository }: SnapshotStatusRequest,
  counts: readonly number[],
): void {
  const total = counts.reduce((sum, count) => sum + count, 0);
  const most = Number(clusterSetting(applied(), "snapshot.max_shards_allowed_in_status_api"));
  if (total <= most) return;
  throw new OperationError({
    type: "circuit_breaking_exception",
    reason: `[${repository ?? "_all"}] Total shard count [${total}] is more than the maximum allowed value of shard count [${most}] for snapshot status request. Try narrowing down the request by using a snapshot list or an index list for a singular snapshot.`,
    status: 429,
    metadata: { bytes_wanted: 0, bytes_limit: 0, durability: "PERMANENT" },
  });
}

/** A snapshot of the repository, with the requested ones of its indices. */
interface StoredSnapshot {
  readonly loaded: LoadedRepository;
  readonly info: SnapshotInfo;
  readonly indices: readonly IndexRecord[];
  readonly shardCount: number;
}

async function storedSnapshots(
  deps: SnapshotDeps,
  request: SnapshotStatusRequest & { readonly repository: string },
): Promise<readonly StoredSnapshot[]> {
  const { repository, ignoreUnavailable } = request;
  const loaded = await deps.repositories.load(deps.applied, repository);
  const found: StoredSnapshot[] = [];
  for (const name of request.snapshots) {
    const record = snapshotNamed(loaded.data, name);
    if (record === undefined) {
      if (ignoreUnavailable) continue;
      throw new OperationError(snapshotMissing(repository, name));
    }
    const info = await loaded.repository.readInfo(record.uuid).catch((error: unknown) => {
      throw infoError(repository, record, error);
    });
    const held = indicesOf(loaded.data, record.uuid);
    const indices = filterIndices(held, request, name);
    const isFiltered = request.indices.length > 0;
    const shardCount = isFiltered
      ? indices.reduce((sum, index) => sum + index.shardGenerations.length, 0)
      : info.totalShards;
    found.push({ loaded, info, indices, shardCount });
  }
  return found;
}

function filterIndices(
  held: readonly IndexRecord[],
  { repository, indices, ignoreUnavailable }: SnapshotStatusRequest,
  snapshot: string,
): readonly IndexRecord[] {
  if (indices.length === 0) return held;
  const found = held.filter(({ name }) => indices.includes(name));
  const missing = indices.filter((name) => held.every((index) => index.name !== name));
  if (missing.length === 0 || ignoreUnavailable) return found;
  const named = missing.join(", ") + (found.length === 0 ? " and possibly more indices" : "");
  throw new OperationError({
    type: "index_not_found_exception",
    reason: `no such index [${named}]`,
    status: 404,
    metadata: { index: named, index_uuid: "_na_" },
    causedBy: {
      type: "illegal_argument_exception",
      reason: `indices [${named}] missing in snapshot [${snapshot}] of repository [${repository ?? ""}]`,
      status: 400,
    },
  });
}

async function storedStatus({ loaded, info, indices }: StoredSnapshot): Promise<SnapshotStatus> {
  const shards: ShardStatus[] = [];
  for (const index of indices) {
    const count = await shardCountOf(loaded, info, index);
    for (let shard = 0; shard < count; shard += 1) {
      shards.push(await storedShard(loaded, info, index, shard));
    }
  }
  return {
    snapshot: info.name,
    repository: loaded.repository.name,
    uuid: info.uuid,
    state: info.state,
    includeGlobalState: info.includeGlobalState,
    startTimeMs: info.startTimeMs,
    timeMs: info.endTimeMs - info.startTimeMs,
    indices: indices.map(({ name }) => name),
    shards,
  };
}

/** Number of shards that the index had when the snapshot was taken. */
async function shardCountOf(
  { repository, data }: LoadedRepository,
  info: SnapshotInfo,
  index: IndexRecord,
): Promise<number> {
  const blobId = metadataBlobId(data, info.uuid, index);
  if (blobId === undefined) return index.shardGenerations.length;
  const metadata = (await repository.readIndexMetadata(index, blobId).catch((error: unknown) => {
    throw indexMetadataError(repository.name, info, error);
  })) as IndexMetadata;
  return metadata.numberOfShards;
}

/** Blob id of an index's metadata in a snapshot; undefined when the repository data has none. */
export function metadataBlobId(
  data: RepositoryData,
  uuid: string,
  { id }: Pick<IndexRecord, "id">,
): string | undefined {
  const record = data.snapshots.find((snapshot) => snapshot.uuid === uuid);
  return lookup(data.indexMetadata, lookup(record?.indexMetadata, id) ?? "");
}

async function storedShard(
  { repository }: LoadedRepository,
  info: SnapshotInfo,
  index: IndexRecord,
  shard: number,
): Promise<ShardStatus> {
  const base = { index: index.name, shard };
  const failure = info.failures.find((one) => one.index === index.name && one.shard === shard);
  if (failure !== undefined || info.state === "FAILED") {
    return { ...base, stage: "FAILURE", stats: noStats, reason: failure?.reason ?? "skipped" };
  }
  const stats = await storedStats(repository, shardFolder(index, shard), info);
  return { ...base, stage: "DONE", stats };
}

async function storedStats(
  { name: repository, store }: Pick<LoadedRepository["repository"], "name" | "store">,
  folder: string,
  { name, uuid }: { readonly name: string; readonly uuid: string },
): Promise<ShardStats> {
  const shard = await readShardSnapshot(store, folder, uuid).catch((error: unknown) => {
    if (isMissing(error)) throw new OperationError(snapshotMissing(repository, name));
    const what = `failed to read shard snapshot file for [[${folder.split("/").join("][")}]]`;
    const causedBy = blobProblem(error);
    throw new OperationError({
      ...snapshotProblem(`${repository}:${name}/${uuid}`, what),
      causedBy,
    });
  });
  const { incrementalFiles, incrementalBytes, files, startTimeMs, durationMs } = shard;
  return {
    incrementalFiles,
    incrementalBytes,
    processedFiles: incrementalFiles,
    processedBytes: incrementalBytes,
    totalFiles: files.length,
    totalBytes: files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    startTimeMs,
    timeMs: durationMs,
  };
}

async function runningStatus(
  deps: SnapshotDeps,
  entry: SnapshotEntry,
  { indices }: SnapshotStatusRequest,
): Promise<SnapshotStatus> {
  const isShown = (name: string): boolean => indices.length === 0 || indices.includes(name);
  const shown = entry.shards.filter(({ index }) => isShown(index.index_name));
  const shards = await Promise.all(shown.map((shard) => runningShard(deps, entry, shard)));
  return {
    snapshot: entry.snapshot,
    repository: entry.repository,
    uuid: entry.uuid,
    state: entry.state,
    includeGlobalState: entry.include_global_state,
    startTimeMs: entry.start_time_millis,
    timeMs: Math.max(0, deps.host.clock.nowMs() - entry.start_time_millis),
    indices: entry.indices.map(({ name }) => name).filter(isShown),
    shards,
  };
}

const stages: Readonly<Record<ShardSnapshotEntry["state"], string>> = {
  INIT: "STARTED",
  WAITING: "STARTED",
  QUEUED: "STARTED",
  ABORTED: "FAILURE",
  FAILED: "FAILURE",
  MISSING: "FAILURE",
  SUCCESS: "DONE",
};

/** Answer of a node about a shard that it works on. */
interface LiveStatus extends ShardStats {
  readonly stage: string;
}

async function runningShard(
  deps: SnapshotDeps,
  entry: SnapshotEntry,
  shard: ShardSnapshotEntry,
): Promise<ShardStatus> {
  const base = {
    index: shard.index.index_name,
    shard: shard.shard,
    ...(shard.reason === undefined ? {} : { reason: shard.reason }),
  };
  // The node knows progress that the cluster state does not; a shard that it no longer knows has ended.
  const live = await liveStatus(deps, entry, shard);
  if (live !== undefined && shard.node !== undefined) {
    const { stage, ...stats } = live;
    // The node is done, but its outcome is not in the cluster state yet.
    const shown = stage === "DONE" && shard.state !== "SUCCESS" ? "FINALIZE" : stage;
    return { ...base, stage: shown, stats, node: shard.node };
  }
  const stage = stages[shard.state];
  if (shard.state !== "SUCCESS") return { ...base, stage, stats: noStats };
  const repository = deps.repositories.named(deps.applied(), entry.repository);
  const index = entry.indices.find(({ id }) => id === shard.id);
  if (index === undefined) return { ...base, stage, stats: noStats };
  const folder = shardFolder(repositoryIndex(index), shard.shard);
  const snapshot = { name: entry.snapshot, uuid: entry.uuid };
  return { ...base, stage, stats: await storedStats(repository, folder, snapshot) };
}

const LIVE_TIMEOUT_MS = 10_000;

/** Status from the node that works on the shard; undefined when it does not know the snapshot, or does not answer. */
async function liveStatus(
  { transport }: SnapshotDeps,
  entry: SnapshotEntry,
  { index, shard, node }: ShardSnapshotEntry,
): Promise<LiveStatus | undefined> {
  if (node === undefined) return undefined;
  const payload = ShardAdminRequest.encode({
    index: index.index_name,
    indexUuid: index.index_uuid,
    shard,
    allocationId: "",
    parameters: wireJson({ uuid: entry.uuid }),
  }).finish();
  try {
    const answer = await transport.request(node, actions.snapshotShardStatus, payload, {
      shard: `${index.index_uuid}/${shard}`,
      timeoutMs: LIVE_TIMEOUT_MS,
    });
    const { nowMs: _, ...live } = readWireObject(
      ShardAdminResponse.decode(answer).body,
    ) as LiveStatus & {
      readonly nowMs?: number;
    };
    return live.stage === undefined ? undefined : live;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    return undefined;
  }
}
