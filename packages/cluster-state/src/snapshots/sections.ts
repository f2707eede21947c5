/**
 * Custom sections of repositories and of the operations on them, in the product's shapes (`RepositoriesMetadata`,
 * `SnapshotsInProgress`, `SnapshotDeletionsInProgress`, `RestoreInProgress`, `RepositoryCleanupInProgress`).
 */
import { isJsonObject, lookup, type Json, type JsonObject, type NodeId } from "@orrery/stdx";
import { customOf, withCustom } from "../customs.ts";
import type { ClusterState, SettingsChange } from "../types.ts";

/** A registered repository. */
export interface RepositoryMetadata {
  readonly type: string;
  readonly settings: SettingsChange;
  /** The generation in force: N of `index-N`, −1 for an empty repository, `UNKNOWN_GENERATION` or `CORRUPTED_GENERATION`. */
  readonly generation: number;
  /** The greatest generation that was ever reserved for writing. */
  readonly pending_generation: number;
}

/** The generation of a repository that was not read since its registration. */
export const UNKNOWN_GENERATION = -2;
/**
 * The generation of a repository whose contents do not match the cluster state. No snapshot is written until the
 * repository is registered anew.
 */
export const CORRUPTED_GENERATION = -3;

/** An index of a snapshot. */
export interface SnapshotIndex {
  readonly name: string;
  /** Id of the index inside the repository, which is the same in all its snapshots. */
  readonly id: string;
  readonly path_type: string;
}

/** The product's states (`SnapshotsInProgress.ShardState`); `progress.ts` has the transitions. */
export type ShardSnapshotState =
  | "INIT"
  | "WAITING"
  | "QUEUED"
  | "ABORTED"
  | "SUCCESS"
  | "FAILED"
  | "MISSING";

/** A shard of a running snapshot. */
export interface ShardSnapshotEntry {
  readonly index: { readonly index_name: string; readonly index_uuid: string };
  /** Id of the index inside the repository. */
  readonly id: string;
  readonly shard: number;
  readonly state: ShardSnapshotState;
  readonly node?: NodeId;
  readonly reason?: string;
  /** Generation of the shard in the repository: the one to build on, and after SUCCESS the new one. `null`: none yet. */
  readonly generation: string | null;
}

/** STARTED while shards run, SUCCESS when it is to be finalized, ABORTED when it is to be removed. */
export type SnapshotEntryState = "STARTED" | "SUCCESS" | "ABORTED";

/** A running snapshot or clone. */
export interface SnapshotEntry {
  readonly repository: string;
  readonly snapshot: string;
  readonly uuid: string;
  readonly include_global_state: boolean;
  readonly partial: boolean;
  readonly state: SnapshotEntryState;
  readonly indices: readonly SnapshotIndex[];
  readonly data_streams: readonly string[];
  readonly metadata?: JsonObject;
  readonly start_time_millis: number;
  readonly repository_state_id: number;
  readonly shards: readonly ShardSnapshotEntry[];
  /** The snapshot whose files a clone shares. */
  readonly clone_source?: { readonly name: string; readonly uuid: string };
  /** Setting of the repository, or property of a clone's source; shown, and without effect. */
  readonly remote_store_index_shallow_copy?: true;
}

/** A deletion, waiting or running. */
export interface SnapshotDeletion {
  readonly uuid: string;
  readonly repository: string;
  readonly snapshots: readonly { readonly name: string; readonly uuid: string }[];
  readonly start_time_millis: number;
  readonly state: "WAITING" | "STARTED";
}

/** State of a restore, or of one of its shards. */
export type RestoreState = "INIT" | "STARTED" | "SUCCESS" | "FAILURE";

/** A shard of a running restore. */
export interface RestoreShard {
  readonly index: string;
  readonly shard: number;
  readonly state: RestoreState;
  readonly reason?: string;
}

/** A running restore. */
export interface RestoreEntry {
  readonly uuid: string;
  readonly repository: string;
  readonly snapshot: string;
  readonly snapshot_uuid: string;
  readonly state: RestoreState;
  readonly indices: readonly string[];
  readonly shards: readonly RestoreShard[];
}

/** The clean-up of a repository that is running. */
export interface RepositoryCleanup {
  readonly uuid: string;
  readonly repository: string;
}

/** Names of the custom sections of repositories and of the operations on them. */
export const snapshotSections = {
  repositories: "repositories",
  snapshots: "snapshots",
  deletions: "snapshot_deletions",
  restores: "restore",
  cleanups: "repository_cleanup",
} as const;

export function repositoriesOf(state: ClusterState): ReadonlyMap<string, RepositoryMetadata> {
  const section = customOf(state, snapshotSections.repositories);
  if (!isJsonObject(section)) return new Map();
  return new Map(Object.entries(section)) as unknown as ReadonlyMap<string, RepositoryMetadata>;
}

export function withRepositories(
  state: ClusterState,
  repositories: ReadonlyMap<string, RepositoryMetadata>,
): ClusterState {
  const section = repositories.size === 0 ? undefined : Object.fromEntries(repositories);
  return withCustom(state, snapshotSections.repositories, section as Json | undefined);
}

function listOf(state: ClusterState, section: string, key: string): readonly Json[] {
  const value = customOf(state, section);
  const list = isJsonObject(value) ? lookup(value, key) : undefined;
  return Array.isArray(list) ? list : [];
}

function withList(
  state: ClusterState,
  { section, key }: { readonly section: string; readonly key: string },
  list: readonly unknown[],
): ClusterState {
  if (list.length === 0 && customOf(state, section) === undefined) return state;
  return withCustom(
    state,
    section,
    list.length === 0 ? undefined : ({ [key]: list } as unknown as Json),
  );
}

/** Running snapshots in the order in which they were begun, which is the order of their shards' generations. */
export function snapshotsOf(state: ClusterState): readonly SnapshotEntry[] {
  return listOf(state, snapshotSections.snapshots, "snapshots") as unknown as SnapshotEntry[];
}

export function withSnapshots(
  state: ClusterState,
  entries: readonly SnapshotEntry[],
): ClusterState {
  return withList(state, { section: snapshotSections.snapshots, key: "snapshots" }, entries);
}

export function deletionsOf(state: ClusterState): readonly SnapshotDeletion[] {
  const list = listOf(state, snapshotSections.deletions, "snapshot_deletions");
  return list as unknown as SnapshotDeletion[];
}

export function withDeletions(
  state: ClusterState,
  entries: readonly SnapshotDeletion[],
): ClusterState {
  const where = { section: snapshotSections.deletions, key: "snapshot_deletions" };
  return withList(state, where, entries);
}

export function restoresOf(state: ClusterState): readonly RestoreEntry[] {
  return listOf(state, snapshotSections.restores, "snapshots") as unknown as RestoreEntry[];
}

export function withRestores(state: ClusterState, entries: readonly RestoreEntry[]): ClusterState {
  return withList(state, { section: snapshotSections.restores, key: "snapshots" }, entries);
}

export function cleanupsOf(state: ClusterState): readonly RepositoryCleanup[] {
  const list = listOf(state, snapshotSections.cleanups, "repository_cleanup");
  return list as unknown as RepositoryCleanup[];
}

export function withCleanups(
  state: ClusterState,
  entries: readonly RepositoryCleanup[],
): ClusterState {
  const where = { section: snapshotSections.cleanups, key: "repository_cleanup" };
  return withList(state, where, entries);
}
