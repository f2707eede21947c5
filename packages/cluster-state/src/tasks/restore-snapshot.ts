/**
 * Begins a restore (`RestoreService`): creates the indices, or replaces closed ones of the same name, with a snapshot as
 * the recovery source of their primaries.
 */
import { appendAll, type Json, type Problem } from "@orrery/stdx";
import { takenAliasProblem } from "../aliases.ts";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { fullIndexMetadata, type PlainIndexMetadata } from "../codec.ts";
import {
  streamAliasProblem,
  streamNameProblem,
  takenStreamName,
  withDataStream,
} from "../data-streams.ts";
import { validateNewIndexName } from "../index-names.ts";
import { unassignedRow } from "../routing-rows.ts";
import { shardLimitProblem, totalCopies } from "../shard-limit.ts";
import { concurrentSnapshot, repositoryMissing } from "../snapshots/problems.ts";
import { stateOf } from "../snapshots/restores.ts";
import {
  deletionsOf,
  repositoriesOf,
  restoresOf,
  withRestores,
  type RestoreShard,
} from "../snapshots/sections.ts";
import { restoredTemplates } from "../templates/sections.ts";
import type {
  ClusterState,
  IndexMetadata,
  IndexRoutingTable,
  Outcome,
  RecoverySource,
  Settings,
} from "../types.ts";
import { rejected, unchanged, updated, withIndex, withRow } from "../updates.ts";

export interface RestoreSnapshot {
  readonly kind: "restore-snapshot";
  readonly uuid: string;
  readonly repository: string;
  readonly snapshot: string;
  readonly snapshotUuid: string;
  readonly indices: readonly RestoredIndex[];
  /** Data streams under their new names; their backing indices are among `indices`. */
  readonly dataStreams?: readonly RestoredDataStream[];
  /** Global metadata, which replaces that of the cluster. */
  readonly global?: {
    readonly persistentSettings: Settings;
    readonly customs: readonly (readonly [string, Json])[];
  };
  readonly nowMs: number;
}

/** A data stream that a restore creates. */
export interface RestoredDataStream {
  readonly name: string;
  readonly timestampField: string;
  /** Backing indices under their new names, oldest first. */
  readonly indices: readonly string[];
  readonly generation: number;
}

/** An index that a restore creates, or by which it replaces a closed index of the same name. */
export interface RestoredIndex {
  /** Name of the index in the snapshot. */
  readonly source: string;
  /** Id of the index inside the repository. */
  readonly id: string;
  readonly pathType: string;
  /**
   * Metadata under the new name. If it replaces a closed index, the reducer keeps that index's uuid, and raises
   * versions and primary terms.
   */
  readonly metadata: PlainIndexMetadata;
  /** Whether an existing index keeps its aliases. */
  readonly keepsAliases?: boolean;
  /** Shards that the snapshot does not contain; they are restored empty. */
  readonly missingShards: readonly number[];
}

/**
 * Begins a restore. Unchanged when a restore of this uuid is running. The whole restore is rejected when one of its
 * indices is open in the cluster or cannot be created, when an alias or data stream name is taken, or when the snapshot
 * is being deleted.
 */
export function restoreSnapshot(state: ClusterState, task: RestoreSnapshot): Outcome {
  if (restoresOf(state).some(({ uuid }) => uuid === task.uuid)) return unchanged;
  const problem = problemWith(state, task);
  if (problem !== undefined) return rejected(problem);
  let next = withGlobal(state, task);
  const shards: RestoreShard[] = [];
  const restored: [string, IndexMetadata][] = [];
  for (const index of task.indices) {
    const metadata = restoredMetadata(next, index);
    const nameProblem = state.metadata.indices.has(metadata.name)
      ? undefined
      : validateNewIndexName(state, metadata.name);
    const indexProblem = nameProblem ?? indexProblemOf(next, task, index.source, metadata);
    if (indexProblem !== undefined) return rejected(indexProblem);
    next = withRow(withIndex(next, metadata), restoredRow(next, task, index, metadata));
    appendAll(shards, restoreShards(index, metadata));
    restored.push([index.source, metadata]);
  }
  const aliasTrouble = aliasProblemOf(next, task, restored);
  if (aliasTrouble !== undefined) return rejected(aliasTrouble);
  if (task.indices.length > 0) {
    const entry = {
      uuid: task.uuid,
      repository: task.repository,
      snapshot: task.snapshot,
      snapshot_uuid: task.snapshotUuid,
      state: stateOf(shards),
      indices: task.indices.map(({ metadata }) => metadata.name),
      shards,
    };
    next = withRestores(next, [...restoresOf(next), entry]);
  }
  for (const stream of task.dataStreams ?? []) {
    const taken = takenStreamName(next, stream.name);
    if (taken !== undefined) return rejected(taken);
    next = withRestoredStream(next, stream);
  }
  return next === state ? unchanged : updated(withAutoExpandedReplicas(next));
}

function withRestoredStream(state: ClusterState, stream: RestoredDataStream): ClusterState {
  const indices = stream.indices.flatMap((name) => {
    const uuid = state.metadata.indices.get(name)?.uuid;
    return uuid === undefined ? [] : [{ index_name: name, index_uuid: uuid }];
  });
  const { name, generation, timestampField } = stream;
  const timestamp = { name: timestampField };
  return withDataStream(state, { name, timestamp_field: timestamp, indices, generation });
}

function problemWith(state: ClusterState, task: RestoreSnapshot): Problem | undefined {
  const { repository, snapshot, snapshotUuid } = task;
  if (!repositoriesOf(state).has(repository)) return repositoryMissing(repository);
  const deletion = deletionsOf(state).find(({ snapshots }) =>
    snapshots.some(({ uuid }) => uuid === snapshotUuid),
  );
  if (deletion === undefined) return undefined;
  const names = deletion.snapshots.map(({ name }) => name).join(", ");
  const what = `cannot restore a snapshot while a snapshot deletion is in-progress [${names}]`;
  return concurrentSnapshot(repository, snapshot, what);
}

function indexProblemOf(
  state: ClusterState,
  task: RestoreSnapshot,
  source: string,
  metadata: IndexMetadata,
): Problem | undefined {
  const existing = state.metadata.indices.get(metadata.name);
  const added = totalCopies(metadata);
  const limit = shardLimitProblem(state, added);
  if (existing === undefined) {
    return limit ?? streamNameProblem(state, metadata, [...metadata.aliases.keys()]);
  }
  const refused = (what: string): Problem =>
    refusal(task, `cannot restore index [${metadata.name}] ${what}`);
  if (existing.state === "open") {
    return refused(
      "because an open index with same name already exists in the cluster. Either close or delete the existing index or restore the index under a different name by providing a rename pattern and replacement name",
    );
  }
  if (existing.numberOfShards !== metadata.numberOfShards) {
    return refused(
      `with [${existing.numberOfShards}] shards from a snapshot of index [${source}] with [${metadata.numberOfShards}] shards`,
    );
  }
  return limit;
}

/** The problem of a restored alias that has the name of an index or data stream. The names themselves come from the snapshot or from a replacement, and are not validated. */
function aliasProblemOf(
  state: ClusterState,
  task: RestoreSnapshot,
  restored: readonly (readonly [source: string, metadata: IndexMetadata])[],
): Problem | undefined {
  const aliases = new Set(restored.flatMap(([, index]) => [...index.aliases.keys()]));
  const own = restored.find(([, { name }]) => aliases.has(name));
  if (own !== undefined) {
    const [source, { name }] = own;
    const what = "because of conflict with an alias with the same name";
    return refusal(task, `cannot rename index [${source}] into [${name}] ${what}`);
  }
  for (const [, index] of restored) {
    for (const alias of index.aliases.keys()) {
      if (state.metadata.indices.has(alias)) return takenAliasProblem(index, alias);
      const problem = streamAliasProblem(state, index, alias);
      if (problem !== undefined) return problem;
    }
  }
  return undefined;
}

function refusal({ repository, snapshot, snapshotUuid }: RestoreSnapshot, what: string): Problem {
  return {
    type: "snapshot_restore_exception",
    reason: `[${repository}:${snapshot}/${snapshotUuid}] ${what}`,
    status: 500,
  };
}

/** Metadata of a restored index. An existing one keeps its uuid, so that recovery can reuse files on disk, and its versions and primary terms only grow. */
function restoredMetadata(state: ClusterState, index: RestoredIndex): IndexMetadata {
  const { metadata, keepsAliases } = index;
  const wanted = fullIndexMetadata(metadata);
  const base = { ...wanted, inSyncAllocationIds: wanted.primaryTerms.map(() => []) };
  const existing = state.metadata.indices.get(wanted.name);
  if (existing === undefined) return base;
  const { uuid } = existing;
  return {
    ...base,
    uuid,
    aliases: keepsAliases === true ? existing.aliases : base.aliases,
    settings: { ...wanted.settings, "index.uuid": uuid },
    version: Math.max(wanted.version, existing.version + 1),
    mappingVersion: Math.max(wanted.mappingVersion, existing.mappingVersion + 1),
    settingsVersion: Math.max(wanted.settingsVersion, existing.settingsVersion + 1),
    aliasesVersion: Math.max(wanted.aliasesVersion, existing.aliasesVersion + 1),
    primaryTerms: wanted.primaryTerms.map((term, shard) =>
      Math.max(term, existing.primaryTerms[shard] ?? 0),
    ),
  };
}

function restoredRow(
  state: ClusterState,
  task: RestoreSnapshot,
  index: RestoredIndex,
  metadata: IndexMetadata,
): IndexRoutingTable {
  const isNew = !state.metadata.indices.has(metadata.name);
  const reason = isNew ? "NEW_INDEX_RESTORED" : "EXISTING_INDEX_RESTORED";
  const source: RecoverySource = {
    type: "SNAPSHOT",
    repository: task.repository,
    snapshot: task.snapshot,
    snapshotUuid: task.snapshotUuid,
    index: index.source,
    indexId: index.id,
    pathType: index.pathType,
  };
  const details = `restore_source[${task.repository}/${task.snapshot}]`;
  const row = unassignedRow(metadata, { reason, atMs: task.nowMs, details }, source);
  const missing = new Set(index.missingShards);
  const shards = row.shards.map((copies, shard) =>
    missing.has(shard)
      ? copies.map((copy) =>
          copy.primary ? { ...copy, recoverySource: { type: "EMPTY_STORE" as const } } : copy,
        )
      : copies,
  );
  return { ...row, shards };
}

function restoreShards(index: RestoredIndex, metadata: IndexMetadata): readonly RestoreShard[] {
  const missing = new Set(index.missingShards);
  return metadata.primaryTerms.map((_, shard): RestoreShard =>
    missing.has(shard)
      ? { index: metadata.name, shard, state: "FAILURE", reason: "missing in the snapshot" }
      : { index: metadata.name, shard, state: "INIT" },
  );
}

function withGlobal(state: ClusterState, { global }: RestoreSnapshot): ClusterState {
  if (global === undefined) return state;
  const { metadata } = state;
  const restored = global.customs.map(
    ([section, value]) => [section, restoredTemplates(state, section, value)] as const,
  );
  const customs = new Map([...metadata.customs, ...restored]);
  return {
    ...state,
    metadata: { ...metadata, persistentSettings: global.persistentSettings, customs },
  };
}
