/** Changes settings of indices (`MetadataUpdateSettingsService`): dynamic ones of open indices, all but final ones of closed indices. */
import { compareText, type Problem } from "@orrery/stdx";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { shardCountProblem, withSettings } from "../index-metadata.ts";
import { withReplicas } from "../routing-rows.ts";
import { changeSettings, isSameSettings } from "../settings/change.ts";
import { clusterSetting } from "../settings/registry.ts";
import { settingOf, type SettingTable } from "../settings/table.ts";
import { replicaBalanceComplaint } from "../awareness.ts";
import {
  validateIndexSettings,
  validateStoredSettings,
  validationProblem,
} from "../settings/validate.ts";
import { shardLimitProblem } from "../shard-limit.ts";
import type { ClusterState, IndexMetadata, Outcome, Settings, SettingsChange } from "../types.ts";
import { indexNotFound, rejected, unchanged, updated, withIndex, withRow } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface UpdateIndexSettings {
  readonly kind: "update-index-settings";
  readonly indices: readonly string[];
  /** Flat settings with the prefix `index.`; null resets. */
  readonly settings: SettingsChange;
  /** Whether settings that an index already has are kept. */
  readonly preserveExisting: boolean;
  readonly nowMs: number;
}

/**
 * Changes settings of several indices. The change of all is rejected when a setting is invalid for one index, or static
 * while one index is open, when an index is missing, or when new replicas exceed the limit of shards.
 */
export function updateIndexSettings(
  state: ClusterState,
  task: UpdateIndexSettings,
  { settings: known }: Rules,
): Outcome {
  const invalid = validateIndexSettings(known.index, task.settings, { isCreate: false });
  if (invalid !== undefined) return rejected(invalid);
  const indices: IndexMetadata[] = [];
  for (const name of task.indices) {
    const metadata = state.metadata.indices.get(name);
    if (metadata === undefined) return rejected(indexNotFound(name));
    indices.push(metadata);
  }
  const error =
    staticSettingsProblem(known.index, indices, task.settings) ??
    limitProblem(state, indices, task);
  if (error !== undefined) return rejected(error);
  let next = state;
  for (const metadata of indices) {
    const changed = changeOne(next, metadata, task, known.index);
    if ("kind" in changed) return changed;
    next = changed;
  }
  return next === state ? unchanged : updated(withAutoExpandedReplicas(next, task.nowMs));
}

function staticSettingsProblem(
  known: SettingTable,
  indices: readonly IndexMetadata[],
  settings: SettingsChange,
): Problem | undefined {
  const open = indices.filter((metadata) => metadata.state === "open");
  const fixed = Object.keys(settings)
    .filter((key) => settingOf(known, key)?.isDynamic !== true && !key.includes("*"))
    .toSorted(compareText);
  if (open.length === 0 || fixed.length === 0) return undefined;
  const names = open.map(({ name, uuid }) => `[${name}/${uuid}]`);
  return {
    type: "illegal_argument_exception",
    reason: `Can't update non dynamic settings [[${fixed.join(", ")}]] for open indices [${names.join(", ")}]`,
    status: 400,
  };
}

/** The problem of the copies that a greater number of replicas would add; undefined within the limits. */
function limitProblem(
  state: ClusterState,
  indices: readonly IndexMetadata[],
  task: UpdateIndexSettings,
): Problem | undefined {
  const wanted = task.settings["index.number_of_replicas"];
  if (typeof wanted !== "string" || task.preserveExisting) return undefined;
  const unbalanced = indices.some(({ name }) => !name.startsWith("."))
    ? replicaBalanceComplaint(state, task.settings)
    : undefined;
  if (unbalanced !== undefined) return validationProblem(`1: ${unbalanced};`);
  const added = indices
    .filter((metadata) => metadata.state === "open")
    .map((metadata) => (Number(wanted) - metadata.numberOfReplicas) * metadata.numberOfShards);
  return shardLimitProblem(
    state,
    added.reduce((sum, copies) => sum + copies, 0),
  );
}

function changeOne(
  state: ClusterState,
  metadata: IndexMetadata,
  task: UpdateIndexSettings,
  known: SettingTable,
): ClusterState | Extract<Outcome, { kind: "rejected" }> {
  const changed = changeSettings(metadata.settings, task.settings, {
    table: known,
    type: metadata.name,
    onlyDynamic: metadata.state === "open",
  });
  if (changed.kind === "rejected") return changed;
  if (changed.kind === "same") return state;
  const kept = task.preserveExisting
    ? { ...changed.settings, ...metadata.settings }
    : changed.settings;
  const settings = withDefaultReplicas(state, kept);
  if (isSameSettings(settings, metadata.settings)) return state;
  const error =
    validateStoredSettings(known, settings) ??
    shardCountProblem(metadata.name, settings, metadata.routingNumShards);
  if (error !== undefined) return { kind: "rejected", error };
  const next = withSettings(
    { ...metadata, settingsVersion: metadata.settingsVersion + 1, version: metadata.version + 1 },
    settings,
  );
  return withReplicaRows(withIndex(state, next), metadata, next, task.nowMs);
}

/** Settings that always contain the number of replicas: resetting it stores the cluster's default. */
function withDefaultReplicas(state: ClusterState, settings: Settings): Settings {
  if (settings["index.number_of_replicas"] !== undefined) return settings;
  const replicas = clusterSetting(state, "cluster.default_number_of_replicas");
  return { ...settings, "index.number_of_replicas": String(replicas) };
}

function withReplicaRows(
  state: ClusterState,
  before: IndexMetadata,
  after: IndexMetadata,
  nowMs: number,
): ClusterState {
  const row = state.routingTable.get(after.name);
  if (row === undefined || before.numberOfReplicas === after.numberOfReplicas) return state;
  return withRow(state, withReplicas(row, after.numberOfReplicas, nowMs));
}
