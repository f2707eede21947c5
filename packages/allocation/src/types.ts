/** Inputs and results of allocation: plain data. */
import type { ClusterState, RoutingDelta, Settings, ShardRouting } from "@orrery/cluster-state";
import type { AllocationId, JsonObject, NodeId } from "@orrery/stdx";

/** Inputs of a round beside the cluster state. An absent member means that there is none, or that it is unknown. */
export interface AllocationInputs {
  /** Wall time of the elected cluster manager. */
  readonly nowMs: number;
  /** Draws the allocation id of a copy that is assigned. */
  readonly newAllocationId: () => AllocationId;
  /** The elected cluster manager's own configuration: defaults for settings that the cluster does not set. */
  readonly nodeSettings?: Settings;
  /** Store data of data nodes, by `shardKey`. Missing data is requested by `needs`. */
  readonly shardStores?: ReadonlyMap<string, ShardStores>;
  /** Disk usages and shard sizes, as last collected. */
  readonly info?: ClusterInfo;
  /** Copies whose node reports them started. */
  readonly started?: readonly ShardRouting[];
  readonly failed?: readonly FailedShard[];
  /** In-sync allocation ids without a copy that a primary has reported as stale. */
  readonly stale?: readonly StaleCopy[];
  /** Nodes of the state that have restarted: their copies are gone. See `replacedNodes`. */
  readonly replacedNodeIds?: readonly NodeId[];
  /**
   * Time for which the elected cluster manager has known a delayed copy, by its monotonic clock; called for each
   * delayed copy in the round that delays it. Absent: derived from `nowMs`.
   */
  readonly waitedMs?: (copy: ShardRouting) => number;
  /** Copies that have exceeded `index.allocation.max_retries` are tried again. */
  readonly retryFailed?: boolean;
  readonly reason?: string;
}

/** A copy that its node or its primary has reported as failed. */
export interface FailedShard {
  /** The copy as the reporter knew it; identified by allocation id. */
  readonly routing: ShardRouting;
  readonly message: string;
  /** The copy also leaves the in-sync set: a write will be acknowledged without it. */
  readonly markAsStale: boolean;
}

/** An allocation id of an in-sync set that no node holds any more. */
export interface StaleCopy {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: AllocationId;
}

/** The store data of one shard, as nodes have answered. */
export interface ShardStores {
  /** Nodes that have answered. Data nodes that are neither here nor pending are asked next. */
  readonly answeredNodeIds: readonly NodeId[];
  /** Nodes that were asked and have not answered. */
  readonly pendingNodeIds: readonly NodeId[];
  /**
   * The nodes were asked while the shard had a primary, to place replicas. A recovery may have replaced the reported
   * copy since, so this data never makes a copy primary.
   */
  readonly hadPrimary?: boolean;
  readonly copies: readonly StoredCopy[];
}

/** A copy on a node's disk. */
export interface StoredCopy {
  readonly nodeId: NodeId;
  readonly allocationId: AllocationId | undefined;
  /** Whether it was the primary when it was last written. */
  readonly wasPrimary: boolean;
  /** Why the copy cannot be opened. */
  readonly storeException?: string;
  /** Files of its last commit. */
  readonly files?: readonly StoredFile[];
  /** Copies with equal sync ids have the same documents: no file has to be copied. */
  readonly syncId?: string;
  /** Of the current primary: its peer-recovery leases, by node. */
  readonly retentionLeases?: readonly {
    readonly nodeId: NodeId;
    readonly retainingSeqNo: number;
  }[];
}

export interface StoredFile {
  readonly name: string;
  readonly lengthBytes: number;
  readonly checksum: string;
}

/** Figures that the elected cluster manager collects from data nodes. */
export interface ClusterInfo {
  readonly diskUsages: ReadonlyMap<NodeId, DiskUsage>;
  /** Bytes, by `shardSizeKey`. */
  readonly shardSizes: ReadonlyMap<string, number>;
  /** Bytes that arriving shards will still take, by node. */
  readonly reservedBytes?: ReadonlyMap<NodeId, number>;
}

export interface DiskUsage {
  readonly path: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** A request to the caller: ask these nodes for their copies of the shard, then reroute again. */
export interface StoreFetch {
  readonly index: string;
  readonly shard: number;
  readonly nodeIds: readonly NodeId[];
}

/** The result of a round. */
export interface RerouteResult {
  /** The state with the delta applied; the same object when there is none. */
  readonly state: ClusterState;
  readonly delta: RoutingDelta | undefined;
  readonly needs: readonly StoreFetch[];
  /** Time after which to reroute again, since a delay expires; `undefined` without delayed copies. */
  readonly nextDelayMs: number | undefined;
}

export type DecisionType = "YES" | "NO" | "THROTTLE";

/** The verdict of one decider, with its text. */
export interface Decision {
  readonly type: DecisionType;
  /** The decider's name, such as `same_shard`. */
  readonly label: string;
  readonly explanation: string;
}

/** A command of the reroute API, with the product's names. */
export type RerouteCommand =
  | {
      readonly kind: "move";
      readonly index: string;
      readonly shard: number;
      readonly fromNode: string;
      readonly toNode: string;
    }
  | {
      readonly kind: "cancel";
      readonly index: string;
      readonly shard: number;
      readonly node: string;
      readonly allowPrimary: boolean;
    }
  | {
      readonly kind: "allocate_replica";
      readonly index: string;
      readonly shard: number;
      readonly node: string;
    }
  | AllocatePrimaryCommand<"allocate_stale_primary">
  | AllocatePrimaryCommand<"allocate_empty_primary">;

export interface AllocatePrimaryCommand<Kind extends string> {
  readonly kind: Kind;
  readonly index: string;
  readonly shard: number;
  readonly node: string;
  readonly acceptDataLoss: boolean;
}

/** Options of a reroute request. */
export interface CommandsOptions {
  /** Refusals of deciders become explanations instead of errors. */
  readonly explain: boolean;
  readonly retryFailed: boolean;
}

export interface CommandsResult extends RerouteResult {
  /** One for each command, as the reroute API prints them. */
  readonly explanations: readonly JsonObject[];
}

/** The copy to explain. */
export interface ExplainRequest {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  /** Id or name of the node that holds the copy. */
  readonly currentNode?: string;
}

export interface ExplainOptions {
  readonly includeYesDecisions: boolean;
  readonly includeDiskInfo: boolean;
}
