/**
 * What faults, steps, workloads and checkers may do to a running cluster, in whatever world it runs.
 *
 * What a world can do is a row of `capabilities` (worlds.ts), so that a plan is refused by name before anything starts.
 */
import type { Rule, RuleKind, TraceEvent } from "@orrery/ports";
import type { Json, Random } from "@orrery/stdx";
import type { NodePlan } from "./plan.ts";
import type { NewsEvent } from "./watchers.ts";

/** Transports between processes. Each is a world of its own, and each table of transports has a row for it. */
export const socketTransports = ["grpc", "websocket"] as const;
export type SocketTransport = (typeof socketTransports)[number];

export type WorldName = "sim" | "memory" | SocketTransport;
export const worldNames: readonly WorldName[] = ["sim", "memory", ...socketTransports];

/** What a world may be able to do besides starting nodes and asking them over REST. */
export type Capability =
  | RuleKind
  /** A crash leaves what was not synced to chance (`drawn`); any world can kill. */
  | "crash"
  /** A crash that loses all that was not synced. */
  | "lose-unsynced"
  /** An orderly end, and a start after it. */
  | "stop"
  /** Removes all that a stopped node has on its disk. */
  | "wipe"
  | "add-node"
  /** Events of the trace vocabulary reach watchers: for conditions on messages, and checkers that watch. */
  | "trace";

export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

export interface World {
  readonly name: WorldName;
  /** How long a fault waits for somebody whom it means; half a minute when it is not said. */
  readonly patienceMs?: number;
  /** Every node that was planned or added and not removed, cluster by cluster, in the order of the plan. */
  nodes(cluster?: string): readonly string[];
  clusterOf(node: string): string;
  /** Where other nodes reach this one, as settings that name seeds have it. */
  transportAddress(node: string): string;
  /** Nodes that run at the moment and answer requests. */
  running(cluster?: string): readonly string[];
  /** Nodes that were started, whether or not they answer yet. */
  isUp(node: string): boolean;
  /** The nodes a selector names now; empty when there is none such. Throws for a name that nothing has. */
  select(selector: NodeSelector): Promise<readonly string[]>;
  /** The cluster as this node sees it; `undefined` when the node does not answer. */
  view(node: string): Promise<ClusterView | undefined>;

  /** Milliseconds since the start of the run: of virtual time in the simulation. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** A stream of its own for each purpose, drawn from the run's seed. */
  random(purpose: string): Random;
  /** Writes into the trace. */
  record(event: TraceEvent): void;
  /** Calls for each event from now on, in order; returns what ends it. Never called in a world that cannot `trace`. */
  watch(watcher: (event: RecordedEvent) => void): () => void;
  /** The same for all but the daily traffic of messages, timers and syncs. */
  watchNews(watcher: (event: NewsEvent) => void): () => void;

  /** A request of a client outside of the cluster. `undefined`: no answer came, and what became of it is unknown. */
  request(client: Client, node: string, request: ClientRequest): Promise<ClientAnswer | undefined>;

  /**
   * Requests that nodes have not answered yet, and those whose answer took at least `LONG_WAIT_MS`, whether or not the client waited
   * for it. A request whose node went down is in neither. In virtual time only.
   */
  waits?(): readonly Wait[];

  /** Nothing happens when it is up. Resolves when the start has begun. */
  start(node: string): Promise<void>;
  /** The orderly end. Nothing happens when it is down. */
  stop(node: string): Promise<void>;
  /** Power off. `lost`: nothing that was not synced survives. Nothing happens when it is down. */
  crash(node: string, unsynced?: "drawn" | "lost"): Promise<void>;
  /** Removes all that a node has on its disk; the node must be down. */
  wipe(node: string): Promise<void>;
  /** A node that was not there before; it is not started. */
  add(cluster: string, node: NodePlan): Promise<void>;
  /** The node, which must be down, is not expected back. */
  remove(node: string): Promise<void>;
  /** Operations that each copy of an index keeps. In virtual time only. */
  histories?(cluster: string, index: string): Promise<readonly CopyHistory[]>;
  /** What a node answers to a question about its own state, at once and unrecorded. In virtual time only. */
  ownAnswer?(node: string, uri: string): Promise<ClientAnswer | undefined>;
  /** How much there is of what could grow, by what it is called. In virtual time only. */
  figures?(): ReadonlyMap<string, number>;
  /**
   * What nodes have begun and not ended: requests of clients, requests between nodes, operations on copies, waits for a cluster state. Each
   * piece has a name of its own. In virtual time only.
   */
  underWay?(): ReadonlySet<string>;
  /** Does harm to the world until it is ended. Throws `OperationError` when the world cannot. */
  harm(rule: Rule): Promise<Harm>;
}

export interface CopyHistory {
  readonly shard: number;
  readonly node: string;
  /** Complete from here on. */
  readonly fromSeqNo: number;
  /** In their order, each as text. */
  readonly operations: ReadonlyMap<number, string>;
}

/** Harm that is being done. */
export interface Harm {
  /** How many events were changed by it so far. */
  hits(): Promise<number>;
  /** Nothing more is harmed. Called once; nothing happens for harm that was done at once. */
  end(): Promise<void>;
}

/**
 * A node's name, or what it is at the moment: `elected-cluster-manager`, `any`, `any-but-elected-cluster-manager`, `all`,
 * `minority`, `majority`, `zone:b`, `role:data`, `primary:books/0`, `replica:books/0`. `@name` at its end means the
 * cluster of this name; without it the first one.
 */
export type NodeSelector = string;
export const electedClusterManager = "elected-cluster-manager";
export const anyNode = "any";
export const anyOtherNode = "any-but-elected-cluster-manager";

/** A cluster as one of its nodes sees it. Nodes are named, not identified. */
export interface ClusterView {
  readonly clusterManager: string | undefined;
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  readonly nodes: readonly string[];
  /** By node id. */
  readonly nodeIds: ReadonlyMap<string, string>;
  /** By name; closed ones too. */
  readonly indices: ReadonlyMap<string, IndexView>;
  /** Every copy of every shard, unassigned ones too. */
  readonly shards: readonly ShardView[];
}

export interface IndexView {
  readonly uuid: string;
  readonly state: "open" | "close";
  readonly numberOfShards: number;
  readonly numberOfReplicas: number;
  /** Both by shard number. */
  readonly primaryTerms: readonly number[];
  readonly inSync: readonly (readonly string[])[];
}

export interface ShardView {
  readonly index: string;
  readonly shard: number;
  readonly isPrimary: boolean;
  readonly state: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /** The node's name; `undefined` while unassigned, or when the node is not in the cluster. */
  readonly node: string | undefined;
  /** While it relocates: the node that its new copy is made on. */
  readonly movesTo: string | undefined;
  /** Unassigned or initializing since its index was created. */
  readonly isNew: boolean;
  readonly allocationId: string | undefined;
}

export interface Client {
  readonly name: string;
  /** Numbers this client's requests. */
  next: number;
}

export interface ClientRequest {
  readonly method: string;
  readonly uri: string;
  readonly body?: string;
  readonly timeoutMs: number;
}

export interface ClientAnswer {
  readonly status: number;
  readonly body: Json;
  /** Nobody listened there: nothing was done. */
  readonly isRefused?: true;
}

/** A request of a client, as a node had it. */
export interface Wait {
  readonly client: string;
  /** As the client numbers them. */
  readonly request: number;
  readonly node: string;
  /** `METHOD /path`, as it was sent. */
  readonly operation: string;
  readonly sentMs: number;
  /** Absent while the node has not answered. */
  readonly answeredMs?: number;
}

/** Answers that come sooner are of no interest to whoever looks for late ones. */
export const LONG_WAIT_MS = 10_000;

export function newClient(name: string): Client {
  return { name, next: 1 };
}
