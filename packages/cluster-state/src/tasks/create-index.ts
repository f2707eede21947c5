/** Creates an index (`MetadataCreateIndexService`): its metadata, and unassigned copies in the routing table, which the allocator places in the same log entry. */
import type { AllocationId, IndexUuid, JsonObject, Problem } from "@orrery/stdx";
import { aliasAgreementProblem, aliasProblem, takenAliasProblem } from "../aliases.ts";
import { withAutoExpandedReplicas } from "../auto-expand.ts";
import { replicaBalanceComplaint } from "../awareness.ts";
import { streamNameProblem } from "../data-streams.ts";
import { defaultRoutingShards, shardCountProblem } from "../index-metadata.ts";
import { validateNewIndexName } from "../index-names.ts";
import { unassignedRow } from "../routing-rows.ts";
import { indexSetting } from "../settings/registry.ts";
import { validateStoredSettings, validationProblem } from "../settings/validate.ts";
import { shardLimitProblem, totalCopies } from "../shard-limit.ts";
import type {
  AliasMetadata,
  ClusterState,
  IndexMetadata,
  Outcome,
  RecoverySource,
  Settings,
  UnassignedReason,
} from "../types.ts";
import { rejected, updated, withIndex, withRow } from "../updates.ts";
import type { Rules } from "../rules.ts";

export interface CreateIndex {
  readonly kind: "create-index";
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly creationDateMs: number;
  /** Complete settings, from `completeIndexSettings`. */
  readonly settings: Settings;
  readonly mapping: JsonObject;
  readonly aliases: Readonly<Record<string, AliasMetadata>>;
  readonly isSystem?: boolean;
  /** Recovery source of primaries; default: an empty store. Set for resizes, restores and dangling imports. */
  readonly recoverySource?: RecoverySource;
  readonly unassignedReason?: UnassignedReason;
  /** Primary terms by shard number, for an index that continues a history. */
  readonly primaryTerms?: readonly number[];
  /** In-sync sets by shard number, for an index whose copies are on disk. */
  readonly inSyncAllocationIds?: readonly (readonly AllocationId[])[];
  /** Number of routing shards of the source, for a resize. */
  readonly routingNumShards?: number;
  /** Time in the unassigned info; default: the creation date. */
  readonly nowMs?: number;
}

/**
 * Creates an index. Rejected for an invalid or taken name, invalid settings or aliases, and beyond the limit of shards.
 * `ofStream`: for a backing index of a data stream, the state without this stream, against which the name is checked.
 */
export function createIndex(
  state: ClusterState,
  task: CreateIndex,
  { settings }: Rules,
  ofStream?: ClusterState,
): Outcome {
  const invalid =
    validateNewIndexName(state, task.name) ?? validateStoredSettings(settings.index, task.settings);
  if (invalid !== undefined) return rejected(invalid);
  if (!indexSetting(task, "index.soft_deletes.enabled")) return rejected(withoutSoftDeletes);
  const unbalanced = task.name.startsWith(".")
    ? undefined
    : replicaBalanceComplaint(state, task.settings);
  if (unbalanced !== undefined) return rejected(validationProblem(`1: ${unbalanced};`));
  const metadata = metadataOf(task);
  const error =
    createProblem(state, task, metadata) ??
    streamNameProblem(ofStream ?? state, task, Object.keys(task.aliases));
  if (error !== undefined) return rejected(error);
  const unassigned = {
    reason: task.unassignedReason ?? "INDEX_CREATED",
    atMs: task.nowMs ?? task.creationDateMs,
  } as const;
  const row = unassignedRow(metadata, unassigned, task.recoverySource);
  return updated(withAutoExpandedReplicas(withRow(withIndex(state, metadata), row)));
}

const withoutSoftDeletes: Problem = {
  type: "illegal_argument_exception",
  reason:
    "Creating indices with soft-deletes disabled is no longer supported. Please do not specify a value for setting [index.soft_deletes.enabled].",
  status: 400,
};

function createProblem(
  state: ClusterState,
  task: CreateIndex,
  metadata: IndexMetadata,
): Problem | undefined {
  const aliases = Object.entries(task.aliases);
  return (
    shardCountProblem(task.name, task.settings, metadata.routingNumShards) ??
    firstProblem(aliases, ([alias, added]) => newAliasProblem(state, task, alias, added)) ??
    shardLimitProblem(state, totalCopies(metadata)) ??
    aliasAgreementProblem(
      [metadata, ...state.metadata.indices.values()],
      aliases.map(([alias]) => alias),
    )
  );
}

function newAliasProblem(
  state: ClusterState,
  task: CreateIndex,
  alias: string,
  metadata: AliasMetadata,
): Problem | undefined {
  if (alias !== task.name) return aliasProblem(state, task, alias, metadata);
  return takenAliasProblem(task, alias);
}

function firstProblem<Item>(
  items: readonly Item[],
  problemOf: (item: Item) => Problem | undefined,
): Problem | undefined {
  for (const item of items) {
    const problem = problemOf(item);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function metadataOf(task: CreateIndex): IndexMetadata {
  const { settings } = task;
  const numberOfShards = indexSetting({ settings }, "index.number_of_shards");
  const explicit = settings["index.number_of_routing_shards"] !== undefined;
  const routingNumShards = explicit
    ? indexSetting({ settings }, "index.number_of_routing_shards")
    : defaultRoutingShards(numberOfShards);
  const shards = Array.from({ length: numberOfShards }, (_, shard) => shard);
  return {
    name: task.name,
    uuid: task.uuid,
    state: "open",
    creationDateMs: Number(settings["index.creation_date"] ?? task.creationDateMs),
    version: 1,
    mappingVersion: 1,
    settingsVersion: 1,
    aliasesVersion: 1,
    settings,
    mapping: task.mapping,
    aliases: new Map(Object.entries(task.aliases)),
    numberOfShards,
    numberOfReplicas: indexSetting({ settings }, "index.number_of_replicas"),
    routingNumShards: task.routingNumShards ?? routingNumShards,
    primaryTerms: shards.map((shard) => task.primaryTerms?.[shard] ?? 0),
    inSyncAllocationIds: shards.map((shard) => task.inSyncAllocationIds?.[shard] ?? []),
    isSystem: task.isSystem ?? false,
  };
}
