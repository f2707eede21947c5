/**
 * World: the operations of faults, steps, workloads and checkers on a running cluster, in the simulation or in real
 * time.
 *
 * The capabilities of each world are rows of `capabilities` (worlds.ts), so that a plan is rejected by name before
 * anything starts.
 */
import type { Rule, RuleKind, TraceEvent } from "@orrery/ports";
import type { Json, Random } from "@orrery/stdx";
import type { NodePlan } from "./plan.ts";
import type { NewsEvent } from "./watchers.ts";

/** Transports between processes. Each is a world of its own, and each table of transports has a row for it. */
export const socketTransports = ["grpc", "websocket"] as const;
export type SocketTransport = (typeof socketTransports)[number];

/** Name of a world: the simulation, one process, or processes over a transport. */
export type WorldName = "sim" | "memory" | SocketTransport;
export const worldNames: readonly WorldName[] = ["sim", "memory", ...socketTransports];

/** Capabilities of a world beyond starting nodes and sending them REST requests. */
export type Capability =
  | RuleKind
  /** A crash keeps a drawn part of the unsynced writes (`drawn`); every world can kill a process. */
  | "crash"
  /** A crash that loses all unsynced writes. */
  | "lose-unsynced"
  /** An orderly stop, and a later start. */
  | "stop"
  /** Removal of all data of a stopped node. */
  | "wipe"
  | "add-node"
  /** Events of the trace reach watchers: for conditions on messages, and for checkers that watch. */
  | "trace";

/** Event of the trace with its time, in milliseconds since the start of the run, and the node that recorded it. */
export type RecordedEvent = TraceEvent & { readonly at_ms: number; readonly node: string };

export interface World {
  readonly name: WorldName;
  /** Time that a fault waits for a node that its selector matches; default half a minute. */
  readonly patienceMs?: number;
  /** Names of all planned and added nodes that were not removed, cluster by cluster, in the order of the plan. */
  nodes(cluster?: string): readonly string[];
  clusterOf(node: string): string;
  /** Transport address of the node, in the form of seed settings. */
  transportAddress(node: string): string;
  /** Nodes that are running and answer requests. */
  running(cluster?: string): readonly string[];
  /** True if the node was started, whether or not it answers yet. */
  isUp(node: string): boolean;
  /** Nodes that a selector matches now; empty if none does. Throws for a name that no node has. */
  select(selector: NodeSelector): Promise<readonly string[]>;
  /** Cluster as this node sees it; `undefined` if the node does not answer. */
  view(node: string): Promise<ClusterView | undefined>;

  /** Milliseconds since the start of the run; in the simulation of virtual time. */
  nowMs(): number;
  sleep(ms: number): Promise<void>;
  /** Random stream for a purpose, drawn from the run's seed. */
  random(purpose: string): Random;
  /** Records an event in the trace. */
  record(event: TraceEvent): void;
  /**
   * Calls the watcher for each event from now on, in order; returns the function that stops it. Never calls it in a
   * world without the capability `trace`.
   */
  watch(watcher: (event: RecordedEvent) => void): () => void;
  /** Watches as `watch` does, but only news: all events except the frequent traffic of messages, timers and syncs. */
  watchNews(watcher: (event: NewsEvent) => void): () => void;

  /**
   * Sends a request from a client outside of the cluster. `undefined`: no answer arrived, and the outcome is unknown.
   */
  request(client: Client, node: string, request: ClientRequest): Promise<ClientAnswer | undefined>;

  /**
   * Requests that nodes have not answered, and those whose answer took at least `LONG_WAIT_MS`, whether or not the
   * client still waited. Requests of nodes that went down are not included. In virtual time only.
   */
  waits?(): readonly Wait[];

  /** Starts a node; resolves when the start has begun. Does nothing if it is up. */
  start(node: string): Promise<void>;
  /** Stops a node in an orderly way. Does nothing if it is down. */
  stop(node: string): Promise<void>;
  /** Cuts a node's power. `lost`: nothing that was not synced survives. Does nothing if it is down. */
  crash(node: string, unsynced?: "drawn" | "lost"): Promise<void>;
  /** Removes all data of a node, which must be down. */
  wipe(node: string): Promise<void>;
  /** Adds a new node, without starting it. */
  add(cluster: string, node: NodePlan): Promise<void>;
  /** Removes a node, which must be down, permanently. */
  remove(node: string): Promise<void>;
  /** Operations that each copy of an index retains. In virtual time only. */
  histories?(cluster: string, index: string): Promise<readonly CopyHistory[]>;
  /** A node's answer to a question about its own state, synchronous and unrecorded. In virtual time only. */
  ownAnswer?(node: string, uri: string): Promise<ClientAnswer | undefined>;
  /** Sizes of everything that might grow without bound, by name. In virtual time only. */
  figures?(): ReadonlyMap<string, number>;
  /**
   * Names of all pending work: requests of clients, requests between nodes, operations on copies, cluster state
   * observers. Each name is unique. In virtual time only.
   */
  underWay?(): ReadonlySet<string>;
  /** Applies a rule until its `end` is called. Throws `OperationError` if the world lacks the capability. */
  applyRule(rule: Rule): Promise<AppliedRule>;
}

export interface CopyHistory {
  readonly shard: number;
  readonly node: string;
  /** First sequence number from which the history is complete. */
  readonly fromSeqNo: number;
  /** Operations by sequence number, as text. */
  readonly operations: ReadonlyMap<number, string>;
}

/** Applied rule of a fault. */
export interface AppliedRule {
  /** Number of events that the rule has changed so far. */
  hits(): Promise<number>;
  /** Lifts the rule. Called once; does nothing for a rule whose effect was immediate. */
  end(): Promise<void>;
}

/**
 * Selector of nodes: a name, or a current role: `elected-cluster-manager`, `any`, `any-but-elected-cluster-manager`,
 * `all`, `minority`, `majority`, `zone:b`, `role:data`, `primary:books/0`, `replica:books/0`. The suffix `@name`
 * selects the cluster; default: the first.
 */
export type NodeSelector = string;
export const electedClusterManager = "elected-cluster-manager";
export const anyNode = "any";
export const anyOtherNode = "any-but-elected-cluster-manager";

/** Cluster as one of its nodes sees it, with node names instead of ids. */
export interface ClusterView {
  readonly clusterManager: string | undefined;
  readonly term: number;
  readonly version: number;
  readonly stateUuid: string;
  readonly nodes: readonly string[];
  /** Names of nodes by node id. */
  readonly nodeIds: ReadonlyMap<string, string>;
  /** Indices by name, including closed ones. */
  readonly indices: ReadonlyMap<string, IndexView>;
  /** Copies of all shards, including unassigned ones. */
  readonly shards: readonly ShardView[];
}

export interface IndexView {
  readonly uuid: string;
  readonly state: "open" | "close";
  readonly numberOfShards: number;
  /** Number of slots that the hash of a routing value selects from; a multiple of the number of shards. */
  readonly routingNumShards: number;
  readonly numberOfReplicas: number;
  /** Primary terms, and below the in-sync sets, by shard number. */
  readonly primaryTerms: readonly number[];
  readonly inSync: readonly (readonly string[])[];
}

export interface ShardView {
  readonly index: string;
  readonly shard: number;
  readonly isPrimary: boolean;
  readonly state: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /** Node name; `undefined` while the copy is unassigned, or if the node is not in the cluster. */
  readonly node: string | undefined;
  /** Node that a relocating copy moves to. */
  readonly movesTo: string | undefined;
  /** True if the copy has been unassigned or initializing since its index was created. */
  readonly isNew: boolean;
  readonly allocationId: string | undefined;
}

export interface Client {
  readonly name: string;
  /** Number of the client's next request. */
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
  /** The connection was refused: nothing was executed. */
  readonly isRefused?: true;
}

/** Request of a client as a node received it. */
export interface Wait {
  readonly client: string;
  /** Number of the request at its client. */
  readonly request: number;
  readonly node: string;
  /** `METHOD /path`, as it was sent. */
  readonly operation: string;
  readonly sentMs: number;
  /** Time of the answer; absent while the request is pending. */
  readonly answeredMs?: number;
}

/** Duration from which completed requests are kept for checkers of late answers. */
export const LONG_WAIT_MS = 10_000;

/** Client whose requests are numbered from 1. */
export function newClient(name: string): Client {
  return { name, next: 1 };
}
