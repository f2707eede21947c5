/**
 * The replicated cluster state: nodes, metadata, routing table, blocks. Immutable, plain data, published whole.
 *
 * It changes only by `apply` over committed log entries, so every node has the same state at the same version.
 * Shapes and words follow OpenSearch's `ClusterState`, `Metadata`, `IndexMetadata`, `ShardRouting`.
 */
import type { AllocationId, IndexUuid, Json, JsonObject, NodeId, Problem } from "@orrery/stdx";

export interface ClusterState {
  readonly clusterName: string;
  /** Entries applied that changed the state; the `version` clients see. */
  readonly version: number;
  /** Derived from the log: equal on every node at equal version. */
  readonly stateUuid: string;
  /** Coordination term of the entry that made this version. */
  readonly term: number;
  /** The elected cluster manager as the last election entry named it; the local view may know better (see `cluster-manager`). */
  readonly managerNodeId: NodeId | undefined;
  readonly nodes: ReadonlyMap<NodeId, DiscoveryNode>;
  readonly metadata: Metadata;
  /** By index name; every index of the metadata that is open (or closed with replicated copies) has its row. */
  readonly routingTable: ReadonlyMap<string, IndexRoutingTable>;
  readonly blocks: ClusterBlocks;
}

export type NodeRole =
  | "cluster_manager"
  | "data"
  | "ingest"
  | "remote_cluster_client"
  | "search"
  | "warm";

export interface DiscoveryNode {
  readonly id: NodeId;
  readonly name: string;
  /** New at each start of the process. */
  readonly ephemeralId: string;
  readonly hostName: string;
  /** IP address, without port. */
  readonly hostAddress: string;
  /** `host:port`, or a name in the in-memory network. */
  readonly transportAddress: string;
  readonly httpAddress: string | undefined;
  readonly roles: readonly NodeRole[];
  /** `node.attr.*`, and `shard_indexing_pressure_enabled: "true"` as the product has it. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly version: string;
}

/** Flat: `"index.number_of_shards": "1"`. Values are strings, or lists of strings, as the product stores them. */
export type Settings = Readonly<Record<string, string | readonly string[]>>;

/** A change of settings: `null` resets. */
export type SettingsChange = Readonly<Record<string, string | readonly string[] | null>>;

export interface Metadata {
  /** `_na_` until the first election. */
  readonly clusterUuid: string;
  readonly isClusterUuidCommitted: boolean;
  readonly version: number;
  readonly coordination: CoordinationMetadata;
  readonly persistentSettings: Settings;
  readonly transientSettings: Settings;
  readonly indices: ReadonlyMap<string, IndexMetadata>;
  /** Sections that one feature owns: templates, repositories, tombstones, weights, … by name. */
  readonly customs: ReadonlyMap<string, Json>;
}

export interface CoordinationMetadata {
  /** What Raft's configuration follows: the voters. */
  readonly votingConfiguration: readonly NodeId[];
  readonly votingConfigExclusions: readonly {
    readonly nodeId: string;
    readonly nodeName: string;
  }[];
  /** Node id ↔ Raft id; a Raft id is never used twice. */
  readonly raftIds: ReadonlyMap<NodeId, number>;
  readonly nextRaftId: number;
}

export interface IndexMetadata {
  readonly name: string;
  readonly uuid: IndexUuid;
  readonly state: "open" | "close";
  readonly creationDateMs: number;
  /** Four counters that rise by one with each change of their part. */
  readonly version: number;
  readonly mappingVersion: number;
  readonly settingsVersion: number;
  readonly aliasesVersion: number;
  /** All of the index's settings, `index.`-prefixed, including creation date, uuid, version, provided name. */
  readonly settings: Settings;
  /** `{ "properties": {…}, "dynamic": …, … }`; `{}` without a mapping. */
  readonly mapping: JsonObject;
  readonly aliases: ReadonlyMap<string, AliasMetadata>;
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  readonly routingNumShards: number;
  /** By shard number. */
  readonly primaryTerms: readonly number[];
  /** By shard number: the copies that may become primary without losing acknowledged writes. */
  readonly inSyncAllocationIds: readonly (readonly AllocationId[])[];
  readonly isSystem: boolean;
  /** By alias or data stream: when and why another index took its place as the one that is written to. */
  readonly rolloverInfo?: JsonObject;
}

export interface AliasMetadata {
  readonly filter?: JsonObject;
  readonly indexRouting?: string;
  readonly searchRouting?: string;
  readonly isWriteIndex?: boolean;
  readonly isHidden?: boolean;
}

export interface IndexRoutingTable {
  readonly index: string;
  readonly uuid: IndexUuid;
  /** By shard number; the primary first, then replicas. A relocation's target is the relocating copy's own `relocation`. */
  readonly shards: readonly (readonly ShardRouting[])[];
}

/** The copies of one shard, as its index's table lists them. */
export interface ShardRow {
  readonly index: string;
  readonly uuid: IndexUuid;
  readonly shard: number;
  readonly copies: readonly ShardRouting[];
}

export type ShardRoutingState = "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";

/** One shard copy. A relocating copy appears once, in state RELOCATING; its target is derived by `relocationTarget`. */
export interface ShardRouting {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  readonly state: ShardRoutingState;
  readonly nodeId: NodeId | undefined;
  /** On a RELOCATING copy: where to. On the derived target: where from. */
  readonly relocatingNodeId: NodeId | undefined;
  readonly allocationId: AllocationId | undefined;
  /** The target's id while RELOCATING. */
  readonly relocationId: AllocationId | undefined;
  /** Set while UNASSIGNED or INITIALIZING. */
  readonly recoverySource: RecoverySource | undefined;
  readonly unassignedInfo: UnassignedInfo | undefined;
}

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
      /** Of the index inside the repository, and how its shards' paths are made there; without for a plugin's own. */
      readonly indexId?: string;
      readonly pathType?: string;
    };

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

export type AllocationStatus =
  | "no_attempt"
  | "deciders_no"
  | "no_valid_shard_copy"
  | "deciders_throttled"
  | "fetching_shard_data"
  | "delayed_allocation";

export interface UnassignedInfo {
  readonly reason: UnassignedReason;
  readonly atMs: number;
  readonly delayed: boolean;
  readonly failedAllocations: number;
  readonly failedNodeIds: readonly NodeId[];
  readonly lastAllocationStatus: AllocationStatus;
  readonly details?: string;
}

export type BlockLevel = "read" | "write" | "metadata_read" | "metadata_write" | "create_index";

export interface ClusterBlock {
  readonly id: number;
  readonly description: string;
  readonly levels: readonly BlockLevel[];
  readonly status: "FORBIDDEN" | "SERVICE_UNAVAILABLE" | "TOO_MANY_REQUESTS";
  readonly isRetryable: boolean;
  readonly disableStatePersistence: boolean;
  readonly allowsReleasingResources: boolean;
}

export interface ClusterBlocks {
  readonly global: readonly ClusterBlock[];
  readonly indices: ReadonlyMap<string, readonly ClusterBlock[]>;
}

/** Where an entry stands in the log. */
export interface LogPosition {
  readonly term: number;
  readonly index: number;
}

/** What a reducer says. A rejected task changes nothing. */
export type Outcome =
  | { readonly kind: "updated"; readonly state: ClusterState }
  /** Valid, and already so: no new version. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "rejected"; readonly error: Problem };

/**
 * What the allocator decided, as data every node applies alike: replaced routing rows, and the primary terms and
 * in-sync sets that follow from them.
 */
export interface RoutingDelta {
  /** Tables of which every shard changed. */
  readonly indices: readonly IndexRoutingTable[];
  /** Shards of tables of which others stay as they are; absent: none. */
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
