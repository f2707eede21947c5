/**
 * Interface of the cluster-manager role: its ports, and what it offers the node: the applied cluster state, requests to
 * the elected cluster manager, and a life cycle. Every node runs the role; only the elected cluster manager decides.
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
  /** The local node. Its id is kept in the data folder; its ephemeral id is new at each start. */
  readonly localNode: DiscoveryNode;
  /** Flat node settings, `cluster.name` included. */
  readonly settings: Settings;
  readonly rules: Rules;
  readonly repositoryTypes: RepositoryTypes;
  /** Services of each term beside the role's own, which receive each event first. */
  readonly termServices?: readonly BeginTermService[];
}

/** Connections from this node to others; a node connects before it sends. */
export interface PeerConnector {
  /**
   * Connects, unless connected, and returns the node that the handshake found at the address. Rejects with
   * `OperationError`. The connection stays open until `disconnect`, or until it is lost.
   */
  connect(address: string): Promise<DiscoveryNode>;
  /** Calls the listener once for each lost connection to a node, whichever side opened it. */
  onDisconnected(listener: (nodeId: NodeId, reason: string) => void): void;
  disconnect(nodeId: NodeId): void;
  /** Sets the nodes of the cluster state, whose connections are kept open. */
  setNodes(known: readonly DiscoveryNode[]): void;
}

/** Requests of any node to the elected cluster manager; retried on the next one when it is lost. */
export interface ManagerRequests {
  /**
   * A state, applied here, that contains every change acknowledged anywhere before the call (a linearizable read).
   * Rejects with `cluster_manager_not_discovered_exception` when no elected cluster manager confirms it in time.
   */
  managerState(timeoutMs: number): Promise<ClusterState>;
  /** Submits a task. When it resolves with `acknowledged: true`, every node, this one included, has applied it. */
  submit(task: Task, options?: SubmitOptions): Promise<{ readonly acknowledged: boolean }>;
  reroute(request: RerouteRequest): Promise<RerouteResponse>;
  /** The body of `_cluster/allocation/explain`. */
  explainAllocation(request: ExplainAllocationRequest): Promise<JsonObject>;
  pendingTasks(timeoutMs: number): Promise<readonly PendingTask[]>;
  /** Decommissions a zone. Resolves when none of its nodes votes any more; the zone drains after that. */
  decommission(request: DecommissionRequest): Promise<void>;
  /** Work on repositories and snapshots, requested from the elected cluster manager of the moment until one has done it. */
  manage<Operation extends ManagedOperation>(
    operation: Operation,
    request: JsonObject,
    limits: ManageLimits,
  ): Promise<Managed<Operation>>;
}

/** The role of one node. Its own `ManagerRequests` are the node's internal work, outside any client's context. */
export interface ClusterManager extends ManagerRequests {
  /** The requests on behalf of a client; their messages carry its context. */
  under(context: RequestContext): ManagerRequests;
  /** Reads the store and starts discovery. Called once. */
  start(): void;
  /** Transfers the term if this node is elected, then stops timers and flushes the log. The node closes the store. */
  stop(): Promise<void>;
  /** Whether this node's own term runs. */
  readonly isElected: boolean;

  /**
   * The state that this node shows, usually the applied one. Before this process has joined: the local node alone, not
   * recovered. While no elected cluster manager is known: no `managerNodeId`, and the no-cluster-manager block.
   */
  state(): ClusterState;
  /** Calls the listener for each new `state()`, in order, in the same turn. The returned function removes it. */
  onApplied(listener: (state: ClusterState, previous: ClusterState) => void): () => void;
  /** Waits for a `state()` that satisfies `reached`, which is also evaluated when `votingConfigurations` changes. Negative timeout: unlimited. */
  stateWhen(
    reached: (state: ClusterState) => boolean,
    timeoutMs: number,
  ): Promise<{ readonly state: ClusterState; readonly timedOut: boolean }>;
  /** The waits of `stateWhen` that are under way. */
  stateWork(): readonly Work[];
  /** Number of listeners of `onApplied`. */
  readonly stateListeners: number;
  /** Raft's configuration as applied here. It follows the state's voting configuration, a few round trips later. */
  votingConfigurations(): VotingConfigurations;
  /** Calls the listener when an elected cluster manager rejects this node. The node keeps retrying; its owner may stop it. */
  onJoinRefused(listener: (problem: Problem) => void): () => void;
}

/** Voters of Raft, by node id, in ascending order; a majority of each non-empty list elects and commits. */
export interface VotingConfigurations {
  readonly current: readonly NodeId[];
  /** The outgoing half of a joint configuration; empty outside of one. */
  readonly former: readonly NodeId[];
}

/** The product's `Priority`, most urgent first. */
export type TaskPriority = "IMMEDIATE" | "URGENT" | "HIGH" | "NORMAL" | "LOW" | "LANGUID";

/** Options of a submission. */
export interface SubmitOptions {
  /** Longest wait for an elected cluster manager, and in its queue. Default 30 s; negative: unlimited. */
  readonly managerTimeoutMs?: number;
  /** Longest wait until every node has applied the task. Default 30 s; negative: unlimited. */
  readonly ackTimeoutMs?: number;
  /** Default: the product's priority of that kind of task. */
  readonly priority?: TaskPriority;
  /** The `source` that `_cluster/pending_tasks` shows. Default: the product's for that kind of task. */
  readonly source?: string;
}

/** A row of `_cluster/pending_tasks`. */
export interface PendingTask {
  readonly insertOrder: number;
  readonly priority: TaskPriority;
  readonly source: string;
  readonly executing: boolean;
  readonly timeInQueueMs: number;
}

/** Operations on repositories and snapshots, with their response bodies; `snapshots/service.ts` has their requests. */
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

/** Name of an operation. */
export type ManagedOperation = keyof ManagedBodies;

/** Time limits of an operation, in milliseconds; negative: unlimited. */
export interface ManageLimits {
  /** Time to find an elected cluster manager. */
  readonly managerTimeoutMs: number;
  /** Time that it may need for the work. */
  readonly workTimeoutMs: number;
}

/** Response of an operation. */
export interface Managed<Operation extends ManagedOperation> {
  readonly body: ManagedBodies[Operation];
  /** Whether every node has applied the state on which the response rests. */
  readonly acknowledged: boolean;
}

/** Parameters of `_cluster/reroute`. */
export interface RerouteRequest {
  /** Commands as in the request body: `[{ "move": {…} }, …]`. */
  readonly commands: readonly JsonObject[];
  readonly dryRun: boolean;
  readonly explain: boolean;
  readonly retryFailed: boolean;
  readonly managerTimeoutMs: number;
  readonly ackTimeoutMs: number;
}

/** Response of `_cluster/reroute`. */
export interface RerouteResponse {
  readonly acknowledged: boolean;
  /** The state after the commands; with a dry run, the state that they would lead to. */
  readonly state: ClusterState;
  /** A list with one explanation for each command; empty unless requested. */
  readonly explanations: Json;
}

/** Parameters of a decommission. */
export interface DecommissionRequest {
  /** The awareness attribute, such as `zone`. */
  readonly attribute: string;
  /** The attribute's value on the nodes to remove. */
  readonly value: string;
  /** Identifies the request across retries; drawn at random by the caller. */
  readonly requestId: string;
  /** Duration of the drain; 0 skips it. */
  readonly delayMs: number;
  /** Sets the zone's search weight to 0 if no weights are set, instead of requiring the client to have done so. */
  readonly weighsAway: boolean;
  readonly managerTimeoutMs: number;
}

/** Parameters of `_cluster/allocation/explain`. */
export interface ExplainAllocationRequest {
  /** The shard to explain; undefined for the first unassigned one. */
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
