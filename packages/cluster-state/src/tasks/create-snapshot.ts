/** Begins a snapshot or a clone (`SnapshotsService`): adds its entry, and starts the shards that can start now. */
import type { JsonObject } from "@orrery/stdx";
import { clusterSetting } from "../settings/registry.ts";
import {
  concurrentSnapshot,
  invalidSnapshotName,
  repositoryChanged,
  repositoryMissing,
  snapshotMissing,
  snapshotProblem,
} from "../snapshots/problems.ts";
import { advanceSnapshots, repositoryShardKey } from "../snapshots/progress.ts";
import {
  cleanupsOf,
  deletionsOf,
  repositoriesOf,
  snapshotsOf,
  withSnapshots,
  type ShardSnapshotEntry,
  type SnapshotEntry,
  type SnapshotIndex,
} from "../snapshots/sections.ts";
import type { ClusterState, Outcome } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import type { Problem } from "@orrery/stdx";

export interface CreateSnapshot {
  readonly kind: "create-snapshot";
  readonly repository: string;
  readonly snapshot: string;
  readonly uuid: string;
  /** Generation of the repository that the proposer has read; the task is rejected when another one is in force. */
  readonly repositoryGeneration: number;
  readonly indices: readonly NewSnapshotIndex[];
  readonly dataStreams?: readonly string[];
  readonly includeGlobalState: boolean;
  readonly partial: boolean;
  readonly metadata?: JsonObject;
  readonly nowMs: number;
  readonly cloneSource?: { readonly name: string; readonly uuid: string };
  readonly remoteStoreIndexShallowCopy?: boolean;
}

/** An index of the new snapshot, with its id in the repository. */
export interface NewSnapshotIndex extends SnapshotIndex {
  /** Current generation of each shard in the repository; for a clone also the number of its shards. */
  readonly generations: readonly (string | null)[];
}

/**
 * Begins a snapshot or a clone. Unchanged when a snapshot of this uuid runs. Rejected as `repositoryChanged` when
 * another repository generation is in force; the proposer then reads the repository again. Also rejected when a running
 * snapshot has the name, during a clean-up, above the limit of operations, when a clone's source is being deleted, and,
 * unless partial, when a shard has no primary.
 */
export function createSnapshot(state: ClusterState, asked: CreateSnapshot): Outcome {
  const entries = snapshotsOf(state);
  if (entries.some(({ uuid }) => uuid === asked.uuid)) return unchanged;
  const task = { ...asked, indices: withPromisedIds(entries, asked) };
  const problem = problemWith(state, task);
  if (problem !== undefined) return rejected(problem);
  const empty = newEntry(task);
  const shards = task.indices.flatMap((index) => queuedShards(state, task, index));
  const started = advanceSnapshots(withSnapshots(state, [...entries, { ...empty, shards }]));
  const missing = missingIndices(started, task);
  if (missing.length === 0 || task.partial) return updated(started);
  const what = `Indices don't have primary shards [${missing.join(", ")}]`;
  return rejected(snapshotProblem(`${task.repository}:${task.snapshot}/${task.uuid}`, what));
}

/** Indices with the ids that running snapshots use: one that was begun since the proposer read the state may have given an index its id. */
function withPromisedIds(
  entries: readonly SnapshotEntry[],
  { repository, indices }: CreateSnapshot,
): readonly NewSnapshotIndex[] {
  const promised = new Map(
    entries
      .filter((entry) => entry.repository === repository)
      .flatMap((entry) => entry.indices.map((index) => [index.name, index] as const)),
  );
  return indices.map((index) => ({ ...index, ...promised.get(index.name) }));
}

function problemWith(state: ClusterState, task: CreateSnapshot): Problem | undefined {
  const { repository, snapshot } = task;
  const metadata = repositoriesOf(state).get(repository);
  if (metadata === undefined) return repositoryMissing(repository);
  const entries = snapshotsOf(state);
  const isSameName = (entry: SnapshotEntry): boolean =>
    entry.repository === repository && entry.snapshot === snapshot;
  if (entries.some(isSameName)) {
    const what = "snapshot with the same name is already in-progress";
    return invalidSnapshotName(repository, snapshot, what);
  }
  if (cleanupsOf(state).length > 0) {
    const names = cleanupsOf(state).map((cleanup) => cleanup.repository);
    const what = `cannot snapshot while a repository cleanup is in-progress in [${names.join(", ")}]`;
    return concurrentSnapshot(repository, snapshot, what);
  }
  const running = entries.length + deletionsOf(state).length;
  const limit = Number(clusterSetting(state, "snapshot.max_concurrent_operations"));
  if (running >= limit) {
    const what = `Cannot start another operation, already running [${running}] operations and the current limit for concurrent snapshot operations is set to [${limit}]`;
    return concurrentSnapshot(repository, snapshot, what);
  }
  const { cloneSource } = task;
  const isSourceGoing =
    cloneSource !== undefined &&
    deletionsOf(state).some(({ snapshots }) =>
      snapshots.some(({ uuid }) => uuid === cloneSource.uuid),
    );
  if (isSourceGoing) return snapshotMissing(repository, cloneSource.name);
  return metadata.generation === task.repositoryGeneration ? undefined : repositoryChanged;
}

function newEntry(task: CreateSnapshot): SnapshotEntry {
  return {
    repository: task.repository,
    snapshot: task.snapshot,
    uuid: task.uuid,
    include_global_state: task.includeGlobalState,
    partial: task.partial,
    state: "STARTED",
    indices: task.indices.map(({ name, id, path_type }) => ({ name, id, path_type })),
    data_streams: task.dataStreams ?? [],
    ...(task.metadata === undefined ? {} : { metadata: task.metadata }),
    start_time_millis: task.nowMs,
    repository_state_id: task.repositoryGeneration,
    shards: [],
    ...(task.cloneSource === undefined ? {} : { clone_source: task.cloneSource }),
    ...(task.remoteStoreIndexShallowCopy === true ? { remote_store_index_shallow_copy: true } : {}),
  };
}

/** Shards of an index as QUEUED, each with the generation to build on. */
function queuedShards(
  state: ClusterState,
  task: CreateSnapshot,
  index: NewSnapshotIndex,
): readonly ShardSnapshotEntry[] {
  const metadata = state.metadata.indices.get(index.name);
  const newest = newestGenerations(state, task.repository);
  const count =
    task.cloneSource === undefined ? (metadata?.numberOfShards ?? 0) : index.generations.length;
  return Array.from({ length: count }, (_, shard): ShardSnapshotEntry => {
    const key = repositoryShardKey({ id: index.id, shard });
    return {
      index: { index_name: index.name, index_uuid: metadata?.uuid ?? "_na_" },
      id: index.id,
      shard,
      state: "QUEUED",
      generation: newest.get(key) ?? index.generations[shard] ?? null,
    };
  });
}

/** Newest generations of shards that running snapshots have written; they are not in the repository data yet. */
function newestGenerations(state: ClusterState, repository: string): ReadonlyMap<string, string> {
  const newest = new Map<string, string>();
  for (const entry of snapshotsOf(state)) {
    if (entry.repository !== repository) continue;
    for (const shard of entry.shards) {
      if (shard.state === "SUCCESS" && shard.generation !== null) {
        newest.set(repositoryShardKey(shard), shard.generation);
      }
    }
  }
  return newest;
}

function missingIndices(state: ClusterState, { uuid }: CreateSnapshot): readonly string[] {
  const entry = snapshotsOf(state).find((other) => other.uuid === uuid);
  const missing = entry?.shards.filter((shard) => shard.state === "MISSING") ?? [];
  return [...new Set(missing.map(({ index }) => index.index_name))];
}
