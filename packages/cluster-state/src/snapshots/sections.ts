/**
 * What the cluster state knows of repositories and of work on them: custom sections, in the product's shapes (`RepositoriesMetadata`,
 * `SnapshotsInProgress`, `SnapshotDeletionsInProgress`, `RestoreInProgress`, `RepositoryCleanupInProgress`).
 */
import { isJsonObject, lookup, type Json, type JsonObject, type NodeId } from "@orrery/stdx";
import { customOf, withCustom } from "../customs.ts";
import type { ClusterState, SettingsChange } from "../types.ts";

export interface RepositoryMetadata {
  readonly type: string;
  readonly settings: SettingsChange;
  /** The one in force: `UNKNOWN_GENERATION`, `CORRUPTED_GENERATION`, −1 for an empty one, or N of `index-N`. */
  readonly generation: number;
  /** The highest that anybody was ever allowed to write. */
  readonly pending_generation: number;
}

/** Nobody has looked yet. */
export const UNKNOWN_GENERATION = -2;
export const CORRUPTED_GENERATION = -3;

export interface SnapshotIndex {
  readonly name: string;
  /** Of the index inside the repository. */
  readonly id: string;
  readonly path_type: string;
}

export type ShardSnapshotState =
  | "INIT"
  | "WAITING"
  | "QUEUED"
  | "ABORTED"
  | "SUCCESS"
  | "FAILED"
  | "MISSING";

export interface ShardSnapshotEntry {
  readonly index: { readonly index_name: string; readonly index_uuid: string };
  /** Of the index inside the repository. */
  readonly id: string;
  readonly shard: number;
  readonly state: ShardSnapshotState;
  readonly node?: NodeId;
  readonly reason?: string;
  /** Of the shard inside the repository: what it starts from, and once it is done what it has become. */
  readonly generation: string | null;
}

export type SnapshotEntryState = "STARTED" | "SUCCESS" | "ABORTED";

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
  /** Of a clone: whose files it takes over. */
  readonly clone_source?: { readonly name: string; readonly uuid: string };
  /** As the repository's settings say, or the source of a clone; only where it is so. It is shown, and has no effect. */
  readonly remote_store_index_shallow_copy?: true;
}

export interface SnapshotDeletion {
  readonly uuid: string;
  readonly repository: string;
  readonly snapshots: readonly { readonly name: string; readonly uuid: string }[];
  readonly start_time_millis: number;
  readonly state: "WAITING" | "STARTED";
}

export type RestoreState = "INIT" | "STARTED" | "SUCCESS" | "FAILURE";

export interface RestoreShard {
  readonly index: string;
  readonly shard: number;
  readonly state: RestoreState;
  readonly reason?: string;
}

export interface RestoreEntry {
  readonly uuid: string;
  readonly repository: string;
  readonly snapshot: string;
  readonly snapshot_uuid: string;
  readonly state: RestoreState;
  readonly indices: readonly string[];
  readonly shards: readonly RestoreShard[];
}

export interface RepositoryCleanup {
  readonly uuid: string;
  readonly repository: string;
}

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

/** In the order they were started. */
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
