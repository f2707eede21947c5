/** Made by `npm run reference` from the tables that read a plan: a scenario in the words of its file. */
import type { Json, JsonObject } from "@orrery/stdx";

/** One alone may stand without the brackets. */
export type OneOrMore<T> = T | readonly T[];

export interface Scenario {
  /** family/what-happens. */
  readonly name: string;
  /** One sentence: what the checkers make sure of. */
  readonly claim: string;
  /** What a reader should notice in the run. */
  readonly notice?: string;
  /** Something to think about. */
  readonly question?: string;
  /** Where it can run; everywhere when it is not said. Default: `["sim","memory","grpc","websocket"]`. */
  readonly worlds?: OneOrMore<"sim" | "memory" | "grpc" | "websocket">;
  /** Clusters by name; one of three nodes when not said. Default: `{"orrery":{"nodes":3}}`. */
  readonly clusters?: { readonly [name: string]: {
    /** How many nodes, or groups of nodes; 3 when it is not said. */
    readonly nodes?: number | readonly {
      /** The name of this one node. */
      readonly name?: string;
      /** So many nodes alike. Default: `1`. */
      readonly count?: number;
      /** node.attr.zone. */
      readonly zone?: string;
      /** node.roles; all that a node has by default when it is not said. */
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
    /** Which one; the first when it is not said. */
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
    /** What it holds before the workload starts. */
    readonly data?: {
      /** Made from the seed. Default: `"words"`. */
      readonly dataset?: "numbers" | "words" | "events";
      /** How many. Default: `100`. */
      readonly documents?: number;
    } | {
      /** Beside the scenario: one JSON object a line, or lines for `_bulk`. */
      readonly file: string;
      /** So many from its start; all when it is not said. */
      readonly documents?: number;
      /** What is read from the file otherwise; a bundle has it here. */
      readonly contents?: OneOrMore<{
        /** Its id. */
        readonly id: string;
        /** Its source, as JSON text. */
        readonly source: string;
      }>;
    };
  } };
  /** What clients do; several run at the same time. */
  readonly workload?: OneOrMore<Workload>;
  /** What happens when. */
  readonly timeline?: OneOrMore<Entry>;
  /** What goes wrong, from when to when. */
  readonly faults?: OneOrMore<TimedFault>;
  /** Who judges the run, besides those that judge every plan; when it is not said every checker that applies, but those of documents where the timeline deletes or restores some, or an index syncs later than it acknowledges. */
  readonly checkers?: OneOrMore<"one-cluster-manager-per-term" | "log-matching" | "state-versions-grow" | "no-acknowledged-write-lost" | "compare-and-set-is-linearizable" | "copies-of-a-shard-agree" | "checkpoints-agree" | "in-sync-rules" | "leased-history-is-kept" | "searches-see-refreshed-documents" | "pages-show-one-moment" | "decommissioned-zone-is-empty" | "no-dangling-import-overwrites" | "snapshot-content-equals-index" | "snapshot-status-never-goes-backwards" | "follower-equals-leader" | "converges-to-green" | "documents-exist-once" | "gets-see-acknowledged-writes" | "unsynced-writes-are-recent" | "acknowledged-changes-are-everywhere" | "leases-hold-on-every-copy" | "reports-tell-the-truth" | "operations-end-in-time" | "nothing-grows-in-quiet" | "copies-share-their-history" | "placement-follows-its-rules" | "nothing-is-unforeseen">;
  /** How long all of it takes. */
  readonly phases?: {
    /** Workload, timeline and faults; what lasts is ended after it. Default: `"10s"`. */
    readonly faults?: Time;
    /** How long the clusters may take to heal then. Default: `"2m"`. */
    readonly converge?: Time;
    /** How long nothing is asked of them then, while a checker looks for what grows. */
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
  /** Which one; the first when it is not said. */
  readonly cluster?: string;
  /** The health of its indices. */
  readonly health?: "green" | "yellow" | "red";
  /** So many nodes are in it. */
  readonly nodes?: number;
  /** Of this index only. */
  readonly index?: string;
  /** A copy is in this state. */
  readonly shard?: "UNASSIGNED" | "INITIALIZING" | "STARTED" | "RELOCATING";
  /** An event of the trace has these fields; texts may end in *. */
  readonly event?: Event;
  /** The so-manieth such event. Default: `1`. */
  readonly count?: number;
  /** The answer to this request, as [GET /_cluster/health] … */
  readonly request?: RequestLine;
  /** … has these fields, by path. */
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

/** Cuts the power of nodes: what they had not synced is lost, torn or kept. They start again when the fault ends. */
export interface CrashFault {
  /** Cuts the power of nodes: what they had not synced is lost, torn or kept. They start again when the fault ends. */
  readonly kind: "crash";
  /** Whose power is cut. */
  readonly node: Node;
}

/** Cuts the power of nodes and starts them again at once. */
export interface RestartFault {
  /** Cuts the power of nodes and starts them again at once. */
  readonly kind: "restart";
  /** Who starts again. */
  readonly node: Node;
}

/** Ends nodes and loses every write that they had not synced. They start again when the fault ends. */
export interface KillFault {
  /** Ends nodes and loses every write that they had not synced. They start again when the fault ends. */
  readonly kind: "kill";
  /** Who is ended. */
  readonly node: Node;
}

/** Stops nodes in an orderly way, as for maintenance. They start again when the fault ends. */
export interface StopFault {
  /** Stops nodes in an orderly way, as for maintenance. They start again when the fault ends. */
  readonly kind: "stop";
  /** Who is stopped. */
  readonly node: Node;
}

/** Freezes nodes, as a stopped process or a long collection of garbage does; then they go on as if nothing had been. */
export interface PauseFault {
  /** Freezes nodes, as a stopped process or a long collection of garbage does; then they go on as if nothing had been. */
  readonly kind: "pause";
  /** Who is frozen. */
  readonly node: Node;
}

/** Makes everything that nodes do take longer: each message, timer and answer waits for the one before it. */
export interface SlowCpuFault {
  /** Makes everything that nodes do take longer: each message, timer and answer waits for the one before it. */
  readonly kind: "slow-cpu";
  /** Who is slow. */
  readonly node: Node;
  /** By so much each. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Freezes one thread of nodes, as a long turn of its program does: a shard worker stands still while its node answers checks, or the other way about. */
export interface ThreadPauseFault {
  /** Freezes one thread of nodes, as a long turn of its program does: a shard worker stands still while its node answers checks, or the other way about. */
  readonly kind: "thread-pause";
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
}

/** Makes everything that one thread of nodes does take longer: its shard worker is at an older state of the cluster than its main thread, or sends what the main thread passes on late. */
export interface ThreadSlowFault {
  /** Makes everything that one thread of nodes does take longer: its shard worker is at an older state of the cluster than its main thread, or sends what the main thread passes on late. */
  readonly kind: "thread-slow";
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
  /** By so much each. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a machine that is busy: merges, replays, large bodies and answers are interrupted wherever they can be, and other work of the thread comes between. */
export interface ShortTurnsFault {
  /** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a machine that is busy: merges, replays, large bodies and answers are interrupted wherever they can be, and other work of the thread comes between. */
  readonly kind: "short-turns";
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
  /** So long others go on before the next turn. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends a shard worker of nodes in the middle of what it does, as an error that nobody caught would: its copies fail, the node goes on and starts another. */
export interface WorkerDeathFault {
  /** Ends a shard worker of nodes in the middle of what it does, as an error that nobody caught would: its copies fail, the node goes on and starts another. */
  readonly kind: "worker-death";
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
}

/** Starts a node that was not there before, with an empty disk. It stays. */
export interface AddNodeFault {
  /** Starts a node that was not there before, with an empty disk. It stays. */
  readonly kind: "add-node";
  /** Its name; one that is free when it is not said. */
  readonly name?: string;
  /** Whose node it becomes; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** node.attr.zone. */
  readonly zone?: string;
  /** node.roles. */
  readonly roles?: OneOrMore<"cluster_manager" | "data" | "ingest" | "remote_cluster_client" | "search" | "warm">;
}

/** Cuts the power of nodes for good: nobody expects them back. */
export interface RemoveNodeFault {
  /** Cuts the power of nodes for good: nobody expects them back. */
  readonly kind: "remove-node";
  /** Who goes. */
  readonly node: Node;
}

/** Cuts the power of nodes and empties their disks. They start again, as new ones, when the fault ends. */
export interface LoseDataFault {
  /** Cuts the power of nodes and empties their disks. They start again, as new ones, when the fault ends. */
  readonly kind: "lose-data";
  /** Whose disk is emptied. */
  readonly node: Node;
}

/** Sets the wall clock of nodes wrong, and lets it run too fast or too slow; it is right again when the fault ends. */
export interface ClockSkewFault {
  /** Sets the wall clock of nodes wrong, and lets it run too fast or too slow; it is right again when the fault ends. */
  readonly kind: "clock-skew";
  /** Whose clock is wrong. */
  readonly node: Node;
  /** By so much, such as [5m] or [-5m]. Default: `"0ms"`. */
  readonly by?: SignedTime;
  /** So many millionths too fast. Default: `0`. */
  readonly drift_per_million?: number;
}

/** Lets the wall clock of nodes jump, forwards or backwards. It does not jump back. */
export interface ClockJumpFault {
  /** Lets the wall clock of nodes jump, forwards or backwards. It does not jump back. */
  readonly kind: "clock-jump";
  /** Whose clock jumps. */
  readonly node: Node;
  /** By so much, such as [1h] or [-1h]. */
  readonly by: SignedTime;
}

/** Lets the wall clock of nodes jump to a wrong time and back again and again, as two sources of time do that contradict each other; it is right when the fault ends. Timers are not touched. */
export interface ClockStrobeFault {
  /** Lets the wall clock of nodes jump to a wrong time and back again and again, as two sources of time do that contradict each other; it is right when the fault ends. Timers are not touched. */
  readonly kind: "clock-strobe";
  /** Whose clock jumps. */
  readonly node: Node;
  /** By so much, such as [5m] or [-5m]. */
  readonly by: SignedTime;
  /** How long a jump and the way back take. Default: `"200ms"`. */
  readonly period?: Time;
}

/** Cuts every link between the nodes named and all others, both ways. Among themselves both sides can talk. */
export interface PartitionFault {
  /** Cuts every link between the nodes named and all others, both ways. Among themselves both sides can talk. */
  readonly kind: "partition";
  /** The nodes on one side. */
  readonly isolate: Node;
}

/** Splits a cluster in two halves, drawn by the seed, that cannot talk to each other. */
export interface PartitionHalvesFault {
  /** Splits a cluster in two halves, drawn by the seed, that cannot talk to each other. */
  readonly kind: "partition-halves";
  /** Which one; the first when it is not said. */
  readonly cluster?: string;
}

/** Places the nodes on a ring, drawn by the seed: each can talk to the neighbours that make a majority with it, and to nobody else. */
export interface MajorityRingFault {
  /** Places the nodes on a ring, drawn by the seed: each can talk to the neighbours that make a majority with it, and to nobody else. */
  readonly kind: "majority-ring";
  /** Which one; the first when it is not said. */
  readonly cluster?: string;
}

/** Splits a cluster in two halves that cannot talk to each other; one node can talk to both. */
export interface BridgeFault {
  /** Splits a cluster in two halves that cannot talk to each other; one node can talk to both. */
  readonly kind: "bridge";
  /** Who is the bridge. Default: `"any"`. */
  readonly node?: Node;
}

/** Cuts links in one direction: what the nodes send reaches nobody, or nothing that others send reaches them. */
export interface OneWayFault {
  /** Cuts links in one direction: what the nodes send reaches nobody, or nothing that others send reaches them. */
  readonly kind: "one-way";
  /** Whose links they are. */
  readonly node: Node;
  /** What is held back. Default: `"sent"`. */
  readonly loses?: "sent" | "received";
}

/** Makes each frame travel longer, by a time drawn between two bounds. */
export interface DelayFault {
  /** Makes each frame travel longer, by a time drawn between two bounds. */
  readonly kind: "delay";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** By this at least. Default: `"0ms"`. */
  readonly low?: Time;
  /** By this at most. Default: `"100ms"`. */
  readonly high?: Time;
}

/** Loses frames: one that has an answer breaks its connection, a one-way frame is lost alone. */
export interface LossFault {
  /** Loses frames: one that has an answer breaks its connection, a one-way frame is lost alone. */
  readonly kind: "loss";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
  readonly per_mille?: number;
}

/** Delivers one-way frames twice. */
export interface DuplicationFault {
  /** Delivers one-way frames twice. */
  readonly kind: "duplication";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `50`. */
  readonly per_mille?: number;
}

/** Lets one-way frames be overtaken by later ones. */
export interface ReorderingFault {
  /** Lets one-way frames be overtaken by later ones. */
  readonly kind: "reordering";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `50`. */
  readonly per_mille?: number;
}

/** Lets each connection carry no more than so many bytes a second. */
export interface ThrottlingFault {
  /** Lets each connection carry no more than so many bytes a second. */
  readonly kind: "throttling";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** For each connection and direction. Default: `100000`. */
  readonly bytes_per_second?: number;
}

/** Breaks connections: a frame now and then resets the one it is on, and both ends hear of it. */
export interface ConnectionResetFault {
  /** Breaks connections: a frame now and then resets the one it is on, and both ends hear of it. */
  readonly kind: "connection-reset";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
  readonly per_mille?: number;
}

/** Lets connections die without telling both ends: a frame now and then is the last of its connection. Neither end hears of it, as when a machine between them has forgotten it: what is sent vanishes until the fault ends. Or the sender hears at once and connects anew, while what it had sent still arrives, and the other end hears when it sends. */
export interface HalfOpenFault {
  /** Lets connections die without telling both ends: a frame now and then is the last of its connection. Neither end hears of it, as when a machine between them has forgotten it: what is sent vanishes until the fault ends. Or the sender hears at once and connects anew, while what it had sent still arrives, and the other end hears when it sends. */
  readonly kind: "half-open";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
  readonly per_mille?: number;
  /** Which end hears of it. Default: `"neither"`. */
  readonly hears?: "neither" | "sender";
}

/** Lets messages of some types vanish, with their answers; their connection stays. */
export interface DropMessagesFault {
  /** Lets messages of some types vanish, with their answers; their connection stays. */
  readonly kind: "drop-messages";
  /** Transport actions, such as [indices:data/write/bulk*]. */
  readonly actions: OneOrMore<string>;
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand such messages. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills the disk: writes and syncs fail, and usage shows no room, until the fault ends. Then failed copies are tried again. */
export interface DiskFullFault {
  /** Fills the disk: writes and syncs fail, and usage shows no room, until the fault ends. Then failed copies are tried again. */
  readonly kind: "disk-full";
  /** Whose disk it is. */
  readonly node: Node;
}

/** Lets the disk that indices lie on be read only, as after a damaged file system was mounted again: writes, renames and removals fail, reads go on, and usage shows room. Then failed copies are tried again. */
export interface ReadOnlyDiskFault {
  /** Lets the disk that indices lie on be read only, as after a damaged file system was mounted again: writes, renames and removals fail, reads go on, and usage shows room. Then failed copies are tried again. */
  readonly kind: "read-only-disk";
  /** Whose disk it is. */
  readonly node: Node;
}

/** Makes each sync take longer, of documents and of the cluster's state alike. */
export interface DiskSlowFault {
  /** Makes each sync take longer, of documents and of the cluster's state alike. */
  readonly kind: "disk-slow";
  /** Whose disk it is. */
  readonly node: Node;
  /** By so much. Default: `"200ms"`. */
  readonly by?: Time;
}

/** Lets syncs fail with an input/output error: what was to be kept may be lost. Then failed copies are tried again. */
export interface SyncFailureFault {
  /** Lets syncs fail with an input/output error: what was to be kept may be lost. Then failed copies are tried again. */
  readonly kind: "sync-failure";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand syncs. Default: `1000`. */
  readonly per_mille?: number;
}

/** Lets syncs fail as those of Linux do: with one input/output error, after which a second sync succeeds. What the first one was for is read as it was written until the power is cut, and is not on the disk. Then failed copies are tried again. */
export interface PagesLostFault {
  /** Lets syncs fail as those of Linux do: with one input/output error, after which a second sync succeeds. What the first one was for is read as it was written until the power is cut, and is not on the disk. Then failed copies are tried again. */
  readonly kind: "pages-lost";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand syncs of a file. Default: `1000`. */
  readonly per_mille?: number;
}

/** Lets the disk acknowledge syncs that it does not do. When the fault ends the power is cut, what was written meanwhile is lost, and the nodes start again. What a node keeps of the cluster is not touched. */
export interface LostWritesFault {
  /** Lets the disk acknowledge syncs that it does not do. When the fault ends the power is cut, what was written meanwhile is lost, and the nodes start again. What a node keeps of the cluster is not touched. */
  readonly kind: "lost-writes";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Lets nodes fail to keep votes and cluster states: at the next change of the state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
export interface StoreFailureFault {
  /** Lets nodes fail to keep votes and cluster states: at the next change of the state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
  readonly kind: "store-failure";
  /** Whose store it is. */
  readonly node: Node;
}

/** Turns bits of what nodes keep of the cluster, their votes and its states, and cuts their power; they start again when the fault ends. A node that lost something does not vote until an elected cluster manager has let it in anew. */
export interface StoreRotFault {
  /** Turns bits of what nodes keep of the cluster, their votes and its states, and cuts their power; they start again when the fault ends. A node that lost something does not vote until an elected cluster manager has let it in anew. */
  readonly kind: "store-rot";
  /** Whose store it is. */
  readonly node: Node;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Cuts the power in the middle of a write: of what was not synced a part is kept, some of it as zeros. The node starts again when the fault ends. */
export interface TornWriteFault {
  /** Cuts the power in the middle of a write: of what was not synced a part is kept, some of it as zeros. The node starts again when the fault ends. */
  readonly kind: "torn-write";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Turns bits of files that lie on the disk. Nobody notices before they are read. */
export interface BitRotFault {
  /** Turns bits of files that lie on the disk. Nobody notices before they are read. */
  readonly kind: "bit-rot";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Puts blocks of files where blocks of others lie, which are gone, and zeros where they belong: what is found there is right in itself, and wrong in its place. Nobody notices before it is read. */
export interface MisdirectedWriteFault {
  /** Puts blocks of files where blocks of others lie, which are gone, and zeros where they belong: what is found there is right in itself, and wrong in its place. Nobody notices before it is read. */
  readonly kind: "misdirected-write";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many blocks of 512 bytes. Default: `1`. */
  readonly blocks?: number;
}

/** Lets reads fail with an input/output error. Files are read when a copy starts or goes into a snapshot: a copy that just runs reads nothing. Then failed copies are tried again. */
export interface ReadErrorFault {
  /** Lets reads fail with an input/output error. Files are read when a copy starts or goes into a snapshot: a copy that just runs reads nothing. Then failed copies are tried again. */
  readonly kind: "read-error";
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand reads. Default: `1000`. */
  readonly per_mille?: number;
}

/** Cuts the power while indices are flushed, before folders are synced: files that were made or renamed since are as if they had not been. The node starts again when the fault ends. */
export interface LostDirectoryEntryFault {
  /** Cuts the power while indices are flushed, before folders are synced: files that were made or renamed since are as if they had not been. The node starts again when the fault ends. */
  readonly kind: "lost-directory-entry";
  /** Whose disk it is. */
  readonly node: Node;
}

/** Makes each operation on a repository take as long as this. */
export interface RepositorySlowFault {
  /** Makes each operation on a repository take as long as this. */
  readonly kind: "repository-slow";
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So long. Default: `"500ms"`. */
  readonly by?: Time;
}

/** Lets operations on a repository fail with an input/output error. */
export interface RepositoryFailureFault {
  /** Lets operations on a repository fail with an input/output error. */
  readonly kind: "repository-failure";
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand operations. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills a repository: nothing more can be written. */
export interface RepositoryFullFault {
  /** Fills a repository: nothing more can be written. */
  readonly kind: "repository-full";
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written. */
export interface RepositoryMissingFault {
  /** Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written. */
  readonly kind: "repository-missing";
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Turns bits of blobs that lie in a repository. Nobody notices before they are read. */
export interface RepositoryCorruptionFault {
  /** Turns bits of blobs that lie in a repository. Nobody notices before they are read. */
  readonly kind: "repository-corruption";
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Changes a cluster setting so often that the elected cluster manager has more tasks than it can do; it is as before when the fault ends. */
export interface ManagerOverloadFault {
  /** Changes a cluster setting so often that the elected cluster manager has more tasks than it can do; it is as before when the fault ends. */
  readonly kind: "manager-overload";
  /** So many tasks a second. Default: `200`. */
  readonly per_second?: number;
}

/** Lets nodes answer requests of other nodes with 429, as they do when their queues are full. Nothing was done then. */
export interface RejectedTasksFault {
  /** Lets nodes answer requests of other nodes with 429, as they do when their queues are full. Nothing was done then. */
  readonly kind: "rejected-tasks";
  /** Transport actions; one that ends in * means all that start so. Default: `["indices:data/write/bulk[s]","indices:data/read/*"]`. */
  readonly actions?: OneOrMore<string>;
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand such requests. Default: `200`. */
  readonly per_mille?: number;
}

/** Lets the retention leases of an index expire that nobody renews meanwhile: the clocks of its primaries' nodes jump, and the sync of leases gets lost. */
export interface LeaseExpiryFault {
  /** Lets the retention leases of an index expire that nobody renews meanwhile: the clocks of its primaries' nodes jump, and the sync of leases gets lost. */
  readonly kind: "lease-expiry";
  /** Whose leases they are. */
  readonly index: string;
  /** So far; more than the leases' period. Default: `"13h"`. */
  readonly by?: Time;
}

/** Lets keep-alives expire that nobody renews: of nodes, whose checks of each other vanish, so that nodes that are well look dead; or of searches, which other nodes answer with 429, so that their scrolls and points in time end. Everything else gets through. */
export interface KeepAliveExpiryFault {
  /** Lets keep-alives expire that nobody renews: of nodes, whose checks of each other vanish, so that nodes that are well look dead; or of searches, which other nodes answer with 429, so that their scrolls and points in time end. Everything else gets through. */
  readonly kind: "keep-alive-expiry";
  /** Whose keep-alives. Default: `"nodes"`. */
  readonly of?: "nodes" | "searches";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand checks, or searches. Default: `1000`. */
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

/** Cuts the power of nodes: what they had not synced is lost, torn or kept. They start again when the fault ends. */
export interface CrashTimedFault {
  /** Cuts the power of nodes: what they had not synced is lost, torn or kept. They start again when the fault ends. */
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
  /** Whose power is cut. */
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
  /** Who starts again. */
  readonly node: Node;
}

/** Ends nodes and loses every write that they had not synced. They start again when the fault ends. */
export interface KillTimedFault {
  /** Ends nodes and loses every write that they had not synced. They start again when the fault ends. */
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
  /** Who is ended. */
  readonly node: Node;
}

/** Stops nodes in an orderly way, as for maintenance. They start again when the fault ends. */
export interface StopTimedFault {
  /** Stops nodes in an orderly way, as for maintenance. They start again when the fault ends. */
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
  /** Who is stopped. */
  readonly node: Node;
}

/** Freezes nodes, as a stopped process or a long collection of garbage does; then they go on as if nothing had been. */
export interface PauseTimedFault {
  /** Freezes nodes, as a stopped process or a long collection of garbage does; then they go on as if nothing had been. */
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
  /** Who is frozen. */
  readonly node: Node;
}

/** Makes everything that nodes do take longer: each message, timer and answer waits for the one before it. */
export interface SlowCpuTimedFault {
  /** Makes everything that nodes do take longer: each message, timer and answer waits for the one before it. */
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
  /** Who is slow. */
  readonly node: Node;
  /** By so much each. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Freezes one thread of nodes, as a long turn of its program does: a shard worker stands still while its node answers checks, or the other way about. */
export interface ThreadPauseTimedFault {
  /** Freezes one thread of nodes, as a long turn of its program does: a shard worker stands still while its node answers checks, or the other way about. */
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
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
}

/** Makes everything that one thread of nodes does take longer: its shard worker is at an older state of the cluster than its main thread, or sends what the main thread passes on late. */
export interface ThreadSlowTimedFault {
  /** Makes everything that one thread of nodes does take longer: its shard worker is at an older state of the cluster than its main thread, or sends what the main thread passes on late. */
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
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
  /** By so much each. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a machine that is busy: merges, replays, large bodies and answers are interrupted wherever they can be, and other work of the thread comes between. */
export interface ShortTurnsTimedFault {
  /** Ends each turn of one thread of nodes as soon as it looks at the clock, as on a machine that is busy: merges, replays, large bodies and answers are interrupted wherever they can be, and other work of the thread comes between. */
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
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
  /** So long others go on before the next turn. Default: `"5ms"`. */
  readonly by?: Time;
}

/** Ends a shard worker of nodes in the middle of what it does, as an error that nobody caught would: its copies fail, the node goes on and starts another. */
export interface WorkerDeathTimedFault {
  /** Ends a shard worker of nodes in the middle of what it does, as an error that nobody caught would: its copies fail, the node goes on and starts another. */
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
  /** Whose thread it is. */
  readonly node: Node;
  /** Which one: 0 is the main thread, the others are shard workers, of which there are as many as [node.shard_workers] says. Default: `1`. */
  readonly thread?: number;
}

/** Starts a node that was not there before, with an empty disk. It stays. */
export interface AddNodeTimedFault {
  /** Starts a node that was not there before, with an empty disk. It stays. */
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
  /** Its name; one that is free when it is not said. */
  readonly name?: string;
  /** Whose node it becomes; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** node.attr.zone. */
  readonly zone?: string;
  /** node.roles. */
  readonly roles?: OneOrMore<"cluster_manager" | "data" | "ingest" | "remote_cluster_client" | "search" | "warm">;
}

/** Cuts the power of nodes for good: nobody expects them back. */
export interface RemoveNodeTimedFault {
  /** Cuts the power of nodes for good: nobody expects them back. */
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
  /** Who goes. */
  readonly node: Node;
}

/** Cuts the power of nodes and empties their disks. They start again, as new ones, when the fault ends. */
export interface LoseDataTimedFault {
  /** Cuts the power of nodes and empties their disks. They start again, as new ones, when the fault ends. */
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
  /** Whose disk is emptied. */
  readonly node: Node;
}

/** Sets the wall clock of nodes wrong, and lets it run too fast or too slow; it is right again when the fault ends. */
export interface ClockSkewTimedFault {
  /** Sets the wall clock of nodes wrong, and lets it run too fast or too slow; it is right again when the fault ends. */
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
  /** Whose clock is wrong. */
  readonly node: Node;
  /** By so much, such as [5m] or [-5m]. Default: `"0ms"`. */
  readonly by?: SignedTime;
  /** So many millionths too fast. Default: `0`. */
  readonly drift_per_million?: number;
}

/** Lets the wall clock of nodes jump, forwards or backwards. It does not jump back. */
export interface ClockJumpTimedFault {
  /** Lets the wall clock of nodes jump, forwards or backwards. It does not jump back. */
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
  /** Whose clock jumps. */
  readonly node: Node;
  /** By so much, such as [1h] or [-1h]. */
  readonly by: SignedTime;
}

/** Lets the wall clock of nodes jump to a wrong time and back again and again, as two sources of time do that contradict each other; it is right when the fault ends. Timers are not touched. */
export interface ClockStrobeTimedFault {
  /** Lets the wall clock of nodes jump to a wrong time and back again and again, as two sources of time do that contradict each other; it is right when the fault ends. Timers are not touched. */
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
  /** Whose clock jumps. */
  readonly node: Node;
  /** By so much, such as [5m] or [-5m]. */
  readonly by: SignedTime;
  /** How long a jump and the way back take. Default: `"200ms"`. */
  readonly period?: Time;
}

/** Cuts every link between the nodes named and all others, both ways. Among themselves both sides can talk. */
export interface PartitionTimedFault {
  /** Cuts every link between the nodes named and all others, both ways. Among themselves both sides can talk. */
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
  /** The nodes on one side. */
  readonly isolate: Node;
}

/** Splits a cluster in two halves, drawn by the seed, that cannot talk to each other. */
export interface PartitionHalvesTimedFault {
  /** Splits a cluster in two halves, drawn by the seed, that cannot talk to each other. */
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
  /** Which one; the first when it is not said. */
  readonly cluster?: string;
}

/** Places the nodes on a ring, drawn by the seed: each can talk to the neighbours that make a majority with it, and to nobody else. */
export interface MajorityRingTimedFault {
  /** Places the nodes on a ring, drawn by the seed: each can talk to the neighbours that make a majority with it, and to nobody else. */
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
  /** Which one; the first when it is not said. */
  readonly cluster?: string;
}

/** Splits a cluster in two halves that cannot talk to each other; one node can talk to both. */
export interface BridgeTimedFault {
  /** Splits a cluster in two halves that cannot talk to each other; one node can talk to both. */
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
  /** Who is the bridge. Default: `"any"`. */
  readonly node?: Node;
}

/** Cuts links in one direction: what the nodes send reaches nobody, or nothing that others send reaches them. */
export interface OneWayTimedFault {
  /** Cuts links in one direction: what the nodes send reaches nobody, or nothing that others send reaches them. */
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
  /** Whose links they are. */
  readonly node: Node;
  /** What is held back. Default: `"sent"`. */
  readonly loses?: "sent" | "received";
}

/** Makes each frame travel longer, by a time drawn between two bounds. */
export interface DelayTimedFault {
  /** Makes each frame travel longer, by a time drawn between two bounds. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** By this at least. Default: `"0ms"`. */
  readonly low?: Time;
  /** By this at most. Default: `"100ms"`. */
  readonly high?: Time;
}

/** Loses frames: one that has an answer breaks its connection, a one-way frame is lost alone. */
export interface LossTimedFault {
  /** Loses frames: one that has an answer breaks its connection, a one-way frame is lost alone. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `50`. */
  readonly per_mille?: number;
}

/** Lets one-way frames be overtaken by later ones. */
export interface ReorderingTimedFault {
  /** Lets one-way frames be overtaken by later ones. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `50`. */
  readonly per_mille?: number;
}

/** Lets each connection carry no more than so many bytes a second. */
export interface ThrottlingTimedFault {
  /** Lets each connection carry no more than so many bytes a second. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** For each connection and direction. Default: `100000`. */
  readonly bytes_per_second?: number;
}

/** Breaks connections: a frame now and then resets the one it is on, and both ends hear of it. */
export interface ConnectionResetTimedFault {
  /** Breaks connections: a frame now and then resets the one it is on, and both ends hear of it. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
  readonly per_mille?: number;
}

/** Lets connections die without telling both ends: a frame now and then is the last of its connection. Neither end hears of it, as when a machine between them has forgotten it: what is sent vanishes until the fault ends. Or the sender hears at once and connects anew, while what it had sent still arrives, and the other end hears when it sends. */
export interface HalfOpenTimedFault {
  /** Lets connections die without telling both ends: a frame now and then is the last of its connection. Neither end hears of it, as when a machine between them has forgotten it: what is sent vanishes until the fault ends. Or the sender hears at once and connects anew, while what it had sent still arrives, and the other end hears when it sends. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand frames. Default: `10`. */
  readonly per_mille?: number;
  /** Which end hears of it. Default: `"neither"`. */
  readonly hears?: "neither" | "sender";
}

/** Lets messages of some types vanish, with their answers; their connection stays. */
export interface DropMessagesTimedFault {
  /** Lets messages of some types vanish, with their answers; their connection stays. */
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
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand such messages. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills the disk: writes and syncs fail, and usage shows no room, until the fault ends. Then failed copies are tried again. */
export interface DiskFullTimedFault {
  /** Fills the disk: writes and syncs fail, and usage shows no room, until the fault ends. Then failed copies are tried again. */
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
  /** Whose disk it is. */
  readonly node: Node;
}

/** Lets the disk that indices lie on be read only, as after a damaged file system was mounted again: writes, renames and removals fail, reads go on, and usage shows room. Then failed copies are tried again. */
export interface ReadOnlyDiskTimedFault {
  /** Lets the disk that indices lie on be read only, as after a damaged file system was mounted again: writes, renames and removals fail, reads go on, and usage shows room. Then failed copies are tried again. */
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
  /** Whose disk it is. */
  readonly node: Node;
}

/** Makes each sync take longer, of documents and of the cluster's state alike. */
export interface DiskSlowTimedFault {
  /** Makes each sync take longer, of documents and of the cluster's state alike. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** By so much. Default: `"200ms"`. */
  readonly by?: Time;
}

/** Lets syncs fail with an input/output error: what was to be kept may be lost. Then failed copies are tried again. */
export interface SyncFailureTimedFault {
  /** Lets syncs fail with an input/output error: what was to be kept may be lost. Then failed copies are tried again. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand syncs. Default: `1000`. */
  readonly per_mille?: number;
}

/** Lets syncs fail as those of Linux do: with one input/output error, after which a second sync succeeds. What the first one was for is read as it was written until the power is cut, and is not on the disk. Then failed copies are tried again. */
export interface PagesLostTimedFault {
  /** Lets syncs fail as those of Linux do: with one input/output error, after which a second sync succeeds. What the first one was for is read as it was written until the power is cut, and is not on the disk. Then failed copies are tried again. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand syncs of a file. Default: `1000`. */
  readonly per_mille?: number;
}

/** Lets the disk acknowledge syncs that it does not do. When the fault ends the power is cut, what was written meanwhile is lost, and the nodes start again. What a node keeps of the cluster is not touched. */
export interface LostWritesTimedFault {
  /** Lets the disk acknowledge syncs that it does not do. When the fault ends the power is cut, what was written meanwhile is lost, and the nodes start again. What a node keeps of the cluster is not touched. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Lets nodes fail to keep votes and cluster states: at the next change of the state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
export interface StoreFailureTimedFault {
  /** Lets nodes fail to keep votes and cluster states: at the next change of the state, such as a new index, they leave the cluster. When the fault ends their power is cut and they start again. */
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
  /** Whose store it is. */
  readonly node: Node;
}

/** Turns bits of what nodes keep of the cluster, their votes and its states, and cuts their power; they start again when the fault ends. A node that lost something does not vote until an elected cluster manager has let it in anew. */
export interface StoreRotTimedFault {
  /** Turns bits of what nodes keep of the cluster, their votes and its states, and cuts their power; they start again when the fault ends. A node that lost something does not vote until an elected cluster manager has let it in anew. */
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
  /** Whose store it is. */
  readonly node: Node;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Cuts the power in the middle of a write: of what was not synced a part is kept, some of it as zeros. The node starts again when the fault ends. */
export interface TornWriteTimedFault {
  /** Cuts the power in the middle of a write: of what was not synced a part is kept, some of it as zeros. The node starts again when the fault ends. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Turns bits of files that lie on the disk. Nobody notices before they are read. */
export interface BitRotTimedFault {
  /** Turns bits of files that lie on the disk. Nobody notices before they are read. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Puts blocks of files where blocks of others lie, which are gone, and zeros where they belong: what is found there is right in itself, and wrong in its place. Nobody notices before it is read. */
export interface MisdirectedWriteTimedFault {
  /** Puts blocks of files where blocks of others lie, which are gone, and zeros where they belong: what is found there is right in itself, and wrong in its place. Nobody notices before it is read. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many blocks of 512 bytes. Default: `1`. */
  readonly blocks?: number;
}

/** Lets reads fail with an input/output error. Files are read when a copy starts or goes into a snapshot: a copy that just runs reads nothing. Then failed copies are tried again. */
export interface ReadErrorTimedFault {
  /** Lets reads fail with an input/output error. Files are read when a copy starts or goes into a snapshot: a copy that just runs reads nothing. Then failed copies are tried again. */
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
  /** Whose disk it is. */
  readonly node: Node;
  /** Files whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand reads. Default: `1000`. */
  readonly per_mille?: number;
}

/** Cuts the power while indices are flushed, before folders are synced: files that were made or renamed since are as if they had not been. The node starts again when the fault ends. */
export interface LostDirectoryEntryTimedFault {
  /** Cuts the power while indices are flushed, before folders are synced: files that were made or renamed since are as if they had not been. The node starts again when the fault ends. */
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
  /** Whose disk it is. */
  readonly node: Node;
}

/** Makes each operation on a repository take as long as this. */
export interface RepositorySlowTimedFault {
  /** Makes each operation on a repository take as long as this. */
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
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So long. Default: `"500ms"`. */
  readonly by?: Time;
}

/** Lets operations on a repository fail with an input/output error. */
export interface RepositoryFailureTimedFault {
  /** Lets operations on a repository fail with an input/output error. */
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
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** Of a thousand operations. Default: `1000`. */
  readonly per_mille?: number;
}

/** Fills a repository: nothing more can be written. */
export interface RepositoryFullTimedFault {
  /** Fills a repository: nothing more can be written. */
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
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written. */
export interface RepositoryMissingTimedFault {
  /** Takes a repository away, as a file system that is not mounted: nothing is there, and nothing can be written. */
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
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
}

/** Turns bits of blobs that lie in a repository. Nobody notices before they are read. */
export interface RepositoryCorruptionTimedFault {
  /** Turns bits of blobs that lie in a repository. Nobody notices before they are read. */
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
  /** The repository's location; every repository when it is not said. */
  readonly location?: string;
  /** Blobs whose path contains this; all when it is not said. */
  readonly path?: string;
  /** So many bits. Default: `1`. */
  readonly bits?: number;
}

/** Changes a cluster setting so often that the elected cluster manager has more tasks than it can do; it is as before when the fault ends. */
export interface ManagerOverloadTimedFault {
  /** Changes a cluster setting so often that the elected cluster manager has more tasks than it can do; it is as before when the fault ends. */
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
  /** So many tasks a second. Default: `200`. */
  readonly per_second?: number;
}

/** Lets nodes answer requests of other nodes with 429, as they do when their queues are full. Nothing was done then. */
export interface RejectedTasksTimedFault {
  /** Lets nodes answer requests of other nodes with 429, as they do when their queues are full. Nothing was done then. */
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
  /** Transport actions; one that ends in * means all that start so. Default: `["indices:data/write/bulk[s]","indices:data/read/*"]`. */
  readonly actions?: OneOrMore<string>;
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand such requests. Default: `200`. */
  readonly per_mille?: number;
}

/** Lets the retention leases of an index expire that nobody renews meanwhile: the clocks of its primaries' nodes jump, and the sync of leases gets lost. */
export interface LeaseExpiryTimedFault {
  /** Lets the retention leases of an index expire that nobody renews meanwhile: the clocks of its primaries' nodes jump, and the sync of leases gets lost. */
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
  /** Whose leases they are. */
  readonly index: string;
  /** So far; more than the leases' period. Default: `"13h"`. */
  readonly by?: Time;
}

/** Lets keep-alives expire that nobody renews: of nodes, whose checks of each other vanish, so that nodes that are well look dead; or of searches, which other nodes answer with 429, so that their scrolls and points in time end. Everything else gets through. */
export interface KeepAliveExpiryTimedFault {
  /** Lets keep-alives expire that nobody renews: of nodes, whose checks of each other vanish, so that nodes that are well look dead; or of searches, which other nodes answer with 429, so that their scrolls and points in time end. Everything else gets through. */
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
  /** Whose keep-alives. Default: `"nodes"`. */
  readonly of?: "nodes" | "searches";
  /** Only frames that these nodes send or take. */
  readonly node?: Node;
  /** Only frames that these nodes send. */
  readonly sender?: Node;
  /** Only frames that these nodes take. */
  readonly receiver?: Node;
  /** Of a thousand checks, or searches. Default: `1000`. */
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
  /** What is sent; a list is sent line by line. */
  readonly body?: Json;
  /** Who is asked; any running node when it is not said. */
  readonly node?: Node;
  /** What it must answer. */
  readonly expect?: {
    /** The HTTP status; any below 300 when it is not said. */
    readonly status?: number | string | readonly number[];
    /** Values by path, such as [hits.total.value]. */
    readonly body?: { readonly [name: string]: Json };
  };
  /** Names for values of the answer, by path: later entries say {name} in paths, bodies and expectations; {address:node-1} is a node's transport address. */
  readonly save?: { readonly [name: string]: string };
  /** Asked again until it answers so, for as long as this. */
  readonly until?: Time;
  /** Whatever it answers is no finding, nor is no answer. */
  readonly attempt?: boolean;
  /** How long each answer may take. Default: `"30s"`. */
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
  /** How long the fault lasts; until the end of the phase when it is not said. */
  readonly for?: Time;
  /** What an [end] names. */
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

/** Works as applications do through an official client: bursts of requests and time to think; documents without ids, with ids that must be new and with versions of the application's own; deletes and reads. An attempt that was answered 429, 502, 503 or 504, or lost its connection, is made again at the next node. */
export interface ApplicationWorkload {
  /** Works as applications do through an official client: bursts of requests and time to think; documents without ids, with ids that must be new and with versions of the application's own; deletes and reads. An attempt that was answered 429, 502, 503 or 504, or lost its connection, is made again at the next node. */
  readonly kind: "application";
  /** Where documents are: an index, an alias or a data stream. */
  readonly index: string;
  /** What it is: a data stream takes new documents only. Default: `"index"`. */
  readonly to?: "index" | "data-stream";
  /** Documents whose versions the application counts. Default: `8`. */
  readonly versioned?: number;
  /** At most so many requests without a wait between them. Default: `4`. */
  readonly burst?: number;
  /** So many more attempts. Default: `3`. */
  readonly retries?: number;
  /** An attempt without an answer in time is made again, too. Default: `false`. */
  readonly retry_timeouts?: boolean;
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Writes batches of new documents, each with an id of its own. */
export interface BulkWorkload {
  /** Writes batches of new documents, each with an id of its own. */
  readonly kind: "bulk";
  /** Where documents go. */
  readonly index: string;
  /** Documents in one request. Default: `10`. */
  readonly documents?: number;
  /** Whether clients name the documents, or leave that to the cluster. Default: `"named"`. */
  readonly ids?: "named" | "automatic";
  /** The `refresh` of each request: answered when searches find its documents, after the next refresh or one of its own. Default: `"none"`. */
  readonly refresh?: "none" | "wait_for" | "true";
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Makes one index after another: writes documents as soon as its primaries are there, refreshes, and searches through any node. */
export interface NewIndicesWorkload {
  /** Makes one index after another: writes documents as soon as its primaries are there, refreshes, and searches through any node. */
  readonly kind: "new-indices";
  /** What the names of the indices begin with. */
  readonly index: string;
  /** number_of_shards. Default: `1`. */
  readonly shards?: number;
  /** number_of_replicas. Default: `1`. */
  readonly replicas?: number;
  /** Documents of each index. Default: `6`. */
  readonly documents?: number;
  /** Searches of each index, after its refresh. Default: `8`. */
  readonly searches?: number;
  /** How long a client waits between two steps of one index. Default: `"5ms"`. */
  readonly pause?: Time;
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Opens a scroll or a point in time, reads all of the index in it page by page, from any node, and closes it. */
export interface PagesWorkload {
  /** Opens a scroll or a point in time, reads all of the index in it page by page, from any node, and closes it. */
  readonly kind: "pages";
  /** What to read. */
  readonly index: string;
  /** What keeps the moment. Default: `"scroll"`. */
  readonly of?: "scroll" | "point-in-time";
  /** Documents on one page. Default: `10`. */
  readonly documents?: number;
  /** How long a client reads a page before it asks for the next. Default: `"50ms"`. */
  readonly pause?: Time;
  /** How long it is kept from one page to the next. Default: `"1m"`. */
  readonly keep_alive?: Time;
  /** The index is refreshed first. Default: `false`. */
  readonly refresh?: boolean;
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Reads, writes and deletes a few documents, many of the writes as compare-and-set on what was read. */
export interface RegistersWorkload {
  /** Reads, writes and deletes a few documents, many of the writes as compare-and-set on what was read. */
  readonly kind: "registers";
  /** Where documents are. */
  readonly index: string;
  /** How many there are. Default: `10`. */
  readonly documents?: number;
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Sends REST requests, each drawn by its weight. In paths and bodies `{key}` is a document, `{value}` a new value, `{client}` who asks. */
export interface RequestsWorkload {
  /** Sends REST requests, each drawn by its weight. In paths and bodies `{key}` is a document, `{value}` a new value, `{client}` who asks. */
  readonly kind: "requests";
  /** The requests. */
  readonly mix: OneOrMore<{
    /** METHOD /path. */
    readonly request: RequestLine;
    /** What is sent. */
    readonly body?: Json;
    /** How often, compared with the others. Default: `1`. */
    readonly weight?: number;
  }>;
  /** So many documents there are to choose from. Default: `100`. */
  readonly keys?: number;
  /** Uniform; zipf: few documents most of the time; sequential: one after the other. Default: `"uniform"`. */
  readonly distribution?: "uniform" | "zipf" | "sequential";
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}

/** Searches, and remembers what was found. */
export interface SearchWorkload {
  /** Searches, and remembers what was found. */
  readonly kind: "search";
  /** Where to search. */
  readonly index: string;
  /** The search; everything when it is not said. */
  readonly body?: JsonObject;
  /** The index is refreshed before each search. Default: `false`. */
  readonly refresh?: boolean;
  /** Whose nodes are asked; the first cluster's when it is not said. */
  readonly cluster?: string;
  /** How many there are. Default: `1`. */
  readonly clients?: number;
  /** How long a client waits between two requests. Default: `"100ms"`. */
  readonly every?: Time;
  /** How long a client waits for an answer. Default: `"30s"`. */
  readonly timeout?: Time;
  /** When they start. Default: `"0ms"`. */
  readonly from?: Time;
  /** How long they go on; until the phase is over when it is not said. */
  readonly for?: Time;
  /** A client stops after so many requests. */
  readonly requests?: number;
}
