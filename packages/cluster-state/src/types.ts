/**
 * The replicated cluster state: nodes, metadata, routing table, blocks. Immutable plain data.
 *
 * States change only by `applyEntry` over committed log entries, so every node has the same state at the same version
 * (INV-COORD-3). Reducers share the parts that they do not change; consumers may compare them by identity. Shapes and
 * names follow OpenSearch's `ClusterState`, `Metadata`, `IndexMetadata`, `ShardRouting`.
 */
import type { AllocationId, IndexUuid, Json, JsonObject, NodeId, Problem } from "@orrery/stdx";

/** One version of the cluster state. Immutable; a change makes another object. */
export interface ClusterState {
  readonly clusterName: string;
  /** Number of applied entries that changed the state; the `version` that clients see. */
  readonly version: number;
  /** Uuid of the version, derived from its log position: equal on every node. */
  readonly stateUuid: string;
  /** Coordination term of the entry that made this version. */
  readonly term: number;
  /** The cluster manager of the last `become-cluster-manager`; a node hides it in the state it shows when Raft knows of none. */
  readonly managerNodeId: NodeId | undefined;
  readonly nodes: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly metadata: Metadata;
  /**
   * Routing rows by index name, of all indices that are open, or closed with verified copies; after a restart of the
   * cluster, none until `recover-state`.
   */
  readonly routingTable: ReadonlyMap<string, IndexRoutingTable>;
  readonly blocks: ClusterBlocks;
}

/** Built-in roles of nodes (`DiscoveryNodeRole`). */
export type NodeRole =
  | "cluster_manager"
  | "data"
  | "ingest"
  | "remote_cluster_client"
  | "search"
  | "warm";

/** A node, as one of its processes (`DiscoveryNode`). */
export interface DiscoveryNode {
  /** Kept in the node's store for its whole life. */
  readonly id: NodeId;
  readonly name: string;
  /** Id of the process; drawn anew at each start. */
  readonly ephemeralId: string;
  readonly hostName: string;
  /** IP address, without port. */
  readonly hostAddress: string;
  /** `host:port`, or a name in the in-memory network. */
  readonly transportAddress: string;
  /** `host:port`, after the host name and a slash if the node is published under a name. */
  readonly httpAddress: string | undefined;
  readonly roles: readonly NodeRole[];
  /** `node.attr.*`, and `shard_indexing_pressure_enabled: "true"` as the product has it. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Flat settings: `"index.number_of_shards": "1"`. Values are texts, or lists of texts, as the product stores them. */
export type Settings = Readonly<Record<string, string | readonly string[]>>;

/** A change of flat settings; null resets a key. */
export type SettingsChange = Readonly<Record<string, string | readonly string[] | null>>;

/** Persistent part of the state (`Metadata`). */
export interface Metadata {
  /** `_na_` until the first election. */
  readonly clusterUuid: string;
  readonly isClusterUuidCommitted: boolean;
  readonly version: number;
  readonly coordination: CoordinationMetadata;
  readonly persistentSettings: Settings;
  readonly transientSettings: Settings;
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** Custom sections by name, each owned by one feature: templates, repositories, tombstones, weights, … */
  readonly customs: ReadonlyMap<string, Json>;
}

/** Voters and Raft ids (`CoordinationMetadata`). */
export interface CoordinationMetadata {
  /** Nodes that should vote; Raft's configuration follows (INV-COORD-5). */
  readonly votingConfiguration: readonly NodeId[];
  readonly votingConfigExclusions: readonly {
    readonly nodeId: string;
    readonly nodeName: string;
  }[];
  /** Raft id of each node that ever joined; ids are never reused. */
  readonly raftIds: ReadonlyMap<NodeId, number>;
  readonly nextRaftId: number;
}

/** An index (`IndexMetadata`). */
export interface IndexMetadata {
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly state: "open" | "close";
  readonly creationDateMs: number;
  /** Counter of all changes of the metadata; the three below count changes of their part. */
  readonly version: number;
  readonly mappingVersion: number;
  readonly settingsVersion: number;
  readonly aliasesVersion: number;
  /** All settings of the index with the prefix `index.`, including creation date, uuid, version and provided name. */
  readonly settings: Settings;
  /** `{ "properties": {…}, "dynamic": …, … }`; `{}` without a mapping. */
  readonly mapping: JsonObject;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly routingNumShards: number;
  /** Primary term of each shard; incremented when another copy becomes primary. */
  readonly primaryTerms: readonly number[];
  /** In-sync set of each shard: the copies that may become primary without losing acknowledged writes. */
  readonly inSyncAllocationIds: readonly (readonly AllocationId[])[];
  readonly isSystem: boolean;
  /** Time and met conditions of rollovers, by alias or data stream. */
  readonly rolloverInfo?: JsonObject;
}

/** Properties of an alias on one index (`AliasMetadata`). */
export interface AliasMetadata {
  readonly filter?: JsonObject;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
  readonly isWriteIndex?: boolean;
  readonly isHidden?: boolean;
}

/** The copies of one index (`IndexRoutingTable`). */
export interface IndexRoutingTable {
  readonly index: string;
  readonly uuid: IndexUuid;
  /** Copies by shard number, the primary first. Relocation targets are not listed; `relocationTarget` derives them. */
  readonly shards: readonly (readonly ShardRouting[])[];
}

/** The copies of one shard. */
export interface ShardRow {
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

/** State of a copy (`ShardRoutingState`). */
export type ShardRoutingState = "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";

/** One shard copy. A relocating copy appears once, in state RELOCATING; its target is derived by `relocationTarget`. */
export interface ShardRouting {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly state: ShardRoutingState;
  readonly nodeId: NodeId | undefined;
  /** The target node of a RELOCATING copy; on the derived target, the source node. */
  readonly relocatingNodeId: NodeId | undefined;
  readonly allocationId: AllocationId | undefined;
  /** Allocation id of the target while RELOCATING. */
  readonly relocationId: AllocationId | undefined;
  /** Set while UNASSIGNED or INITIALIZING. */
  readonly recoverySource: RecoverySource | undefined;
  readonly unassignedInfo: UnassignedInfo | undefined;
}

/** Source of a copy's data when it initializes (`RecoverySource`). */
export type RecoverySource =
  | { readonly type: "EMPTY_STORE" }
  | { readonly type: "EXISTING_STORE"; readonly bootstrapNewHistoryUuid: boolean }
  | { readonly type: "PEER" }
  | { readonly type: "LOCAL_SHARDS"; readonly sourceIndex: string }
  | {
      readonly type: "SNAPSHOT";
      readonly repository: string;
      readonly snapshot: string;
      readonly snapshotUuid: string;
      readonly index: string;
      /** Id of the index and path type of its shards in the repository; undefined for repositories of plugins that have none. */
      readonly indexId?: string;
      readonly pathType?: string;
    };

/** Why a copy is unassigned (`UnassignedInfo.Reason`). */
export type UnassignedReason =
  | "INDEX_CREATED"
  | "CLUSTER_RECOVERED"
  | "INDEX_REOPENED"
  | "DANGLING_INDEX_IMPORTED"
  | "NEW_INDEX_RESTORED"
  | "EXISTING_INDEX_RESTORED"
  | "REPLICA_ADDED"
  | "ALLOCATION_FAILED"
  | "NODE_LEFT"
  | "REROUTE_CANCELLED"
  | "REINITIALIZED"
  | "REALLOCATED_REPLICA"
  | "PRIMARY_FAILED"
  | "FORCED_EMPTY_PRIMARY"
  | "MANUAL_ALLOCATION"
  | "INDEX_CLOSED";

/** Outcome of the last allocation attempt (`UnassignedInfo.AllocationStatus`). */
export type AllocationStatus =
  | "no_attempt"
  | "deciders_no"
  | "no_valid_shard_copy"
  | "deciders_throttled"
  | "fetching_shard_data"
  | "delayed_allocation";

/** Circumstances of an unassigned or initializing copy (`UnassignedInfo`). */
export interface UnassignedInfo {
  readonly reason: UnassignedReason;
  readonly atMs: number;
  readonly delayed: boolean;
  readonly failedAllocations: number;
  readonly failedNodeIds: readonly NodeId[];
  readonly lastAllocationStatus: AllocationStatus;
  readonly details?: string;
}

/** Kind of operations that a block refuses (`ClusterBlockLevel`). */
export type BlockLevel = "read" | "write" | "metadata_read" | "metadata_write" | "create_index";

/** A reason to refuse operations (`ClusterBlock`). */
export interface ClusterBlock {
  readonly id: number;
  readonly description: string;
  readonly levels: readonly BlockLevel[];
  readonly status: "FORBIDDEN" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
  readonly isRetryable: boolean;
  readonly disableStatePersistence: boolean;
  readonly allowsReleasingResources: boolean;
}

/** Blocks of the cluster, and of indices by name. */
export interface ClusterBlocks {
  readonly global: readonly ClusterBlock[];
  readonly indices: ReadonlyMap<string, readonly ClusterBlock[]>;
}

/** Position of an entry in the log. */
export interface LogPosition {
  readonly term: number;
  readonly index: number;
}

/** The outcome of a task. Only `updated` has a new state. */
export type Outcome =
  | { readonly kind: "updated"; readonly state: ClusterState }
  /** The task is valid and without effect. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "rejected"; readonly error: Problem };

/**
 * Decision of the allocator as data, so that nodes apply it without repeating it: replaced routing rows, with the
 * primary terms and in-sync sets that follow from them.
 */
export interface RoutingDelta {
  /** Rows of indices in which every shard changed. */
  readonly indices: readonly IndexRoutingTable[];
  /** Changed shards of other indices; undefined: none. */
  readonly shards?: readonly ShardRow[];
  readonly terms: readonly {
    readonly index: string;
    readonly shard: number;
    readonly primaryTerm: number;
  }[];
  readonly inSync: readonly {
    readonly index: string;
    readonly shard: number;
    readonly allocationIds: readonly AllocationId[];
  }[];
}
