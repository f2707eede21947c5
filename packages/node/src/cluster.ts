/**
 * The cluster as seen through one node, for `rest`, plugins and scenarios. Every method may be called on any node.
 * Operating errors reject with `OperationError`.
 */
import type { ClusterState, DiscoveryNode, Task } from "@orrery/cluster-state";
import type {
  DecommissionRequest,
  ExplainAllocationRequest,
  Managed,
  ManagedOperation,
  ManageLimits,
  PendingTask,
  RerouteRequest,
  RerouteResponse,
  SubmitOptions,
  VotingConfigurations,
} from "@orrery/cluster-manager";
import type { Admin, Documents, Searches } from "@orrery/coordinator";
import type {
  Caller,
  Cancellation,
  Clock,
  Log,
  ProcessInfo,
  RequestContext,
  SpanSink,
  Tracer,
} from "@orrery/ports";
import type { JsonObject, KeyedValues, NodeId, Random } from "@orrery/stdx";
import type { BoundAddresses } from "./config.ts";
import type { DanglingBody, DanglingIndex } from "./dangling.ts";
import type { Product } from "./product.ts";
import type { RemoteClusters } from "./remotes/remote-clusters.ts";
import type { ShardPlace, ShardStoresOfNodes } from "./shard-stores.ts";

/**
 * The cluster as one request uses it: messages that it sends carry `context`. The node's own instance has a context
 * without a client.
 */
export interface Cluster extends Documents, Searches, Admin {
  readonly context: RequestContext;
  /** The same cluster for another request. */
  under(context: RequestContext): Cluster;
  /** The context of a client's request that begins on this node, as a task of its own. */
  begin(caller: Caller, cancellation: Cancellation): RequestContext;
  readonly localNode: DiscoveryNode;
  readonly clock: Clock;
  readonly random: Random;
  readonly log: Log;
  readonly process: ProcessInfo;
  /** Absent on a node that traces no requests. */
  readonly tracer?: Tracer | undefined;
  /** Sink of the spans of this node; absent with the tracer. */
  readonly spans?: SpanSink | undefined;
  /** `orrery.strict`: every leniency towards the specification is off. */
  readonly isStrict: boolean;
  /** A node setting as given; `undefined` when it was not. */
  setting(key: string): string | undefined;
  /** The clusters that this node is a client of. */
  readonly remotes: RemoteClusters;
  /** The state, with this node's settings where the cluster has none. */
  withOwnSettings(state: ClusterState): ClusterState;
  readonly product: Product;
  /** Values that plugins keep on this node. */
  readonly kept: KeyedValues;

  /**
   * The cluster state that this node has applied. While no cluster manager is known, the state has the
   * no-cluster-manager block and no `managerNodeId`.
   */
  state(): ClusterState;
  /**
   * Resolves with the first applied state for which `reached` is true, or after the time-out. `reached` may also ask
   * for `votingConfigurations`.
   */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /**
   * The configurations whose majorities elect and commit, as this node knows them; they follow the state by a few
   * round trips.
   */
  votingConfigurations(): VotingConfigurations;
  /** The elected cluster manager's applied state, for reads that are not `local`. */
  managerState(timeoutMs: number): Promise<ClusterState>;
  /**
   * Submits a task to the elected cluster manager; resolves when every node has applied it. `acknowledged` is false
   * when some node did not in time.
   * @throws OperationError The reducer's problem, or 503 `cluster_manager_not_discovered_exception` or
   *   `process_cluster_event_timeout_exception`.
   */
  submit(task: Task, options?: SubmitOptions): Promise<{ readonly acknowledged: boolean }>;
  reroute(request: RerouteRequest): Promise<RerouteResponse>;
  /** The body of `_cluster/allocation/explain`. */
  explainAllocation(request: ExplainAllocationRequest): Promise<JsonObject>;
  pendingTasks(timeoutMs: number): Promise<readonly PendingTask[]>;
  /** Decommissions a zone; resolves when none of its nodes votes any more. The zone drains after that. */
  decommission(request: DecommissionRequest): Promise<void>;
  /** An operation on repositories and snapshots, by the elected cluster manager; sent again when that one is lost. */
  manage<Operation extends ManagedOperation>(
    operation: Operation,
    request: JsonObject,
    limits: ManageLimits,
  ): Promise<Managed<Operation>>;
  /** Asks nodes for sections of information; nodes that fail are listed with their problem. */
  nodesInfo(
    nodeIds: readonly NodeId[],
    metrics: readonly string[],
  ): Promise<NodesAnswer<NodeInfoFacts>>;
  nodesStats(
    nodeIds: readonly NodeId[],
    request: NodesStatsRequest,
  ): Promise<NodesAnswer<NodeStatsFacts>>;
  /** The stores of a shard on the disks of data nodes. */
  shardStores(place: ShardPlace): Promise<ShardStoresOfNodes>;
  /** Indices on the nodes' disks that are in no cluster state; with `uuid` only that one, with its metadata. */
  danglingIndices(nodeIds: readonly NodeId[], uuid?: string): Promise<DanglingIndices>;
}

/** The dangling indices of all nodes that were asked. */
export interface DanglingIndices {
  /** One entry per index, as the node with its latest metadata has it. */
  readonly indices: readonly {
    readonly index: DanglingIndex;
    readonly nodeIds: readonly string[];
  }[];
  /** The nodes' own answers and failures. */
  readonly answer: NodesAnswer;
}

/** The parameters of `_nodes/stats` as the client sent them. Only `metrics` is sent to the nodes. */
export interface NodesStatsRequest {
  readonly metrics: readonly string[];
  readonly indexMetrics: readonly string[];
  readonly level: string;
  readonly parameters: JsonObject;
}

/** The type of a node's answer, by name of the action that asks for it. */
export interface NodeBodies {
  readonly nodeInfo: NodeInfoFacts;
  readonly nodeStats: NodeStatsFacts;
  readonly danglingIndices: DanglingBody;
}

/** The answers of nodes, in the order in which they were asked. */
export interface NodesAnswer<Body = unknown> {
  readonly nodes: readonly { readonly nodeId: NodeId; readonly body: Body }[];
  readonly failures: readonly { readonly nodeId: NodeId; readonly problem: JsonObject }[];
}

/**
 * A node's information about itself, to which `rest` gives the product's shape. Name, addresses, roles and attributes
 * are in the cluster state.
 */
export interface NodeInfoFacts {
  /** The node's settings: flat, as given, with `cluster.name`, `node.name`, `path.*`. */
  readonly settings: { readonly [key: string]: string | readonly string[] };
  /** `ProcessInfo` without its function. */
  readonly process: {
    readonly pid: number;
    readonly startedAtMs: number;
    readonly os: {
      readonly name: string;
      readonly prettyName: string;
      readonly arch: string;
      readonly version: string;
      readonly availableProcessors: number;
    };
    readonly runtime: { readonly name: string; readonly version: string; readonly vendor: string };
    readonly heapMaxBytes: number;
  };
  readonly maxContentLengthBytes: number;
  readonly boundAddresses?: BoundAddresses;
  readonly plugins: readonly {
    readonly name: string;
    readonly version: string;
    readonly description: string;
    readonly classname: string;
  }[];
  /** Sections of plugins, by name. */
  readonly sections?: JsonObject;
}

/** Counters of a node. Absent ones are shown as 0. */
export interface NodeStatsFacts {
  readonly timestampMs: number;
  /** `ProcessStats`. */
  readonly process: { readonly [key: string]: number | readonly number[] };
  /** Every copy on the node, with the body of `Admin.shardStats`. */
  readonly shards: readonly {
    readonly index: string;
    readonly shard: number;
    readonly primary: boolean;
    readonly state: string;
    readonly relocatingNodeId?: string;
    readonly stats: JsonObject;
  }[];
  readonly disk?: {
    readonly path: string;
    readonly mount: string;
    readonly type: string;
    readonly totalBytes: number;
    readonly freeBytes: number;
    readonly availableBytes: number;
  };
  readonly transport?: {
    readonly serverOpen: number;
    readonly totalOutboundConnections: number;
    readonly rxCount: number;
    readonly rxSizeBytes: number;
    readonly txCount: number;
    readonly txSizeBytes: number;
  };
  readonly http?: { readonly currentOpen: number; readonly totalOpened: number };
  /** Counters of the admission pools, by the product's name of the thread pool. */
  readonly threadPools?: {
    readonly [name: string]: {
      readonly threads: number;
      readonly queue: number;
      readonly active: number;
      readonly rejected: number;
      readonly largest: number;
      readonly completed: number;
    };
  };
  readonly publishedStates?: number;
  /** Adaptive replica selection, by node id. */
  readonly adaptiveSelection?: {
    readonly [nodeId: string]: {
      readonly outgoingSearches: number;
      readonly avgQueueSize: number;
      readonly avgServiceTimeNs: number;
      readonly avgResponseTimeNs: number;
      readonly rank: string;
    };
  };
  /** Further sections in the product's shape, which replace the zeros of that name. */
  readonly sections?: JsonObject;
}
