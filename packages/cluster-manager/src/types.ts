/**
 * What the cluster-manager role asks of its node, and what it offers: membership, the applied cluster state, and a
 * way to change it. Every node runs one; only the elected cluster manager decides.
 */
import type { ClusterState, DiscoveryNode, Settings, Task, Rules } from "@orrery/cluster-state";
import type { Host, RequestContext, Transport, Work } from "@orrery/ports";
import type { RepositoryTypes, SnapshotInfo } from "@orrery/repository";
import type { Json, JsonObject, NodeId, Problem } from "@orrery/stdx";
import type { ShownSnapshot } from "./snapshots/read.ts";
import type { SnapshotStatus } from "./snapshots/status.ts";
import type { BeginTermService } from "./term-service.ts";

export interface ClusterManagerDeps {
  readonly host: Host;
  /** The node's own endpoint. The role registers its actions on it in `createClusterManager`. */
  readonly transport: Transport;
  readonly peers: PeerConnector;
  /** Its id is kept in the data folder; its ephemeral id is new at each start. */
  readonly localNode: DiscoveryNode;
  /** Flat node settings, `cluster.name` included. */
  readonly settings: Settings;
  readonly rules: Rules;
  readonly repositoryTypes: RepositoryTypes;
  /** Services of each term beside the role's own, which hear of everything before them. */
  readonly termServices?: readonly BeginTermService[];
}

/** Connections from this node to others; who wants to send connects. */
export interface PeerConnector {
  /**
   * Connects (unless connected), shakes hands, and says who is there. Rejects with `OperationError`. From then on
   * the connection stays open until `disconnect`, or until one end is lost.
   */
  connect(address: string): Promise<DiscoveryNode>;
  /** Called once for each lost connection to a node, also for one that the node itself opened. */
  onDisconnected(listener: (nodeId: NodeId, reason: string) => void): void;
  disconnect(nodeId: NodeId): void;
  /** The nodes of the cluster state: connections to them are kept, and made again every `cluster.nodes.reconnect_interval`. */
  setNodes(known: readonly DiscoveryNode[]): void;
}

/** What any node asks the elected cluster manager on behalf of a client. */
export interface ManagerRequests {
  /**
   * A state, applied here, that holds everything acknowledged anywhere before the call. Rejects with
   * `cluster_manager_not_discovered_exception` when no elected cluster manager confirms it in time.
   */
  managerState(timeoutMs: number): Promise<ClusterState>;
  /** Proposes a task; see `SubmitOptions`. When it resolves, this node has applied the outcome. */
  submit(task: Task, options?: SubmitOptions): Promise<{ readonly acknowledged: boolean }>;
  reroute(request: RerouteRequest): Promise<RerouteResponse>;
  /** The body of `_cluster/allocation/explain`. */
  explainAllocation(request: ExplainAllocationRequest): Promise<JsonObject>;
  pendingTasks(timeoutMs: number): Promise<readonly PendingTask[]>;
  /** Takes a zone out. Resolves when none of its nodes votes any more; it drains after that. */
  decommission(request: DecommissionRequest): Promise<void>;
  /** Asks whoever is elected for work on repositories and snapshots, until one has done it. */
  manage<Operation extends ManagedOperation>(
    operation: Operation,
    request: JsonObject,
    limits: ManageLimits,
  ): Promise<Managed<Operation>>;
}

/** Its own requests are the node's own work. */
export interface ClusterManager extends ManagerRequests {
  /** The requests of a client: whatever they send carries the context. */
  under(context: RequestContext): ManagerRequests;
  /** Reads the store and starts to look for other nodes. Call once. */
  start(): void;
  /** Stops timers and answers nobody any more. The store is the node's to close. */
  stop(): Promise<void>;
  readonly isElected: boolean;

  /**
   * As applied here. Before this process has joined: only the local node, not recovered. While no elected
   * cluster manager is known: no `managerNodeId`, and the no-cluster-manager block.
   */
  state(): ClusterState;
  /** Called for each new `state()`, in order, in the same turn. Returns a function that ends it. */
  onApplied(listener: (state: ClusterState, previous: ClusterState) => void): () => void;
  /** Looks at each new `state()`, and again when `votingConfigurations` changes. */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /** Waits for a state. */
  stateWork(): readonly Work[];
  /** How many listen to each state. */
  readonly stateListeners: number;
  /** Of Raft, as applied here: it follows the state's voting configuration, by a few round trips. */
  votingConfigurations(): VotingConfigurations;
  /** Why an elected cluster manager will not have this node. It keeps asking; the caller may give up. */
  onJoinRefused(listener: (problem: Problem) => void): () => void;
}

/** Whose majorities elect and commit. */
export interface VotingConfigurations {
  readonly current: readonly NodeId[];
  /** The one before, whose majority is needed too while it is being replaced; else empty. */
  readonly former: readonly NodeId[];
}

export type TaskPriority = "IMMEDIATE" | "URGENT" | "HIGH" | "NORMAL" | "LOW" | "LANGUID";

export interface SubmitOptions {
  /** How long the task may wait for an elected cluster manager and in its queue. Default 30 s. */
  readonly managerTimeoutMs?: number;
  /** How long to wait for all nodes to apply it. Default 30 s; negative: without end. */
  readonly ackTimeoutMs?: number;
  /** Default: what the product gives that kind of task. */
  readonly priority?: TaskPriority;
  /** What pending tasks show. Default: made from the task. */
  readonly source?: string;
}

export interface PendingTask {
  readonly insertOrder: number;
  readonly priority: TaskPriority;
  readonly source: string;
  readonly executing: boolean;
  readonly timeInQueueMs: number;
}

/** Work on repositories and snapshots, with what it answers; what each is asked is in `snapshots/service.ts`. */
export interface ManagedBodies {
  readonly putRepository: JsonObject;
  readonly deleteRepository: JsonObject;
  readonly verifyRepository: JsonObject;
  readonly cleanUpRepository: JsonObject;
  readonly createSnapshot: JsonObject;
  readonly awaitSnapshot: { readonly snapshot: SnapshotInfo };
  readonly cloneSnapshot: JsonObject;
  readonly getSnapshots: { readonly snapshots: readonly ShownSnapshot[] };
  readonly deleteSnapshots: JsonObject;
  readonly snapshotStatus: { readonly snapshots: readonly SnapshotStatus[] };
  readonly restoreSnapshot: JsonObject;
  readonly awaitRestore: JsonObject;
}

export type ManagedOperation = keyof ManagedBodies;

/** Negative: no end. */
export interface ManageLimits {
  /** To find an elected cluster manager. */
  readonly managerTimeoutMs: number;
  /** What it may need for the work. */
  readonly workTimeoutMs: number;
}

export interface Managed<Operation extends ManagedOperation> {
  readonly body: ManagedBodies[Operation];
  /** Every node has applied the state it rests on. */
  readonly acknowledged: boolean;
}

export interface RerouteRequest {
  /** As in the request body: `[{ "move": {…} }, …]`. */
  readonly commands: readonly JsonObject[];
  readonly dryRun: boolean;
  readonly explain: boolean;
  readonly retryFailed: boolean;
  readonly managerTimeoutMs: number;
  readonly ackTimeoutMs: number;
}

export interface RerouteResponse {
  readonly acknowledged: boolean;
  readonly state: ClusterState;
  /** A list, one for each command; empty unless asked for. */
  readonly explanations: Json;
}

export interface DecommissionRequest {
  readonly attribute: string;
  readonly value: string;
  /** The caller draws it: a request that is sent again is known by it. */
  readonly requestId: string;
  /** How long it drains; 0: not at all. */
  readonly delayMs: number;
  /** Takes the zone's weight away itself when nobody has set weights. */
  readonly weighsAway: boolean;
  readonly managerTimeoutMs: number;
}

export interface ExplainAllocationRequest {
  /** Without: the first unassigned shard. */
  readonly target:
    | {
        readonly index: string;
        readonly shard: number;
        readonly primary: boolean;
        readonly currentNode?: string;
      }
    | undefined;
  readonly includeYesDecisions: boolean;
  readonly includeDiskInfo: boolean;
}
