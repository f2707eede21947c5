/** What the allocator is told besides the cluster state, and what it says: plain data. */
import type { ClusterState, RoutingDelta, Settings, ShardRouting } from "@orrery/cluster-state";
import type { AllocationId, JsonObject, NodeId } from "@orrery/stdx";

/** Everything that is not in the state. Absent parts mean: none, or not known. */
export interface AllocationInputs {
  /** The elected cluster manager's clock. */
  readonly nowMs: number;
  /** Draws the identity of a copy that gets a node. */
  readonly newAllocationId: () => AllocationId;
  /** The elected cluster manager's own configuration: it holds where the cluster's settings say nothing. */
  readonly nodeSettings?: Settings;
  /** By `shardKey`: what data nodes have on disk of a shard. Absent shards are asked for in `needs`. */
  readonly shardStores?: ReadonlyMap<string, ShardStores>;
  /** Disk usages and shard sizes, as last gathered. */
  readonly info?: ClusterInfo;
  /** Copies whose node reports them started. */
  readonly started?: readonly ShardRouting[];
  readonly failed?: readonly FailedShard[];
  /** In-sync allocation ids that have no copy any more and that a primary reports as behind. */
  readonly stale?: readonly StaleCopy[];
  /** Nodes of the state that are new incarnations: copies on them are gone. `replacedNodes` finds them. */
  readonly replacedNodeIds?: readonly NodeId[];
  /**
   * How long the elected cluster manager has known of a delayed copy, by a clock that nobody sets; asked of each one in
   * the round that delays it. Without it, what `nowMs` says.
   */
  readonly waitedMs?: (copy: ShardRouting) => number;
  /** Gives copies that failed too often another try. */
  readonly retryFailed?: boolean;
  readonly reason?: string;
}

export interface FailedShard {
  /** As the reporter knew it; matched by allocation id. */
  readonly routing: ShardRouting;
  readonly message: string;
  /** Also leaves the in-sync set, before a write is acknowledged without it. */
  readonly markAsStale: boolean;
}

export interface StaleCopy {
  readonly index: string;
  readonly shard: number;
  readonly allocationId: AllocationId;
}

/** What data nodes answered about one shard. */
export interface ShardStores {
  /** Nodes asked that have answered or failed; a data node that is missing here is asked next. */
  readonly answeredNodeIds: readonly NodeId[];
  /** Asked, and not yet answered. */
  readonly pendingNodeIds: readonly NodeId[];
  /**
   * They were asked while the shard had a primary, to place replicas: a recovery may have overwritten since what a node
   * told, so nobody becomes primary by it.
   */
  readonly hadPrimary?: boolean;
  readonly copies: readonly StoredCopy[];
}

export interface StoredCopy {
  readonly nodeId: NodeId;
  readonly allocationId: AllocationId | undefined;
  /** It was the primary when it was last written. */
  readonly wasPrimary: boolean;
  /** The copy cannot be opened: why. */
  readonly storeException?: string;
  /** Files of the last commit. */
  readonly files?: readonly StoredFile[];
  /** Equal ids of primary and copy mean nothing has to be copied. */
  readonly syncId?: string;
  /** Of the copy that is primary: from where on it keeps history for each node's copy. */
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

export interface ClusterInfo {
  readonly diskUsages: ReadonlyMap<NodeId, DiskUsage>;
  /** By `shardSizeKey`. */
  readonly shardSizes: ReadonlyMap<string, number>;
  /** By node: bytes that shards which are arriving will take. */
  readonly reservedBytes?: ReadonlyMap<NodeId, number>;
}

export interface DiskUsage {
  readonly path: string;
  readonly totalBytes: number;
  readonly freeBytes: number;
}

/** Ask these nodes for what they have of the shard, then reroute again. */
export interface StoreFetch {
  readonly index: string;
  readonly shard: number;
  readonly nodeIds: readonly NodeId[];
}

export interface RerouteResult {
  /** With the delta applied; the same object when nothing is to be done. */
  readonly state: ClusterState;
  readonly delta: RoutingDelta | undefined;
  readonly needs: readonly StoreFetch[];
  /** Reroute again after so long: a delayed copy is due then. */
  readonly nextDelayMs: number | undefined;
}

export type DecisionType = "YES" | "NO" | "THROTTLE";

export interface Decision {
  readonly type: DecisionType;
  /** The decider's name: `same_shard`. */
  readonly label: string;
  readonly explanation: string;
}

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

export interface CommandsOptions {
  /** Decider refusals become explanations instead of errors. */
  readonly explain: boolean;
  readonly retryFailed: boolean;
}

export interface CommandsResult extends RerouteResult {
  /** As the reroute API prints them. */
  readonly explanations: readonly JsonObject[];
}

export interface ExplainRequest {
  readonly index: string;
  readonly shard: number;
  readonly primary: boolean;
  /** Node id or name that holds the copy. */
  readonly currentNode?: string;
}

export interface ExplainOptions {
  readonly includeYesDecisions: boolean;
  readonly includeDiskInfo: boolean;
}
