/**
 * Shapes of tasks, log entries, nodes and states that come from other nodes or from a disk: a row for every kind of task.
 *
 * They guarantee the fields and types that reducers read, before anything is proposed or appended to a log. Whether a
 * task makes sense on a state is decided by its reducer.
 */
import { OperationError, type AllocationId, type IndexUuid, type Problem } from "@orrery/stdx";
import type { PlainIndexMetadata, PlainState } from "./codec.ts";
import type { DecommissionStatus } from "./decommission.ts";
import type { LogEntry } from "./entry.ts";
import * as is from "./shape.ts";
import type { Shape } from "./shape.ts";
import type { SnapshotIndex } from "./snapshots/sections.ts";
import type { AliasAction } from "./tasks/update-aliases.ts";
import type { CreateIndex } from "./tasks/create-index.ts";
import type { NewSnapshotIndex } from "./tasks/create-snapshot.ts";
import type { RestoredDataStream, RestoredIndex } from "./tasks/restore-snapshot.ts";
import type { SetRepositoryGeneration } from "./tasks/set-repository-generation.ts";
import type { ShardSnapshotUpdate } from "./tasks/update-snapshot-shards.ts";
import type { Task } from "./task.ts";
import type { Template } from "./templates/sections.ts";
import type {
  AliasMetadata,
  AllocationStatus,
  BlockLevel,
  ClusterBlock,
  DiscoveryNode,
  IndexMetadata,
  IndexRoutingTable,
  NodeRole,
  RecoverySource,
  RoutingDelta,
  ShardRow,
  ShardRouting,
  ShardRoutingState,
  UnassignedInfo,
  UnassignedReason,
} from "./types.ts";

type TaskOf<Kind extends Task["kind"]> = Extract<Task, { readonly kind: Kind }>;

const string = is.text<string>();
const setting = is.either(string, is.list(string));
const settings = is.record(setting);
const settingsChange = is.record(is.either(setting, is.only(null)));
const names = is.list(string);
const generations = is.list(is.either(string, is.only(null)));

/** Limit of the texts that describe a node. */
const NODE_TEXT_MOST = 4096;

const nodeRole = is.oneOf<NodeRole>({
  cluster_manager: true,
  data: true,
  ingest: true,
  remote_cluster_client: true,
  search: true,
  warm: true,
});

const node = is.object<DiscoveryNode>({
  id: is.text(),
  name: is.text(),
  ephemeralId: is.text(),
  hostName: is.text(),
  hostAddress: is.text(),
  transportAddress: is.text(),
  httpAddress: is.optional(is.text()),
  roles: is.list(nodeRole),
  attributes: is.record(is.text()),
  version: is.text(),
});

const alias = is.object<AliasMetadata>({
  filter: is.optional(is.jsonObject),
  indexRouting: is.optional(is.text()),
  searchRouting: is.optional(is.text()),
  isWriteIndex: is.optional(is.flag),
  isHidden: is.optional(is.flag),
});

const recoverySource = is.variants<"type", RecoverySource>("type", {
  EMPTY_STORE: is.object({ type: is.only("EMPTY_STORE") }),
  EXISTING_STORE: is.object({
    type: is.only("EXISTING_STORE"),
    bootstrapNewHistoryUuid: is.flag,
  }),
  PEER: is.object({ type: is.only("PEER") }),
  LOCAL_SHARDS: is.object({ type: is.only("LOCAL_SHARDS"), sourceIndex: is.text() }),
  SNAPSHOT: is.object<Extract<RecoverySource, { readonly type: "SNAPSHOT" }>>({
    type: is.only("SNAPSHOT"),
    repository: is.text(),
    snapshot: is.text(),
    snapshotUuid: is.text(),
    index: is.text(),
    indexId: is.optional(is.text()),
    pathType: is.optional(is.text()),
  }),
});

const unassignedReason = is.oneOf<UnassignedReason>({
  INDEX_CREATED: true,
  CLUSTER_RECOVERED: true,
  INDEX_REOPENED: true,
  DANGLING_INDEX_IMPORTED: true,
  NEW_INDEX_RESTORED: true,
  EXISTING_INDEX_RESTORED: true,
  REPLICA_ADDED: true,
  ALLOCATION_FAILED: true,
  NODE_LEFT: true,
  REROUTE_CANCELLED: true,
  REINITIALIZED: true,
  REALLOCATED_REPLICA: true,
  PRIMARY_FAILED: true,
  FORCED_EMPTY_PRIMARY: true,
  MANUAL_ALLOCATION: true,
  INDEX_CLOSED: true,
});

const unassignedInfo = is.object<UnassignedInfo>({
  reason: unassignedReason,
  atMs: is.number,
  delayed: is.flag,
  failedAllocations: is.count,
  failedNodeIds: is.list(is.text()),
  lastAllocationStatus: is.oneOf<AllocationStatus>({
    no_attempt: true,
    deciders_no: true,
    no_valid_shard_copy: true,
    deciders_throttled: true,
    fetching_shard_data: true,
    delayed_allocation: true,
  }),
  details: is.optional(is.text()),
});

const copy = is.object<ShardRouting>({
  index: is.text(),
  shard: is.count,
  primary: is.flag,
  state: is.oneOf<ShardRoutingState>({
    UNASSIGNED: true,
    INITIALIZING: true,
    STARTED: true,
    RELOCATING: true,
  }),
  nodeId: is.optional(is.text()),
  relocatingNodeId: is.optional(is.text()),
  allocationId: is.optional(is.text()),
  relocationId: is.optional(is.text()),
  recoverySource: is.optional(recoverySource),
  unassignedInfo: is.optional(unassignedInfo),
});

const routingRow = is.object<IndexRoutingTable>({
  index: is.text(),
  uuid: is.text(),
  shards: is.list(is.list(copy)),
});

const routingDelta = is.object<RoutingDelta>({
  indices: is.list(routingRow),
  shards: is.optional(
    is.list(
      is.object<ShardRow>({
        index: is.text(),
        uuid: is.text(),
        shard: is.count,
        copies: is.list(copy),
      }),
    ),
  ),
  terms: is.list(is.object({ index: is.text(), shard: is.count, primaryTerm: is.count })),
  inSync: is.list(
    is.object({ index: is.text(), shard: is.count, allocationIds: is.list(is.text()) }),
  ),
});

const indexFields = {
  name: string,
  uuid: is.text<IndexUuid>(),
  state: is.oneOf<"open" | "close">({ open: true, close: true }),
  creationDateMs: is.number,
  version: is.count,
  mappingVersion: is.count,
  settingsVersion: is.count,
  aliasesVersion: is.count,
  settings,
  mapping: is.jsonObject,
  numberOfShards: is.count,
  numberOfReplicas: is.count,
  routingNumShards: is.count,
  primaryTerms: is.list(is.count),
  inSyncAllocationIds: is.list(is.list(is.text<AllocationId>())),
  isSystem: is.flag,
  rolloverInfo: is.optional(is.jsonObject),
} as const;

const indexMetadata = is.object<PlainIndexMetadata>({
  ...indexFields,
  aliases: is.list(is.pair(is.text(), alias)),
});

const createIndex = is.object<CreateIndex>({
  kind: is.only("create-index"),
  name: is.text(),
  uuid: is.text(),
  creationDateMs: is.number,
  settings,
  mapping: is.jsonObject,
  aliases: is.record(alias),
  isSystem: is.optional(is.flag),
  recoverySource: is.optional(recoverySource),
  unassignedReason: is.optional(unassignedReason),
  primaryTerms: is.optional(is.list(is.count)),
  inSyncAllocationIds: is.optional(is.list(is.list(is.text()))),
  routingNumShards: is.optional(is.count),
  nowMs: is.optional(is.number),
});

const template = is.object<Template>({
  settings: is.optional(settings),
  mappings: is.optional(is.jsonObject),
  aliases: is.optional(is.record(alias)),
});

const aliasAction = is.variants<"kind", AliasAction>("kind", {
  add: is.object({
    kind: is.only("add"),
    index: is.text(),
    alias: is.text(),
    metadata: alias,
  }),
  remove: is.object<Extract<AliasAction, { readonly kind: "remove" }>>({
    kind: is.only("remove"),
    index: is.text(),
    alias: is.text(),
    mustExist: is.optional(is.flag),
  }),
  "remove-index": is.object({ kind: is.only("remove-index"), index: is.text() }),
});

const named = is.object({ name: is.text(), uuid: is.text() });

const snapshotIndexFields = {
  name: is.text(),
  id: is.text(),
  path_type: is.text(),
} satisfies Record<keyof SnapshotIndex, unknown>;

const deletedIndexFields = {
  index: string,
  uuid: is.text<IndexUuid>(),
  nowMs: is.number,
  maxTombstones: is.optional(is.count),
} as const;

type RepositoryChange = SetRepositoryGeneration["change"];
type ShardResult = ShardSnapshotUpdate["result"];

const shapes: { readonly [Kind in Task["kind"]]: Shape<TaskOf<Kind>> } = {
  "add-voting-config-exclusions": is.object<TaskOf<"add-voting-config-exclusions">>({
    kind: is.only("add-voting-config-exclusions"),
    exclusions: is.list(is.object({ nodeId: is.text(), nodeName: is.text() })),
    nodeSettings: is.optional(settings),
  }),
  "assign-raft-id": is.object<TaskOf<"assign-raft-id">>({
    kind: is.only("assign-raft-id"),
    nodeId: is.text(),
    replaces: is.optional(is.count),
  }),
  "become-cluster-manager": is.object<TaskOf<"become-cluster-manager">>({
    kind: is.only("become-cluster-manager"),
    node,
    joined: is.list(node),
    clusterUuid: is.text(),
    nowMs: is.optional(is.number),
  }),
  "clear-voting-config-exclusions": is.object({ kind: is.only("clear-voting-config-exclusions") }),
  "close-index": is.object<TaskOf<"close-index">>({
    kind: is.only("close-index"),
    step: is.oneOf<"block" | "close">({ block: true, close: true }),
    indices: names,
    nowMs: is.number,
  }),
  "create-data-stream": is.object<TaskOf<"create-data-stream">>({
    kind: is.only("create-data-stream"),
    name: is.text(),
    timestampField: is.text(),
    index: createIndex,
  }),
  "create-index": createIndex,
  "create-snapshot": is.object<TaskOf<"create-snapshot">>({
    kind: is.only("create-snapshot"),
    repository: is.text(),
    snapshot: is.text(),
    uuid: is.text(),
    repositoryGeneration: is.integer,
    indices: is.list(is.object<NewSnapshotIndex>({ ...snapshotIndexFields, generations })),
    dataStreams: is.optional(names),
    includeGlobalState: is.flag,
    partial: is.flag,
    metadata: is.optional(is.jsonObject),
    nowMs: is.number,
    cloneSource: is.optional(named),
    remoteStoreIndexShallowCopy: is.optional(is.flag),
  }),
  "decommission-zone": is.object<TaskOf<"decommission-zone">>({
    kind: is.only("decommission-zone"),
    attribute: is.text(),
    value: is.text(),
    requestId: is.text(),
    weighsAway: is.optional(is.flag),
    nodeSettings: is.optional(settings),
  }),
  "delete-dangling-index": is.object<TaskOf<"delete-dangling-index">>({
    kind: is.only("delete-dangling-index"),
    ...deletedIndexFields,
  }),
  "delete-data-streams": is.object<TaskOf<"delete-data-streams">>({
    kind: is.only("delete-data-streams"),
    names,
    nowMs: is.number,
    maxTombstones: is.optional(is.count),
  }),
  "delete-decommission-state": is.object({ kind: is.only("delete-decommission-state") }),
  "delete-index": is.object<TaskOf<"delete-index">>({
    kind: is.only("delete-index"),
    ...deletedIndexFields,
  }),
  "delete-repository": is.object<TaskOf<"delete-repository">>({
    kind: is.only("delete-repository"),
    name: is.text(),
  }),
  "delete-snapshots": is.object<TaskOf<"delete-snapshots">>({
    kind: is.only("delete-snapshots"),
    uuid: is.text(),
    repository: is.text(),
    repositoryGeneration: is.integer,
    snapshots: is.list(named),
    nowMs: is.number,
  }),
  "delete-ingest-pipelines": is.object<TaskOf<"delete-ingest-pipelines">>({
    kind: is.only("delete-ingest-pipelines"),
    pattern: is.text(),
  }),
  "delete-templates": is.object<TaskOf<"delete-templates">>({
    kind: is.only("delete-templates"),
    of: is.oneOf<"component" | "index" | "legacy">({ component: true, index: true, legacy: true }),
    pattern: is.text(),
  }),
  "delete-weighted-routing": is.object<TaskOf<"delete-weighted-routing">>({
    kind: is.only("delete-weighted-routing"),
    version: is.integer,
    attribute: is.optional(is.text()),
  }),
  "finish-deletion": is.object<TaskOf<"finish-deletion">>({
    kind: is.only("finish-deletion"),
    uuid: is.text(),
    shardGenerations: is.optional(is.record(generations)),
  }),
  "finish-repository-cleanup": is.object<TaskOf<"finish-repository-cleanup">>({
    kind: is.only("finish-repository-cleanup"),
    uuid: is.text(),
  }),
  "finish-restore": is.object<TaskOf<"finish-restore">>({
    kind: is.only("finish-restore"),
    uuid: is.text(),
  }),
  "finish-snapshot": is.object<TaskOf<"finish-snapshot">>({
    kind: is.only("finish-snapshot"),
    uuid: is.text(),
    written: is.optional(
      is.object({ repository: is.text(), expected: is.integer, generation: is.integer }),
    ),
  }),
  "follow-repositories": is.object({ kind: is.only("follow-repositories") }),
  "import-dangling-index": is.object<TaskOf<"import-dangling-index">>({
    kind: is.only("import-dangling-index"),
    metadata: is.object<Omit<IndexMetadata, "aliases">>(indexFields),
    historyUuid: is.text(),
    nowMs: is.number,
  }),
  "node-join": is.object<TaskOf<"node-join">>({
    kind: is.only("node-join"),
    node,
    clusterUuid: is.optional(is.text()),
    nowMs: is.optional(is.number),
  }),
  "node-left": is.object<TaskOf<"node-left">>({
    kind: is.only("node-left"),
    nodeId: is.text(),
    reason: is.text(),
    nowMs: is.optional(is.number),
  }),
  "open-index": is.object<TaskOf<"open-index">>({
    kind: is.only("open-index"),
    indices: names,
    nowMs: is.number,
  }),
  "plugin-task": is.object<TaskOf<"plugin-task">>({
    kind: is.only("plugin-task"),
    name: is.text(),
    body: is.jsonObject,
  }),
  "put-component-template": is.object<TaskOf<"put-component-template">>({
    kind: is.only("put-component-template"),
    name: is.text(),
    create: is.flag,
    template: is.object<TaskOf<"put-component-template">["template"]>({
      template,
      version: is.optional(is.number),
      _meta: is.optional(is.jsonObject),
    }),
  }),
  "put-ingest-pipeline": is.object<TaskOf<"put-ingest-pipeline">>({
    kind: is.only("put-ingest-pipeline"),
    id: is.text(),
    definition: is.text(),
  }),
  "put-index-template": is.object<TaskOf<"put-index-template">>({
    kind: is.only("put-index-template"),
    name: is.text(),
    create: is.flag,
    template: is.object<TaskOf<"put-index-template">["template"]>({
      index_patterns: names,
      template: is.optional(template),
      composed_of: is.optional(names),
      priority: is.optional(is.number),
      version: is.optional(is.number),
      _meta: is.optional(is.jsonObject),
      data_stream: is.optional(is.object({ timestamp_field: is.object({ name: is.text() }) })),
    }),
  }),
  "put-legacy-template": is.object<TaskOf<"put-legacy-template">>({
    kind: is.only("put-legacy-template"),
    name: is.text(),
    create: is.flag,
    template: is.object<TaskOf<"put-legacy-template">["template"]>({
      order: is.number,
      version: is.optional(is.number),
      index_patterns: names,
      settings,
      mappings: is.jsonObject,
      aliases: is.record(alias),
    }),
  }),
  "put-mapping": is.object<TaskOf<"put-mapping">>({
    kind: is.only("put-mapping"),
    index: is.text(),
    uuid: is.text(),
    expectedMappingVersion: is.integer,
    mapping: is.jsonObject,
  }),
  "put-repository": is.object<TaskOf<"put-repository">>({
    kind: is.only("put-repository"),
    name: is.text(),
    type: is.text(),
    settings: settingsChange,
  }),
  "put-weighted-routing": is.object<TaskOf<"put-weighted-routing">>({
    kind: is.only("put-weighted-routing"),
    attribute: is.text(),
    weights: is.record(is.number),
    version: is.integer,
    nodeSettings: is.optional(settings),
  }),
  "reconfigure-voters": is.object<TaskOf<"reconfigure-voters">>({
    kind: is.only("reconfigure-voters"),
    voters: is.list(is.text()),
  }),
  "recover-state": is.object<TaskOf<"recover-state">>({
    kind: is.only("recover-state"),
    nowMs: is.number,
  }),
  "restore-snapshot": is.object<TaskOf<"restore-snapshot">>({
    kind: is.only("restore-snapshot"),
    uuid: is.text(),
    repository: is.text(),
    snapshot: is.text(),
    snapshotUuid: is.text(),
    indices: is.list(
      is.object<RestoredIndex>({
        source: is.text(),
        id: is.text(),
        pathType: is.text(),
        metadata: indexMetadata,
        keepsAliases: is.optional(is.flag),
        missingShards: is.list(is.count),
      }),
    ),
    dataStreams: is.optional(
      is.list(
        is.object<RestoredDataStream>({
          name: is.text(),
          timestampField: is.text(),
          indices: names,
          generation: is.count,
        }),
      ),
    ),
    global: is.optional(
      is.object({
        persistentSettings: settings,
        customs: is.list(is.pair(is.text(), is.json)),
      }),
    ),
    nowMs: is.number,
  }),
  "roll-over": is.object<TaskOf<"roll-over">>({
    kind: is.only("roll-over"),
    target: is.text(),
    source: named,
    index: createIndex,
    info: is.jsonObject,
    nowMs: is.number,
  }),
  "set-repository-generation": is.object<TaskOf<"set-repository-generation">>({
    kind: is.only("set-repository-generation"),
    repository: is.text(),
    expected: is.integer,
    change: is.variants<"kind", RepositoryChange>("kind", {
      reserve: is.object({ kind: is.only("reserve"), pending: is.integer }),
      written: is.object({ kind: is.only("written"), generation: is.integer }),
      corrupted: is.object({ kind: is.only("corrupted") }),
    }),
  }),
  "start-repository-cleanup": is.object<TaskOf<"start-repository-cleanup">>({
    kind: is.only("start-repository-cleanup"),
    uuid: is.text(),
    repository: is.text(),
  }),
  "update-aliases": is.object<TaskOf<"update-aliases">>({
    kind: is.only("update-aliases"),
    actions: is.list(aliasAction),
    nowMs: is.number,
  }),
  "update-cluster-settings": is.object<TaskOf<"update-cluster-settings">>({
    kind: is.only("update-cluster-settings"),
    persistent: settingsChange,
    transient: settingsChange,
  }),
  "update-decommission-status": is.object<TaskOf<"update-decommission-status">>({
    kind: is.only("update-decommission-status"),
    requestId: is.text(),
    status: is.oneOf<DecommissionStatus>({
      init: true,
      draining: true,
      in_progress: true,
      successful: true,
      failed: true,
    }),
  }),
  "update-index-settings": is.object<TaskOf<"update-index-settings">>({
    kind: is.only("update-index-settings"),
    indices: names,
    settings: settingsChange,
    preserveExisting: is.flag,
    nowMs: is.number,
  }),
  "update-snapshot-shards": is.object<TaskOf<"update-snapshot-shards">>({
    kind: is.only("update-snapshot-shards"),
    updates: is.list(
      is.object<ShardSnapshotUpdate>({
        uuid: is.text(),
        id: is.text(),
        shard: is.count,
        result: is.variants<"kind", ShardResult>("kind", {
          success: is.object({ kind: is.only("success"), generation: is.text() }),
          failed: is.object({ kind: is.only("failed"), reason: is.text() }),
        }),
      }),
    ),
  }),
};

const byKind: ReadonlyMap<string, Shape<unknown>> = new Map(Object.entries(shapes));

const block = is.object<ClusterBlock>({
  id: is.number,
  description: is.text(),
  levels: is.list(
    is.oneOf<BlockLevel>({
      read: true,
      write: true,
      metadata_read: true,
      metadata_write: true,
      create_index: true,
    }),
  ),
  status: is.oneOf<ClusterBlock["status"]>({
    FORBIDDEN: true,
    SERVICE_UNAVAILABLE: true,
    TOO_MANY_REQUESTS: true,
  }),
  isRetryable: is.flag,
  disableStatePersistence: is.flag,
  allowsReleasingResources: is.flag,
});

const state = is.object<PlainState>({
  clusterName: is.text(),
  version: is.count,
  stateUuid: is.text(),
  term: is.count,
  managerNodeId: is.optional(is.text()),
  nodes: is.list(is.pair(is.text(), node)),
  metadata: is.object<PlainState["metadata"]>({
    clusterUuid: is.text(),
    isClusterUuidCommitted: is.flag,
    version: is.count,
    coordination: is.object<PlainState["metadata"]["coordination"]>({
      votingConfiguration: is.list(is.text()),
      votingConfigExclusions: is.list(is.object({ nodeId: is.text(), nodeName: is.text() })),
      raftIds: is.list(is.pair(is.text(), is.count)),
      nextRaftId: is.count,
    }),
    persistentSettings: settings,
    transientSettings: settings,
    indices: is.list(indexMetadata),
    customs: is.list(is.pair(is.text(), is.json)),
  }),
  routingTable: is.list(is.pair(is.text(), routingRow)),
  blocks: is.object<PlainState["blocks"]>({
    global: is.list(block),
    indices: is.list(is.pair(is.text(), is.list(block))),
  }),
});

/** Why the value is no task of a known kind and shape; undefined for one that its reducer can read. */
export function taskProblem(task: unknown): Problem | undefined {
  const kind = (task as { readonly kind?: unknown } | null)?.kind;
  const shape = typeof kind === "string" ? byKind.get(kind) : undefined;
  if (shape === undefined) return malformed("cluster state update", ".kind");
  const where = shape.misfit(task);
  return where === undefined
    ? undefined
    : malformed(`cluster state update [${String(kind)}]`, where);
}

const nothing: RoutingDelta = { indices: [], terms: [], inSync: [] };

/** Why the value is no log entry, by its tasks and its routing delta; undefined for a valid one. */
export function entryProblem(entry: unknown): Problem | undefined {
  const { tasks, routing, term } = (entry ?? {}) as Partial<LogEntry>;
  if (!Array.isArray(tasks)) return malformed("log entry", ".tasks");
  if (term !== undefined && is.count.misfit(term) !== undefined)
    return malformed("log entry", ".term");
  const where = routingDelta.misfit(routing ?? nothing);
  if (where !== undefined) return malformed("log entry", `.routing${where}`);
  for (const task of tasks) {
    const problem = taskProblem(task);
    if (problem !== undefined) return problem;
  }
  return undefined;
}

/** Checks a state in its encoded form, with lists for maps. Throws `OperationError` unless it has this shape. */
export function checkPlainState(plain: unknown): asserts plain is PlainState {
  const where = state.misfit(plain);
  if (where !== undefined) throw new OperationError(malformed("cluster state", where));
}

/** Why the value does not describe a node that can be connected to; undefined for a valid one. */
export function nodeProblem(told: unknown): Problem | undefined {
  const where = node.misfit(told);
  if (where !== undefined) return malformed("node", where);
  const { id, name, ephemeralId, transportAddress, httpAddress = "" } = told as DiscoveryNode;
  const texts = [id, name, ephemeralId, transportAddress, httpAddress];
  const tooLong = texts.some((text) => text.length > NODE_TEXT_MOST);
  const isEmpty = [id, ephemeralId, transportAddress].includes("");
  return tooLong || isEmpty
    ? malformed("node", isEmpty ? ": a text is empty" : ": too long")
    : undefined;
}

function malformed(what: string, where: string): Problem {
  const reason = `malformed ${what}: [${where === "" ? "it" : where.replace(/^\./, "")}] is not what it should be`;
  return { type: "illegal_argument_exception", reason, status: 400 };
}
