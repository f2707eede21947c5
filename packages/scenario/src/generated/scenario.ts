/** Made by `npm run reference` from the tables that read a plan: a scenario in the words of its file. */
import type { Json, JsonObject } from "@orrery/stdx";

/** One alone may stand without the brackets. */
export type OneOrMore<T> = T | readonly T[];

export interface Scenario {
  /** family/what-happens. */
  readonly name: string;
  /** One sentence: the property that the checkers verify. */
  readonly claim: string;
  /** Observation that a reader should make in the run. */
  readonly notice?: string;
  /** Question for the reader. */
  readonly question?: string;
  /** Worlds in which it can run; default: all. Default: `["sim","memory","grpc","websocket"]`. */
  readonly worlds?: OneOrMore<"sim" | "memory" | "grpc" | "websocket">;
  /** Clusters by name; default: one of three nodes. Default: `{"orrery":{"nodes":3}}`. */
  readonly clusters?: { readonly [name: string]: {
    /** How many nodes, or groups of nodes; 3 when it is not said. */
    readonly nodes?: number | readonly {
      /** Name of this node, if it is a single one. */
      readonly name?: string;
      /** Number of equal nodes. Default: `1`. */
      readonly count?: number;
      /** node.attr.zone. */
      readonly zone?: string;
      /** node.roles; default: those of a node without the setting. */
      readonly roles?: OneOrMore<"cluster_manager" | "data" | "ingest" | "remote_cluster_client" | "search" | "warm">;
      /** Node settings of these nodes. */
      readonly settings?: { readonly [name: string]: string | number | boolean };
    }[];
    /** node.attr.zone of the nodes, in turn. */
    readonly zones?: OneOrMore<string | number | boolean>;
    /** Node settings of all its nodes. */
    readonly settings?: { readonly [name: string]: string | number | boolean };
  } };
  /** Indices by name, created before the workload starts. */
  readonly indices?: { readonly [name: string]: {
    /** Name of the cluster; default: the first. */
    readonly cluster?: string;
    /** number_of_shards. Default: `1`. */
    readonly shards?: number;
    /** number_of_replicas. Default: `1`. */
    readonly replicas?: number;
    /** Other index settings. */
    readonly settings?: JsonObject;
    /** Mappings. */
    readonly mappings?: JsonObject;
    /** Aliases. */
    readonly aliases?: JsonObject;
    /** Initial data. */
    readonly data?: {
      /** Generated from the seed. Default: `"words"`. */
      readonly dataset?: "numbers" | "words" | "events";
      /** Number of documents. Default: `100`. */
      readonly documents?: number;
    } | {
      /** File beside the scenario: one JSON object per line, or lines for `_bulk`. */
      readonly file: string;
      /** Number of documents from its start; default: all. */
      readonly documents?: number;
      /** Contents of the file, as a bundle stores them. */
      readonly contents?: OneOrMore<{
        /** Its id. */
        readonly id: string;
        /** Its source, as JSON text. */
        readonly source: string;
      }>;
    };
  } };
  /** Requests of clients; several workloads run at the same time. */
  readonly workload?: OneOrMore<Workload>;
  /** Requests and actions in order. */
  readonly timeline?: OneOrMore<Entry>;
  /** Faults with their start and end. */
  readonly faults?: OneOrMore<TimedFault>;
  /** Checkers of the run, besides those that judge every plan; default: every checker that applies, except those of documents if the timeline deletes or restores some, or an index acknowledges unsynced operations. */
  readonly checkers?: OneOrMore<"one-cluster-manager-per-term" | "log-matching" | "state-versions-grow" | "no-acknowledged-write-lost" | "compare-and-set-is-linearizable" | "copies-of-a-shard-agree" | "checkpoints-agree" | "in-sync-rules" | "leased-history-is-kept" | "searches-see-refreshed-documents" | "pages-show-one-moment" | "decommissioned-zone-is-empty" | "no-dangling-import-overwrites" | "snapshot-content-equals-index" | "snapshot-status-never-goes-backwards" | "follower-equals-leader" | "converges-to-green" | "documents-exist-once" | "gets-see-acknowledged-writes" | "unsynced-writes-are-recent" | "acknowledged-changes-are-everywhere" | "leases-hold-on-every-copy" | "reports-tell-the-truth" | "operations-end-in-time" | "nothing-grows-in-quiet" | "copies-share-their-history" | "placement-follows-its-rules" | "nothing-is-unforeseen">;
  /** Durations of the phases. */
  readonly phases?: {
    /** Duration of workload, timeline and faults; faults that still last are ended after it. Default: `"10s"`. */
    readonly faults?: Time;
    /** Longest time that the clusters may take to heal afterwards. Default: `"2m"`. */
    readonly converge?: Time;
    /** Quiet time without requests afterwards, while a checker looks for resources that grow. */
    readonly quiet?: Time;
  };
}

export type Time = `${number}${"d" | "h" | "m" | "s" | "ms"}`;

export type SignedTime = `${number}${"d" | "h" | "m" | "s" | "ms"}`;

export type RequestLine = `${"GET" | "PUT" | "POST" | "DELETE" | "HEAD" | "PATCH"} /${string}`;

export type Node = OneOrMore<"elected-cluster-manager" | "any" | "any-but-elected-cluster-manager" | "all" | "minority" | "majority" | `zone:${string}` | `role:${string}` | `primary:${string}` | `replica:${string}` | (string & {})>;

export type Event =
  | NodeStartedEvent
  | NodeStoppedEvent
  | NodeCrashedEvent
  | MessageSentEvent
  | MessageDeliveredEvent
  | MessageDroppedEvent
  | ConnectionOpenedEvent
  | ConnectionClosedEvent
  | ClusterManagerElectedEvent
  | ClusterManagerSteppedDownEvent
  | ClusterStatePublishedEvent
  | ClusterStateAppliedEvent
  | LogEntrySavedEvent
  | LogEntryAppliedEvent
  | LogEntryQuarantinedEvent
  | ShardCopiesChangedEvent
  | CopyLetInEvent
  | CopiesResyncedEvent
  | HistoryTrimmedEvent
  | ShardStateChangedEvent
  | ShardRecoveredEvent
  | DecommissionStatusChangedEvent
  | DanglingIndexImportedEvent
  | RetentionLeaseChangedEvent
  | RemoteReplicationChangedEvent
  | RemoteReplicationCheckpointEvent
  | TimerFiredEvent
  | DiskSyncedEvent
  | DiskFailedEvent
  | BlobFailedEvent
  | SnapshotStateChangedEvent
  | ClientRequestEvent
  | ClientResponseEvent
  | FaultStartedEvent
  | FaultEndedEvent
  | FaultReceiptEvent
  | StepStartedEvent
  | StepEndedEvent
  | LogEvent;

export interface NodeStartedEvent {
  readonly kind: "node-started";
  readonly node?: string | number | boolean;
}

export interface NodeStoppedEvent {
  readonly kind: "node-stopped";
  readonly node?: string | number | boolean;
}

export interface NodeCrashedEvent {
  readonly kind: "node-crashed";
  readonly node?: string | number | boolean;
}

export interface MessageSentEvent {
  readonly kind: "message-sent";
  readonly node?: string | number | boolean;
  readonly from?: string | number | boolean;
  readonly to?: string | number | boolean;
  readonly action?: string | number | boolean;
  readonly correlationId?: number;
  readonly frameKind?: string | number | boolean;
  readonly sizeBytes?: number;
  readonly shard?: string | number | boolean;
}

export interface MessageDeliveredEvent {
  readonly kind: "message-delivered";
  readonly node?: string | number | boolean;
  readonly from?: string | number | boolean;
  readonly to?: string | number | boolean;
  readonly action?: string | number | boolean;
  readonly correlationId?: number;
  readonly frameKind?: string | number | boolean;
  readonly sizeBytes?: number;
  readonly shard?: string | number | boolean;
}

export interface MessageDroppedEvent {
  readonly kind: "message-dropped";
  readonly node?: string | number | boolean;
  readonly from?: string | number | boolean;
  readonly to?: string | number | boolean;
  readonly action?: string | number | boolean;
  readonly correlationId?: number;
  readonly frameKind?: string | number | boolean;
  readonly sizeBytes?: number;
  readonly shard?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface ConnectionOpenedEvent {
  readonly kind: "connection-opened";
  readonly node?: string | number | boolean;
  readonly from?: string | number | boolean;
  readonly to?: string | number | boolean;
  readonly channel?: string | number | boolean;
}

export interface ConnectionClosedEvent {
  readonly kind: "connection-closed";
  readonly node?: string | number | boolean;
  readonly from?: string | number | boolean;
  readonly to?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface ClusterManagerElectedEvent {
  readonly kind: "cluster-manager-elected";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
}

export interface ClusterManagerSteppedDownEvent {
  readonly kind: "cluster-manager-stepped-down";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
}

export interface ClusterStatePublishedEvent {
  readonly kind: "cluster-state-published";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
  readonly version?: number;
}

export interface ClusterStateAppliedEvent {
  readonly kind: "cluster-state-applied";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
  readonly version?: number;
  readonly stateUuid?: string | number | boolean;
  readonly isMember?: boolean | string;
}

export interface LogEntrySavedEvent {
  readonly kind: "log-entry-saved";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
  readonly index?: number;
  readonly digest?: number;
  readonly previousTerm?: number;
}

export interface LogEntryAppliedEvent {
  readonly kind: "log-entry-applied";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly term?: number;
  readonly index?: number;
  readonly digest?: number;
  readonly voters?: number;
}

export interface LogEntryQuarantinedEvent {
  readonly kind: "log-entry-quarantined";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: number;
  readonly term?: number;
  readonly reason?: string | number | boolean;
}

export interface ShardCopiesChangedEvent {
  readonly kind: "shard-copies-changed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly version?: number;
  readonly index?: string | number | boolean;
  readonly indexUuid?: string | number | boolean;
  readonly shard?: number;
  readonly primaryTerm?: number;
  readonly primary?: string | number | boolean;
  readonly isRelocated?: boolean | string;
  readonly recoverySource?: string | number | boolean;
  readonly active?: string | number | boolean;
  readonly inSync?: string | number | boolean;
  readonly isImported?: boolean | string;
}

export interface CopyLetInEvent {
  readonly kind: "copy-let-in";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly allocationId?: string | number | boolean;
  readonly localCheckpoint?: number;
  readonly globalCheckpoint?: number;
}

export interface CopiesResyncedEvent {
  readonly kind: "copies-resynced";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly allocationId?: string | number | boolean;
  readonly primaryTerm?: number;
}

export interface HistoryTrimmedEvent {
  readonly kind: "history-trimmed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly allocationId?: string | number | boolean;
  readonly retainedFrom?: number;
  readonly leasedFrom?: number;
}

export interface ShardStateChangedEvent {
  readonly kind: "shard-state-changed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly allocationId?: string | number | boolean;
  readonly state?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface ShardRecoveredEvent {
  readonly kind: "shard-recovered";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly mode?: string | number | boolean;
}

export interface DecommissionStatusChangedEvent {
  readonly kind: "decommission-status-changed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly attribute?: string | number | boolean;
  readonly value?: string | number | boolean;
  readonly status?: string | number | boolean;
  readonly requestId?: string | number | boolean;
}

export interface DanglingIndexImportedEvent {
  readonly kind: "dangling-index-imported";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly indexUuid?: string | number | boolean;
}

export interface RetentionLeaseChangedEvent {
  readonly kind: "retention-lease-changed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly lease?: string | number | boolean;
  readonly change?: string | number | boolean;
  readonly retainingSeqNo?: number;
  readonly historyFromSeqNo?: number;
}

export interface RemoteReplicationChangedEvent {
  readonly kind: "remote-replication-changed";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly state?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface RemoteReplicationCheckpointEvent {
  readonly kind: "remote-replication-checkpoint";
  readonly node?: string | number | boolean;
  readonly nodeId?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly remoteCluster?: string | number | boolean;
  readonly remoteIndex?: string | number | boolean;
  readonly checkpoint?: number;
  readonly remoteCheckpoint?: number;
}

export interface TimerFiredEvent {
  readonly kind: "timer-fired";
  readonly node?: string | number | boolean;
  readonly delayMs?: number;
}

export interface DiskSyncedEvent {
  readonly kind: "disk-synced";
  readonly node?: string | number | boolean;
  readonly path?: string | number | boolean;
}

export interface DiskFailedEvent {
  readonly kind: "disk-failed";
  readonly node?: string | number | boolean;
  readonly path?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface BlobFailedEvent {
  readonly kind: "blob-failed";
  readonly node?: string | number | boolean;
  readonly path?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface SnapshotStateChangedEvent {
  readonly kind: "snapshot-state-changed";
  readonly node?: string | number | boolean;
  readonly operation?: string | number | boolean;
  readonly repository?: string | number | boolean;
  readonly snapshot?: string | number | boolean;
  readonly uuid?: string | number | boolean;
  readonly index?: string | number | boolean;
  readonly shard?: number;
  readonly state?: string | number | boolean;
  readonly reason?: string | number | boolean;
}

export interface ClientRequestEvent {
  readonly kind: "client-request";
  readonly node?: string | number | boolean;
  readonly client?: string | number | boolean;
  readonly id?: number;
  readonly operation?: string | number | boolean;
}

export interface ClientResponseEvent {
  readonly kind: "client-response";
  readonly node?: string | number | boolean;
  readonly client?: string | number | boolean;
  readonly id?: number;
  readonly status?: number;
  readonly outcome?: string | number | boolean;
}

export interface FaultStartedEvent {
  readonly kind: "fault-started";
  readonly node?: string | number | boolean;
  readonly fault?: string | number | boolean;
  readonly description?: string | number | boolean;
}

export interface FaultEndedEvent {
  readonly kind: "fault-ended";
  readonly node?: string | number | boolean;
  readonly fault?: string | number | boolean;
  readonly description?: string | number | boolean;
}

export interface FaultReceiptEvent {
  readonly kind: "fault-receipt";
  readonly node?: string | number | boolean;
  readonly fault?: string | number | boolean;
  readonly description?: string | number | boolean;
  readonly hits?: number;
}

export interface StepStartedEvent {
  readonly kind: "step-started";
  readonly node?: string | number | boolean;
  readonly step?: string | number | boolean;
}

export interface StepEndedEvent {
  readonly kind: "step-ended";
  readonly node?: string | number | boolean;
  readonly step?: string | number | boolean;
  readonly outcome?: string | number | boolean;
}

export interface LogEvent {
  readonly kind: "log";
  readonly node?: string | number | boolean;
  readonly level?: string | number | boolean;
  readonly message?: string | number | boolean;
}

export interface Condition {
  /** Name of the cluster; default: the first. */
  readonly cluster?: string;
  /** Health of its indices. */
  readonly health?: "green" | "yellow" | "red";
  /** Number of nodes in it. */
  readonly nodes?: number;
  /** Only copies of this index. */
  readonly index?: string;
  /** State of some copy. */
  readonly shard?: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /** Fields of an event of the trace; texts may end in *. */
  readonly event?: Event;
  /** Ordinal of the matching event. Default: `1`. */
  readonly count?: number;
  /** Request such as [GET /_cluster/health] … */
  readonly request?: RequestLine;
  /** … whose answer has these values, by path. */
  readonly body?: { readonly [name: string]: Json };
}

export type Fault =
  | CrashFault
  | RestartFault
  | KillFault
  | StopFault
  | PauseFault
  | SlowCpuFault
  | ThreadPauseFault
  | ThreadSlowFault
  | ShortTurnsFault
  | WorkerDeathFault
  | AddNodeFault
  | RemoveNodeFault
  | LoseDataFault
  | ClockSkewFault
  | ClockJumpFault
  | ClockStrobeFault
  | PartitionFault
  | PartitionHalvesFault
  | MajorityRingFault
  | BridgeFault
  | OneWayFault
  | DelayFault
  | LossFault
  | DuplicationFault
  | ReorderingFault
  | ThrottlingFault
  | ConnectionResetFault
  | HalfOpenFault
  | DropMessagesFault
  | DiskFullFault
  | ReadOnlyDiskFault
  | DiskSlowFault
  | SyncFailureFault
  | PagesLostFault
  | LostWritesFault
  | StoreFailureFault
  | StoreRotFault
  | TornWriteFault
  | BitRotFault
  | MisdirectedWriteFault
  | ReadErrorFault
  | LostDirectoryEntryFault
  | RepositorySlowFault
  | RepositoryFailureFault
  | RepositoryFullFault
  | RepositoryMissingFault
  | RepositoryCorruptionFault
  | ManagerOverloadFault
  | RejectedTasksFault
  | LeaseExpiryFault
  | KeepAliveExpiryFault;

/** Cuts the power of nodes: unsynced writes are lost, torn or kept. They start again when the fault ends. */
export interface CrashFault {
  /** Cuts the power of nodes: unsynced writes are lost, torn or kept. They start again when the fault ends. */
  readonly kind: "crash";
  /** Nodes that lose power. */
  readonly node: Node;
}

/** Cuts the power of nodes and starts them again at once. */
export interface RestartFault {
  /** Cuts the power of nodes and starts them again at once. */
  readonly kind: "restart";
  /** Nodes that restart. */
  readonly node: Node;
}

/** Cuts the power of nodes, which lose every unsynced write. They start again when the fault ends. */
export interface KillFault {
  /** Cuts the power of nodes, which lose every unsynced write. They start again when the fault ends. */
  readonly kind: "kill";
  /** Nodes that lose power. */
  readonly node: Node;
}

/** Stops nodes in an orderly way, as for maintenance, and starts them again when the fault ends. */
export interface StopFault {
  /** Stops nodes in an orderly way, as for maintenance, and starts them again when the fault ends. */
  readonly kind: "stop";
  /** Nodes that are stopped. */
  readonly node: Node;
}

/** Pauses nodes, like a stopped process or a long garbage collection; then they resume without noticing. */
export interface PauseFault {
  /** Pauses nodes, like a stopped process or a long garbage collection; then they resume without noticing. */
  readonly kind: "pause";
  /** Nodes that are paused. */
  readonly node: Node;
}

/** Slows nodes down: each message, timer and response is delayed, and waits for the previous one. */
export interface SlowCpuFault {
  /** Slows nodes down: each message, timer and response is delayed, and waits for the previous one. */
  readonly kind: "slow-cpu";
  /** Nodes that are slow. */
  readonly node: Node;
  /** Delay of each event. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Pauses one thread of nodes, like a long turn of the program: a shard worker is paused while its node answers health checks, or the reverse. */
export interface ThreadPauseFault {
  /** Pauses one thread of nodes, like a long turn of the program: a shard worker is paused while its node answers health checks, or the reverse. */
  readonly kind: "thread-pause";
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
}

/** Slows down one thread of nodes: a shard worker lags behind the cluster state of the main thread, or the main thread forwards messages late. */
export interface ThreadSlowFault {
  /** Slows down one thread of nodes: a shard worker lags behind the cluster state of the main thread, or the main thread forwards messages late. */
  readonly kind: "thread-slow";
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
  /** Delay of each event. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a busy machine: merges, replays, large bodies and responses are interrupted at every opportunity, and other work of the thread runs in between. */
export interface ShortTurnsFault {
  /** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a busy machine: merges, replays, large bodies and responses are interrupted at every opportunity, and other work of the thread runs in between. */
  readonly kind: "short-turns";
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
  /** Time for other work before the next turn. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends a shard worker of nodes in the middle of its work, as an uncaught error does: its copies fail, the node continues and starts another worker. */
export interface WorkerDeathFault {
  /** Ends a shard worker of nodes in the middle of its work, as an uncaught error does: its copies fail, the node continues and starts another worker. */
  readonly kind: "worker-death";
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
}

/** Starts a new node with an empty disk. It remains after the fault. */
export interface AddNodeFault {
  /** Starts a new node with an empty disk. It remains after the fault. */
  readonly kind: "add-node";
  /** Name of the node; default: a free one. */
  readonly name?: string;
  /** Cluster that it joins; default: the first. */
  readonly cluster?: string;
  /** node.attr.zone. */
  readonly zone?: string;
  /** node.roles. */
  readonly roles?: OneOrMore<"cluster_manager" | "data" | "ingest" | "remote_cluster_client" | "search" | "warm">;
}

/** Cuts the power of nodes, and removes them permanently. */
export interface RemoveNodeFault {
  /** Cuts the power of nodes, and removes them permanently. */
  readonly kind: "remove-node";
  /** Nodes that are removed. */
  readonly node: Node;
}

/** Cuts the power of nodes and removes their data. They start again, as new nodes, when the fault ends. */
export interface LoseDataFault {
  /** Cuts the power of nodes and removes their data. They start again, as new nodes, when the fault ends. */
  readonly kind: "lose-data";
  /** Nodes that lose their data. */
  readonly node: Node;
}

/** Offsets the wall clock of nodes, and makes it run too fast or too slow; it is correct again when the fault ends. */
export interface ClockSkewFault {
  /** Offsets the wall clock of nodes, and makes it run too fast or too slow; it is correct again when the fault ends. */
  readonly kind: "clock-skew";
  /** Nodes whose clock is wrong. */
  readonly node: Node;
  /** Offset, such as [5m] or [-5m]. Default: `"0ms"`. */
  readonly by?: SignedTime;
  /** Drift in parts per million; positive is too fast. Default: `0`. */
  readonly drift_per_million?: number;
}

/** Makes the wall clock of nodes jump, forwards or backwards, permanently. */
export interface ClockJumpFault {
  /** Makes the wall clock of nodes jump, forwards or backwards, permanently. */
  readonly kind: "clock-jump";
  /** Nodes whose clock jumps. */
  readonly node: Node;
  /** Offset, such as [1h] or [-1h]. */
  readonly by: SignedTime;
}

/** Makes the wall clock of nodes jump to a wrong time and back repeatedly, as with two contradicting time sources; it is correct when the fault ends. Timers are not affected. */
export interface ClockStrobeFault {
  /** Makes the wall clock of nodes jump to a wrong time and back repeatedly, as with two contradicting time sources; it is correct when the fault ends. Timers are not affected. */
  readonly kind: "clock-strobe";
  /** Nodes whose clock jumps. */
  readonly node: Node;
  /** Offset, such as [5m] or [-5m]. */
  readonly by: SignedTime;
  /** Time of one jump and the return. Default: `"200ms"`. */
  readonly period?: Time;
}

/** Cuts every link between the isolated nodes and all others, in both directions. Nodes on the same side stay connected. */
export interface PartitionFault {
  /** Cuts every link between the isolated nodes and all others, in both directions. Nodes on the same side stay connected. */
  readonly kind: "partition";
  /** Nodes on one side. */
  readonly isolate: Node;
}

/** Splits a cluster into two halves, drawn from the seed, without connection. */
export interface PartitionHalvesFault {
  /** Splits a cluster into two halves, drawn from the seed, without connection. */
  readonly kind: "partition-halves";
  /** Name of the cluster; default: the first. */
  readonly cluster?: string;
}

/** Places the nodes on a ring, drawn from the seed: each is connected only to the neighbours that form a majority with it. */
export interface MajorityRingFault {
  /** Places the nodes on a ring, drawn from the seed: each is connected only to the neighbours that form a majority with it. */
  readonly kind: "majority-ring";
  /** Name of the cluster; default: the first. */
  readonly cluster?: string;
}

/** Splits a cluster into two halves without connection; one node is connected to both. */
export interface BridgeFault {
  /** Splits a cluster into two halves without connection; one node is connected to both. */
  readonly kind: "bridge";
  /** Node between the halves. Default: `"any"`. */
  readonly node?: Node;
}

/** Cuts links in one direction: frames that the nodes send do not arrive, or frames sent to them. */
export interface OneWayFault {
  /** Cuts links in one direction: frames that the nodes send do not arrive, or frames sent to them. */
  readonly kind: "one-way";
  /** Nodes whose links are cut. */
  readonly node: Node;
  /** Direction that is cut. Default: `"sent"`. */
  readonly loses?: "sent" | "received";
}

/** Adds latency to each frame, drawn between two bounds. */
export interface DelayFault {
  /** Adds latency to each frame, drawn between two bounds. */
  readonly kind: "delay";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Lower bound. Default: `"0ms"`. */
  readonly low?: Time;
  /** Upper bound. Default: `"100ms"`. */
  readonly high?: Time;
}

/** Loses frames: the loss of a frame of a request or response breaks its connection, a one-way frame is lost alone. */
export interface LossFault {
  /** Loses frames: the loss of a frame of a request or response breaks its connection, a one-way frame is lost alone. */
  readonly kind: "loss";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
}

/** Delivers one-way frames twice. */
export interface DuplicationFault {
  /** Delivers one-way frames twice. */
  readonly kind: "duplication";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `50`. */
  readonly per_mille?: number;
}

/** Reorders one-way frames: a drawn frame is overtaken by later ones. */
export interface ReorderingFault {
  /** Reorders one-way frames: a drawn frame is overtaken by later ones. */
  readonly kind: "reordering";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `50`. */
  readonly per_mille?: number;
}

/** Limits the bandwidth of each connection. */
export interface ThrottlingFault {
  /** Limits the bandwidth of each connection. */
  readonly kind: "throttling";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Bytes in a second for each connection and direction. Default: `100000`. */
  readonly bytes_per_second?: number;
}

/** Resets connections: a drawn frame breaks its connection, and both ends are notified. */
export interface ConnectionResetFault {
  /** Resets connections: a drawn frame breaks its connection, and both ends are notified. */
  readonly kind: "connection-reset";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
}

/** Makes connections half-open: a drawn frame is the last of its connection. With `neither` no end is notified, as when a machine in between has dropped its state: further frames are lost until the fault ends. With `sender` the sender is notified at once and reconnects, while its earlier frames still arrive, and the other end is notified when it sends. */
export interface HalfOpenFault {
  /** Makes connections half-open: a drawn frame is the last of its connection. With `neither` no end is notified, as when a machine in between has dropped its state: further frames are lost until the fault ends. With `sender` the sender is notified at once and reconnects, while its earlier frames still arrive, and the other end is notified when it sends. */
  readonly kind: "half-open";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
  /** End that is notified. Default: `"neither"`. */
  readonly hears?: "neither" | "sender";
}

/** Drops messages of some actions, and their responses; the connection remains intact. */
export interface DropMessagesFault {
  /** Drops messages of some actions, and their responses; the connection remains intact. */
  readonly kind: "drop-messages";
  /** Transport actions, such as [indices:data/write/bulk*]. */
  readonly actions: OneOrMore<string>;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of dropped messages in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills the disk: writes and syncs fail, and usage shows no free space, until the fault ends. Then failed allocations are retried. */
export interface DiskFullFault {
  /** Fills the disk: writes and syncs fail, and usage shows no free space, until the fault ends. Then failed allocations are retried. */
  readonly kind: "disk-full";
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Makes the disk of the indices read-only, as after an error of the file system: writes, renames and removals fail, reads succeed, and usage shows free space. Then failed allocations are retried. */
export interface ReadOnlyDiskFault {
  /** Makes the disk of the indices read-only, as after an error of the file system: writes, renames and removals fail, reads succeed, and usage shows free space. Then failed allocations are retried. */
  readonly kind: "read-only-disk";
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Delays each sync, of documents and of the node store alike. */
export interface DiskSlowFault {
  /** Delays each sync, of documents and of the node store alike. */
  readonly kind: "disk-slow";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Delay of each sync. Default: `"200ms"`. */
  readonly by?: Time;
}

/** Makes syncs fail with an input/output error; their data may be lost. When the fault ends failed allocations are retried. */
export interface SyncFailureFault {
  /** Makes syncs fail with an input/output error; their data may be lost. When the fault ends failed allocations are retried. */
  readonly kind: "sync-failure";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing syncs in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Makes syncs fail as on Linux: with one input/output error, after which a second sync succeeds although the data of the first is not on the disk. Reads return that data until the power is cut. When the fault ends failed allocations are retried. */
export interface PagesLostFault {
  /** Makes syncs fail as on Linux: with one input/output error, after which a second sync succeeds although the data of the first is not on the disk. Reads return that data until the power is cut. When the fault ends failed allocations are retried. */
  readonly kind: "pages-lost";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing syncs of a file in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Makes the disk report syncs as successful that it does not perform. When the fault ends the power is cut, writes made meanwhile are lost, and the nodes start again. The node store is not affected. */
export interface LostWritesFault {
  /** Makes the disk report syncs as successful that it does not perform. When the fault ends the power is cut, writes made meanwhile are lost, and the nodes start again. The node store is not affected. */
  readonly kind: "lost-writes";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
}

/** Makes writes to the store of nodes fail, of votes and cluster states: at the next change of the cluster state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
export interface StoreFailureFault {
  /** Makes writes to the store of nodes fail, of votes and cluster states: at the next change of the cluster state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
  readonly kind: "store-failure";
  /** Nodes whose store fails. */
  readonly node: Node;
}

/** Flips bits in the store of nodes, of votes and cluster states, and cuts their power; they start again when the fault ends. A node that lost data does not vote until an elected cluster manager has accepted it as a new voter. */
export interface StoreRotFault {
  /** Flips bits in the store of nodes, of votes and cluster states, and cuts their power; they start again when the fault ends. A node that lost data does not vote until an elected cluster manager has accepted it as a new voter. */
  readonly kind: "store-rot";
  /** Nodes whose store fails. */
  readonly node: Node;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Cuts the power in the middle of a write: a part of the unsynced data is kept, some of it as zeros. The node starts again when the fault ends. */
export interface TornWriteFault {
  /** Cuts the power in the middle of a write: a part of the unsynced data is kept, some of it as zeros. The node starts again when the fault ends. */
  readonly kind: "torn-write";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
}

/** Flips bits of files on the disk, which shows only when they are read. */
export interface BitRotFault {
  /** Flips bits of files on the disk, which shows only when they are read. */
  readonly kind: "bit-rot";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Writes blocks of files over blocks of others, and zeros in their own place: a misplaced block is valid in itself. The damage shows only when it is read. */
export interface MisdirectedWriteFault {
  /** Writes blocks of files over blocks of others, and zeros in their own place: a misplaced block is valid in itself. The damage shows only when it is read. */
  readonly kind: "misdirected-write";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of blocks of 512 bytes. Default: `1`. */
  readonly blocks?: number;
}

/** Makes reads fail with an input/output error. Files are read when a copy starts or is snapshotted: a running copy reads none. When the fault ends failed allocations are retried. */
export interface ReadErrorFault {
  /** Makes reads fail with an input/output error. Files are read when a copy starts or is snapshotted: a running copy reads none. When the fault ends failed allocations are retried. */
  readonly kind: "read-error";
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing reads in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Cuts the power while indices are flushed, before directories are synced: files created or renamed since then are lost. The node starts again when the fault ends. */
export interface LostDirectoryEntryFault {
  /** Cuts the power while indices are flushed, before directories are synced: files created or renamed since then are lost. The node starts again when the fault ends. */
  readonly kind: "lost-directory-entry";
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Delays each operation on a repository. */
export interface RepositorySlowFault {
  /** Delays each operation on a repository. */
  readonly kind: "repository-slow";
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Delay of each operation. Default: `"500ms"`. */
  readonly by?: Time;
}

/** Makes operations on a repository fail with an input/output error. */
export interface RepositoryFailureFault {
  /** Makes operations on a repository fail with an input/output error. */
  readonly kind: "repository-failure";
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing operations in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills a repository: writes fail. */
export interface RepositoryFullFault {
  /** Fills a repository: writes fail. */
  readonly kind: "repository-full";
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
}

/** Makes a repository unreachable, like a file system that is not mounted: it appears empty, and writes fail. */
export interface RepositoryMissingFault {
  /** Makes a repository unreachable, like a file system that is not mounted: it appears empty, and writes fail. */
  readonly kind: "repository-missing";
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
}

/** Flips bits of blobs in a repository, which shows only when they are read. */
export interface RepositoryCorruptionFault {
  /** Flips bits of blobs in a repository, which shows only when they are read. */
  readonly kind: "repository-corruption";
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Changes a cluster setting so often that the elected cluster manager cannot keep up; the setting is reset when the fault ends. */
export interface ManagerOverloadFault {
  /** Changes a cluster setting so often that the elected cluster manager cannot keep up; the setting is reset when the fault ends. */
  readonly kind: "manager-overload";
  /** Tasks in a second. Default: `200`. */
  readonly per_second?: number;
}

/** Makes nodes reject requests of other nodes with 429, as with full queues. A rejected request is not executed. */
export interface RejectedTasksFault {
  /** Makes nodes reject requests of other nodes with 429, as with full queues. A rejected request is not executed. */
  readonly kind: "rejected-tasks";
  /** Transport actions; one that ends in * matches all with that prefix. Default: `["indices:data/write/bulk[s]","indices:data/read/*"]`. */
  readonly actions?: OneOrMore<string>;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of rejected requests in a thousand. Default: `200`. */
  readonly per_mille?: number;
}

/** Makes the retention leases of an index expire: the clocks of its primaries' nodes jump, and the sync of leases is dropped. */
export interface LeaseExpiryFault {
  /** Makes the retention leases of an index expire: the clocks of its primaries' nodes jump, and the sync of leases is dropped. */
  readonly kind: "lease-expiry";
  /** Index with the leases. */
  readonly index: string;
  /** Offset of the clocks; more than the period of the leases. Default: `"13h"`. */
  readonly by?: Time;
}

/** Makes keep-alives expire: of nodes, whose health checks are dropped, so that healthy nodes appear dead; or of searches, which are rejected with 429, so that scrolls and points in time end. Other messages are not affected. */
export interface KeepAliveExpiryFault {
  /** Makes keep-alives expire: of nodes, whose health checks are dropped, so that healthy nodes appear dead; or of searches, which are rejected with 429, so that scrolls and points in time end. Other messages are not affected. */
  readonly kind: "keep-alive-expiry";
  /** Subject of the keep-alives. Default: `"nodes"`. */
  readonly of?: "nodes" | "searches";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected checks, or searches, in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

export type TimedFault =
  | CrashTimedFault
  | RestartTimedFault
  | KillTimedFault
  | StopTimedFault
  | PauseTimedFault
  | SlowCpuTimedFault
  | ThreadPauseTimedFault
  | ThreadSlowTimedFault
  | ShortTurnsTimedFault
  | WorkerDeathTimedFault
  | AddNodeTimedFault
  | RemoveNodeTimedFault
  | LoseDataTimedFault
  | ClockSkewTimedFault
  | ClockJumpTimedFault
  | ClockStrobeTimedFault
  | PartitionTimedFault
  | PartitionHalvesTimedFault
  | MajorityRingTimedFault
  | BridgeTimedFault
  | OneWayTimedFault
  | DelayTimedFault
  | LossTimedFault
  | DuplicationTimedFault
  | ReorderingTimedFault
  | ThrottlingTimedFault
  | ConnectionResetTimedFault
  | HalfOpenTimedFault
  | DropMessagesTimedFault
  | DiskFullTimedFault
  | ReadOnlyDiskTimedFault
  | DiskSlowTimedFault
  | SyncFailureTimedFault
  | PagesLostTimedFault
  | LostWritesTimedFault
  | StoreFailureTimedFault
  | StoreRotTimedFault
  | TornWriteTimedFault
  | BitRotTimedFault
  | MisdirectedWriteTimedFault
  | ReadErrorTimedFault
  | LostDirectoryEntryTimedFault
  | RepositorySlowTimedFault
  | RepositoryFailureTimedFault
  | RepositoryFullTimedFault
  | RepositoryMissingTimedFault
  | RepositoryCorruptionTimedFault
  | ManagerOverloadTimedFault
  | RejectedTasksTimedFault
  | LeaseExpiryTimedFault
  | KeepAliveExpiryTimedFault;

/** Cuts the power of nodes: unsynced writes are lost, torn or kept. They start again when the fault ends. */
export interface CrashTimedFault {
  /** Cuts the power of nodes: unsynced writes are lost, torn or kept. They start again when the fault ends. */
  readonly kind: "crash";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that lose power. */
  readonly node: Node;
}

/** Cuts the power of nodes and starts them again at once. */
export interface RestartTimedFault {
  /** Cuts the power of nodes and starts them again at once. */
  readonly kind: "restart";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that restart. */
  readonly node: Node;
}

/** Cuts the power of nodes, which lose every unsynced write. They start again when the fault ends. */
export interface KillTimedFault {
  /** Cuts the power of nodes, which lose every unsynced write. They start again when the fault ends. */
  readonly kind: "kill";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that lose power. */
  readonly node: Node;
}

/** Stops nodes in an orderly way, as for maintenance, and starts them again when the fault ends. */
export interface StopTimedFault {
  /** Stops nodes in an orderly way, as for maintenance, and starts them again when the fault ends. */
  readonly kind: "stop";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that are stopped. */
  readonly node: Node;
}

/** Pauses nodes, like a stopped process or a long garbage collection; then they resume without noticing. */
export interface PauseTimedFault {
  /** Pauses nodes, like a stopped process or a long garbage collection; then they resume without noticing. */
  readonly kind: "pause";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that are paused. */
  readonly node: Node;
}

/** Slows nodes down: each message, timer and response is delayed, and waits for the previous one. */
export interface SlowCpuTimedFault {
  /** Slows nodes down: each message, timer and response is delayed, and waits for the previous one. */
  readonly kind: "slow-cpu";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that are slow. */
  readonly node: Node;
  /** Delay of each event. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Pauses one thread of nodes, like a long turn of the program: a shard worker is paused while its node answers health checks, or the reverse. */
export interface ThreadPauseTimedFault {
  /** Pauses one thread of nodes, like a long turn of the program: a shard worker is paused while its node answers health checks, or the reverse. */
  readonly kind: "thread-pause";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
}

/** Slows down one thread of nodes: a shard worker lags behind the cluster state of the main thread, or the main thread forwards messages late. */
export interface ThreadSlowTimedFault {
  /** Slows down one thread of nodes: a shard worker lags behind the cluster state of the main thread, or the main thread forwards messages late. */
  readonly kind: "thread-slow";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
  /** Delay of each event. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a busy machine: merges, replays, large bodies and responses are interrupted at every opportunity, and other work of the thread runs in between. */
export interface ShortTurnsTimedFault {
  /** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a busy machine: merges, replays, large bodies and responses are interrupted at every opportunity, and other work of the thread runs in between. */
  readonly kind: "short-turns";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
  /** Time for other work before the next turn. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends a shard worker of nodes in the middle of its work, as an uncaught error does: its copies fail, the node continues and starts another worker. */
export interface WorkerDeathTimedFault {
  /** Ends a shard worker of nodes in the middle of its work, as an uncaught error does: its copies fail, the node continues and starts another worker. */
  readonly kind: "worker-death";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose thread is affected. */
  readonly node: Node;
  /** Number of the thread: 0 is the main thread, the others are shard workers, whose number is [node.shard_workers]. Default: `1`. */
  readonly thread?: number;
}

/** Starts a new node with an empty disk. It remains after the fault. */
export interface AddNodeTimedFault {
  /** Starts a new node with an empty disk. It remains after the fault. */
  readonly kind: "add-node";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Name of the node; default: a free one. */
  readonly name?: string;
  /** Cluster that it joins; default: the first. */
  readonly cluster?: string;
  /** node.attr.zone. */
  readonly zone?: string;
  /** node.roles. */
  readonly roles?: OneOrMore<"cluster_manager" | "data" | "ingest" | "remote_cluster_client" | "search" | "warm">;
}

/** Cuts the power of nodes, and removes them permanently. */
export interface RemoveNodeTimedFault {
  /** Cuts the power of nodes, and removes them permanently. */
  readonly kind: "remove-node";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that are removed. */
  readonly node: Node;
}

/** Cuts the power of nodes and removes their data. They start again, as new nodes, when the fault ends. */
export interface LoseDataTimedFault {
  /** Cuts the power of nodes and removes their data. They start again, as new nodes, when the fault ends. */
  readonly kind: "lose-data";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes that lose their data. */
  readonly node: Node;
}

/** Offsets the wall clock of nodes, and makes it run too fast or too slow; it is correct again when the fault ends. */
export interface ClockSkewTimedFault {
  /** Offsets the wall clock of nodes, and makes it run too fast or too slow; it is correct again when the fault ends. */
  readonly kind: "clock-skew";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose clock is wrong. */
  readonly node: Node;
  /** Offset, such as [5m] or [-5m]. Default: `"0ms"`. */
  readonly by?: SignedTime;
  /** Drift in parts per million; positive is too fast. Default: `0`. */
  readonly drift_per_million?: number;
}

/** Makes the wall clock of nodes jump, forwards or backwards, permanently. */
export interface ClockJumpTimedFault {
  /** Makes the wall clock of nodes jump, forwards or backwards, permanently. */
  readonly kind: "clock-jump";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose clock jumps. */
  readonly node: Node;
  /** Offset, such as [1h] or [-1h]. */
  readonly by: SignedTime;
}

/** Makes the wall clock of nodes jump to a wrong time and back repeatedly, as with two contradicting time sources; it is correct when the fault ends. Timers are not affected. */
export interface ClockStrobeTimedFault {
  /** Makes the wall clock of nodes jump to a wrong time and back repeatedly, as with two contradicting time sources; it is correct when the fault ends. Timers are not affected. */
  readonly kind: "clock-strobe";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose clock jumps. */
  readonly node: Node;
  /** Offset, such as [5m] or [-5m]. */
  readonly by: SignedTime;
  /** Time of one jump and the return. Default: `"200ms"`. */
  readonly period?: Time;
}

/** Cuts every link between the isolated nodes and all others, in both directions. Nodes on the same side stay connected. */
export interface PartitionTimedFault {
  /** Cuts every link between the isolated nodes and all others, in both directions. Nodes on the same side stay connected. */
  readonly kind: "partition";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes on one side. */
  readonly isolate: Node;
}

/** Splits a cluster into two halves, drawn from the seed, without connection. */
export interface PartitionHalvesTimedFault {
  /** Splits a cluster into two halves, drawn from the seed, without connection. */
  readonly kind: "partition-halves";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Name of the cluster; default: the first. */
  readonly cluster?: string;
}

/** Places the nodes on a ring, drawn from the seed: each is connected only to the neighbours that form a majority with it. */
export interface MajorityRingTimedFault {
  /** Places the nodes on a ring, drawn from the seed: each is connected only to the neighbours that form a majority with it. */
  readonly kind: "majority-ring";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Name of the cluster; default: the first. */
  readonly cluster?: string;
}

/** Splits a cluster into two halves without connection; one node is connected to both. */
export interface BridgeTimedFault {
  /** Splits a cluster into two halves without connection; one node is connected to both. */
  readonly kind: "bridge";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Node between the halves. Default: `"any"`. */
  readonly node?: Node;
}

/** Cuts links in one direction: frames that the nodes send do not arrive, or frames sent to them. */
export interface OneWayTimedFault {
  /** Cuts links in one direction: frames that the nodes send do not arrive, or frames sent to them. */
  readonly kind: "one-way";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose links are cut. */
  readonly node: Node;
  /** Direction that is cut. Default: `"sent"`. */
  readonly loses?: "sent" | "received";
}

/** Adds latency to each frame, drawn between two bounds. */
export interface DelayTimedFault {
  /** Adds latency to each frame, drawn between two bounds. */
  readonly kind: "delay";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Lower bound. Default: `"0ms"`. */
  readonly low?: Time;
  /** Upper bound. Default: `"100ms"`. */
  readonly high?: Time;
}

/** Loses frames: the loss of a frame of a request or response breaks its connection, a one-way frame is lost alone. */
export interface LossTimedFault {
  /** Loses frames: the loss of a frame of a request or response breaks its connection, a one-way frame is lost alone. */
  readonly kind: "loss";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
}

/** Delivers one-way frames twice. */
export interface DuplicationTimedFault {
  /** Delivers one-way frames twice. */
  readonly kind: "duplication";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `50`. */
  readonly per_mille?: number;
}

/** Reorders one-way frames: a drawn frame is overtaken by later ones. */
export interface ReorderingTimedFault {
  /** Reorders one-way frames: a drawn frame is overtaken by later ones. */
  readonly kind: "reordering";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `50`. */
  readonly per_mille?: number;
}

/** Limits the bandwidth of each connection. */
export interface ThrottlingTimedFault {
  /** Limits the bandwidth of each connection. */
  readonly kind: "throttling";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Bytes in a second for each connection and direction. Default: `100000`. */
  readonly bytes_per_second?: number;
}

/** Resets connections: a drawn frame breaks its connection, and both ends are notified. */
export interface ConnectionResetTimedFault {
  /** Resets connections: a drawn frame breaks its connection, and both ends are notified. */
  readonly kind: "connection-reset";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
}

/** Makes connections half-open: a drawn frame is the last of its connection. With `neither` no end is notified, as when a machine in between has dropped its state: further frames are lost until the fault ends. With `sender` the sender is notified at once and reconnects, while its earlier frames still arrive, and the other end is notified when it sends. */
export interface HalfOpenTimedFault {
  /** Makes connections half-open: a drawn frame is the last of its connection. With `neither` no end is notified, as when a machine in between has dropped its state: further frames are lost until the fault ends. With `sender` the sender is notified at once and reconnects, while its earlier frames still arrive, and the other end is notified when it sends. */
  readonly kind: "half-open";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected frames in a thousand. Default: `10`. */
  readonly per_mille?: number;
  /** End that is notified. Default: `"neither"`. */
  readonly hears?: "neither" | "sender";
}

/** Drops messages of some actions, and their responses; the connection remains intact. */
export interface DropMessagesTimedFault {
  /** Drops messages of some actions, and their responses; the connection remains intact. */
  readonly kind: "drop-messages";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Transport actions, such as [indices:data/write/bulk*]. */
  readonly actions: OneOrMore<string>;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of dropped messages in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills the disk: writes and syncs fail, and usage shows no free space, until the fault ends. Then failed allocations are retried. */
export interface DiskFullTimedFault {
  /** Fills the disk: writes and syncs fail, and usage shows no free space, until the fault ends. Then failed allocations are retried. */
  readonly kind: "disk-full";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Makes the disk of the indices read-only, as after an error of the file system: writes, renames and removals fail, reads succeed, and usage shows free space. Then failed allocations are retried. */
export interface ReadOnlyDiskTimedFault {
  /** Makes the disk of the indices read-only, as after an error of the file system: writes, renames and removals fail, reads succeed, and usage shows free space. Then failed allocations are retried. */
  readonly kind: "read-only-disk";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Delays each sync, of documents and of the node store alike. */
export interface DiskSlowTimedFault {
  /** Delays each sync, of documents and of the node store alike. */
  readonly kind: "disk-slow";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Delay of each sync. Default: `"200ms"`. */
  readonly by?: Time;
}

/** Makes syncs fail with an input/output error; their data may be lost. When the fault ends failed allocations are retried. */
export interface SyncFailureTimedFault {
  /** Makes syncs fail with an input/output error; their data may be lost. When the fault ends failed allocations are retried. */
  readonly kind: "sync-failure";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing syncs in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Makes syncs fail as on Linux: with one input/output error, after which a second sync succeeds although the data of the first is not on the disk. Reads return that data until the power is cut. When the fault ends failed allocations are retried. */
export interface PagesLostTimedFault {
  /** Makes syncs fail as on Linux: with one input/output error, after which a second sync succeeds although the data of the first is not on the disk. Reads return that data until the power is cut. When the fault ends failed allocations are retried. */
  readonly kind: "pages-lost";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing syncs of a file in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Makes the disk report syncs as successful that it does not perform. When the fault ends the power is cut, writes made meanwhile are lost, and the nodes start again. The node store is not affected. */
export interface LostWritesTimedFault {
  /** Makes the disk report syncs as successful that it does not perform. When the fault ends the power is cut, writes made meanwhile are lost, and the nodes start again. The node store is not affected. */
  readonly kind: "lost-writes";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
}

/** Makes writes to the store of nodes fail, of votes and cluster states: at the next change of the cluster state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
export interface StoreFailureTimedFault {
  /** Makes writes to the store of nodes fail, of votes and cluster states: at the next change of the cluster state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
  readonly kind: "store-failure";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose store fails. */
  readonly node: Node;
}

/** Flips bits in the store of nodes, of votes and cluster states, and cuts their power; they start again when the fault ends. A node that lost data does not vote until an elected cluster manager has accepted it as a new voter. */
export interface StoreRotTimedFault {
  /** Flips bits in the store of nodes, of votes and cluster states, and cuts their power; they start again when the fault ends. A node that lost data does not vote until an elected cluster manager has accepted it as a new voter. */
  readonly kind: "store-rot";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose store fails. */
  readonly node: Node;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Cuts the power in the middle of a write: a part of the unsynced data is kept, some of it as zeros. The node starts again when the fault ends. */
export interface TornWriteTimedFault {
  /** Cuts the power in the middle of a write: a part of the unsynced data is kept, some of it as zeros. The node starts again when the fault ends. */
  readonly kind: "torn-write";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
}

/** Flips bits of files on the disk, which shows only when they are read. */
export interface BitRotTimedFault {
  /** Flips bits of files on the disk, which shows only when they are read. */
  readonly kind: "bit-rot";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Writes blocks of files over blocks of others, and zeros in their own place: a misplaced block is valid in itself. The damage shows only when it is read. */
export interface MisdirectedWriteTimedFault {
  /** Writes blocks of files over blocks of others, and zeros in their own place: a misplaced block is valid in itself. The damage shows only when it is read. */
  readonly kind: "misdirected-write";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of blocks of 512 bytes. Default: `1`. */
  readonly blocks?: number;
}

/** Makes reads fail with an input/output error. Files are read when a copy starts or is snapshotted: a running copy reads none. When the fault ends failed allocations are retried. */
export interface ReadErrorTimedFault {
  /** Makes reads fail with an input/output error. Files are read when a copy starts or is snapshotted: a running copy reads none. When the fault ends failed allocations are retried. */
  readonly kind: "read-error";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
  /** Only files whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing reads in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Cuts the power while indices are flushed, before directories are synced: files created or renamed since then are lost. The node starts again when the fault ends. */
export interface LostDirectoryEntryTimedFault {
  /** Cuts the power while indices are flushed, before directories are synced: files created or renamed since then are lost. The node starts again when the fault ends. */
  readonly kind: "lost-directory-entry";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Nodes whose disk is affected. */
  readonly node: Node;
}

/** Delays each operation on a repository. */
export interface RepositorySlowTimedFault {
  /** Delays each operation on a repository. */
  readonly kind: "repository-slow";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Delay of each operation. Default: `"500ms"`. */
  readonly by?: Time;
}

/** Makes operations on a repository fail with an input/output error. */
export interface RepositoryFailureTimedFault {
  /** Makes operations on a repository fail with an input/output error. */
  readonly kind: "repository-failure";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of failing operations in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills a repository: writes fail. */
export interface RepositoryFullTimedFault {
  /** Fills a repository: writes fail. */
  readonly kind: "repository-full";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
}

/** Makes a repository unreachable, like a file system that is not mounted: it appears empty, and writes fail. */
export interface RepositoryMissingTimedFault {
  /** Makes a repository unreachable, like a file system that is not mounted: it appears empty, and writes fail. */
  readonly kind: "repository-missing";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
}

/** Flips bits of blobs in a repository, which shows only when they are read. */
export interface RepositoryCorruptionTimedFault {
  /** Flips bits of blobs in a repository, which shows only when they are read. */
  readonly kind: "repository-corruption";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Location of the repository; default: every repository. */
  readonly location?: string;
  /** Only blobs whose path contains this text; default: all. */
  readonly path?: string;
  /** Number of bits. Default: `1`. */
  readonly bits?: number;
}

/** Changes a cluster setting so often that the elected cluster manager cannot keep up; the setting is reset when the fault ends. */
export interface ManagerOverloadTimedFault {
  /** Changes a cluster setting so often that the elected cluster manager cannot keep up; the setting is reset when the fault ends. */
  readonly kind: "manager-overload";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Tasks in a second. Default: `200`. */
  readonly per_second?: number;
}

/** Makes nodes reject requests of other nodes with 429, as with full queues. A rejected request is not executed. */
export interface RejectedTasksTimedFault {
  /** Makes nodes reject requests of other nodes with 429, as with full queues. A rejected request is not executed. */
  readonly kind: "rejected-tasks";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Transport actions; one that ends in * matches all with that prefix. Default: `["indices:data/write/bulk[s]","indices:data/read/*"]`. */
  readonly actions?: OneOrMore<string>;
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of rejected requests in a thousand. Default: `200`. */
  readonly per_mille?: number;
}

/** Makes the retention leases of an index expire: the clocks of its primaries' nodes jump, and the sync of leases is dropped. */
export interface LeaseExpiryTimedFault {
  /** Makes the retention leases of an index expire: the clocks of its primaries' nodes jump, and the sync of leases is dropped. */
  readonly kind: "lease-expiry";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Index with the leases. */
  readonly index: string;
  /** Offset of the clocks; more than the period of the leases. Default: `"13h"`. */
  readonly by?: Time;
}

/** Makes keep-alives expire: of nodes, whose health checks are dropped, so that healthy nodes appear dead; or of searches, which are rejected with 429, so that scrolls and points in time end. Other messages are not affected. */
export interface KeepAliveExpiryTimedFault {
  /** Makes keep-alives expire: of nodes, whose health checks are dropped, so that healthy nodes appear dead; or of searches, which are rejected with 429, so that scrolls and points in time end. Other messages are not affected. */
  readonly kind: "keep-alive-expiry";
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** How long it lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** Subject of the keep-alives. Default: `"nodes"`. */
  readonly of?: "nodes" | "searches";
  /** Only frames that these nodes send or receive. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes receive. */
  readonly receiver?: Node;
  /** Number of affected checks, or searches, in a thousand. Default: `1000`. */
  readonly per_mille?: number;
}

export type Entry = {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** METHOD /path, such as [GET /_cluster/health]. */
  readonly request: RequestLine;
  /** Body of the request; a list is sent line by line. */
  readonly body?: Json;
  /** Node that is asked; default: any running one. */
  readonly node?: Node;
  /** Expected answer. */
  readonly expect?: {
    /** HTTP status; default: any below 300. */
    readonly status?: number | string | readonly number[];
    /** Values by path, such as [hits.total.value]. */
    readonly body?: { readonly [name: string]: Json };
  };
  /** Names for values of the answer, by path: later entries say {name} in paths, bodies and expectations; {address:node-1} is a node's transport address. */
  readonly save?: { readonly [name: string]: string };
  /** Time for which the request is repeated until the answer is as expected. */
  readonly until?: Time;
  /** A failed or missing answer is no finding. */
  readonly attempt?: boolean;
  /** time-out of each attempt. Default: `"30s"`. */
  readonly timeout?: Time;
} | {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** What goes wrong. */
  readonly fault: Fault;
  /** Duration of the fault; default: until the end of the phase. */
  readonly for?: Time;
  /** Id for an [end] entry. */
  readonly id?: string;
} | {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** Ends the fault of this id. */
  readonly end: string;
} | {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** Nothing happens for so long. */
  readonly wait: Time;
} | {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** The node. */
  readonly start: Node;
} | {
  /** When it happens, from the start of the faults' phase. */
  readonly at?: Time;
  /** When it happens, or may happen at the earliest. */
  readonly from?: Time;
  /** When it ends; with [every] and [when]: when it no longer happens. */
  readonly to?: Time;
  /** It happens once, at a time drawn from these two. */
  readonly within?: readonly [Time, Time];
  /** It happens again and again. */
  readonly every?: Time;
  /** It happens once, as soon as this holds. */
  readonly when?: Condition;
  /** The node. */
  readonly stop: Node;
};

export type Workload =
  | ApplicationWorkload
  | BulkWorkload
  | NewIndicesWorkload
  | PagesWorkload
  | RegistersWorkload
  | RequestsWorkload
  | SearchWorkload;

/** Sends requests as applications do through an official client: bursts with think time; documents without ids, with ids that must be new, and with external versions; deletes and reads. An attempt that receives 429, 502, 503 or 504, or loses its connection, is retried at the next node. */
export interface ApplicationWorkload {
  /** Sends requests as applications do through an official client: bursts with think time; documents without ids, with ids that must be new, and with external versions; deletes and reads. An attempt that receives 429, 502, 503 or 504, or loses its connection, is retried at the next node. */
  readonly kind: "application";
  /** Target of the requests: an index, an alias or a data stream. */
  readonly index: string;
  /** Kind of the target: a data stream accepts new documents only. Default: `"index"`. */
  readonly to?: "index" | "data-stream";
  /** Number of documents with external versions. Default: `8`. */
  readonly versioned?: number;
  /** Largest number of requests without a pause. Default: `4`. */
  readonly burst?: number;
  /** Number of retries. Default: `3`. */
  readonly retries?: number;
  /** An attempt that timed out is retried as well. Default: `false`. */
  readonly retry_timeouts?: boolean;
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Writes batches of new documents with distinct ids. */
export interface BulkWorkload {
  /** Writes batches of new documents with distinct ids. */
  readonly kind: "bulk";
  /** Index that is written. */
  readonly index: string;
  /** Documents in one request. Default: `10`. */
  readonly documents?: number;
  /** Whether clients choose the ids, or the cluster generates them. Default: `"named"`. */
  readonly ids?: "named" | "automatic";
  /** `refresh` parameter of each request: answered when searches find its documents, after the next refresh or a forced one. Default: `"none"`. */
  readonly refresh?: "none" | "wait_for" | "true";
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Creates one index after another: writes documents as soon as its primaries are active, refreshes, and searches through any node. */
export interface NewIndicesWorkload {
  /** Creates one index after another: writes documents as soon as its primaries are active, refreshes, and searches through any node. */
  readonly kind: "new-indices";
  /** Prefix of the names of the indices. */
  readonly index: string;
  /** number_of_shards. Default: `1`. */
  readonly shards?: number;
  /** number_of_replicas. Default: `1`. */
  readonly replicas?: number;
  /** Documents of each index. Default: `6`. */
  readonly documents?: number;
  /** Searches of each index, after its refresh. Default: `8`. */
  readonly searches?: number;
  /** Pause of a client between two steps of one index. Default: `"5ms"`. */
  readonly pause?: Time;
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Opens a scroll or a point in time, reads the whole index in it page by page through any node, and closes it. */
export interface PagesWorkload {
  /** Opens a scroll or a point in time, reads the whole index in it page by page through any node, and closes it. */
  readonly kind: "pages";
  /** Index to read. */
  readonly index: string;
  /** Context that is opened. Default: `"scroll"`. */
  readonly of?: "scroll" | "point-in-time";
  /** Documents on one page. Default: `10`. */
  readonly documents?: number;
  /** Pause of a client between two pages. Default: `"50ms"`. */
  readonly pause?: Time;
  /** keep-alive of the context between two pages. Default: `"1m"`. */
  readonly keep_alive?: Time;
  /** The index is refreshed first. Default: `false`. */
  readonly refresh?: boolean;
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Reads, writes and deletes a few documents, many of the writes as compare-and-set on what was read. */
export interface RegistersWorkload {
  /** Reads, writes and deletes a few documents, many of the writes as compare-and-set on what was read. */
  readonly kind: "registers";
  /** Index of the documents. */
  readonly index: string;
  /** Number of documents. Default: `10`. */
  readonly documents?: number;
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Sends REST requests, each drawn by its weight. In paths and bodies `{key}` is a document, `{value}` a new value, `{client}` the number of the client. */
export interface RequestsWorkload {
  /** Sends REST requests, each drawn by its weight. In paths and bodies `{key}` is a document, `{value}` a new value, `{client}` the number of the client. */
  readonly kind: "requests";
  /** Requests to draw from. */
  readonly mix: OneOrMore<{
    /** METHOD /path. */
    readonly request: RequestLine;
    /** Body of the request. */
    readonly body?: Json;
    /** Weight of the request among the others. Default: `1`. */
    readonly weight?: number;
  }>;
  /** Number of documents to choose from. Default: `100`. */
  readonly keys?: number;
  /** Uniform; zipf: few documents most of the time; sequential: one after the other. Default: `"uniform"`. */
  readonly distribution?: "uniform" | "zipf" | "sequential";
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}

/** Searches, and records the hits. */
export interface SearchWorkload {
  /** Searches, and records the hits. */
  readonly kind: "search";
  /** Index, or pattern, to search. */
  readonly index: string;
  /** Body of the search; default: all documents. */
  readonly body?: JsonObject;
  /** The index is refreshed before each search. Default: `false`. */
  readonly refresh?: boolean;
  /** Cluster whose nodes receive the requests; default: the first. */
  readonly cluster?: string;
  /** Number of clients. Default: `1`. */
  readonly clients?: number;
  /** Pause of a client between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** time-out of a request. Default: `"30s"`. */
  readonly timeout?: Time;
  /** Start of the clients. Default: `"0ms"`. */
  readonly from?: Time;
  /** Duration; default: until the end of the phase. */
  readonly for?: Time;
  /** Number of requests after which a client stops. */
  readonly requests?: number;
}
