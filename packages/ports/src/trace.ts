/**
 * The trace vocabulary: the events of a run, recorded in order by the flight recorder.
 *
 * A recorder adds `at_ms` and, where it is missing, `node`. Events report what a node did; checkers judge invariants
 * by them. A real world may discard them.
 */

/** One event. Lists of allocation ids are joined by commas; `nodeId` is the reporting node. */
export type TraceEvent =
  | { readonly kind: "node-started"; readonly node: string }
  | { readonly kind: "node-stopped"; readonly node: string }
  | { readonly kind: "node-crashed"; readonly node: string }
  | (MessageEvent & { readonly kind: "message-sent" })
  | (MessageEvent & { readonly kind: "message-delivered" })
  | (MessageEvent & { readonly kind: "message-dropped"; readonly reason: string })
  | {
      readonly kind: "connection-opened";
      readonly from: string;
      readonly to: string;
      readonly channel: string;
    }
  | {
      readonly kind: "connection-closed";
      readonly from: string;
      readonly to: string;
      readonly reason: string;
    }
  | { readonly kind: "cluster-manager-elected"; readonly nodeId: string; readonly term: number }
  | {
      readonly kind: "cluster-manager-stepped-down";
      readonly nodeId: string;
      readonly term: number;
    }
  | {
      readonly kind: "cluster-state-published";
      readonly nodeId: string;
      readonly term: number;
      readonly version: number;
    }
  | {
      readonly kind: "cluster-state-applied";
      readonly nodeId: string;
      readonly term: number;
      readonly version: number;
      readonly stateUuid: string;
      /** Whether the state contains the node; a node outside shows clients the last state that contained it. */
      readonly isMember: boolean;
    }
  /** An entry of this node's Raft log is durable. */
  | {
      readonly kind: "log-entry-saved";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      /** Term of the entry before it; 0 when that entry is compacted. */
      readonly previousTerm: number;
      /** Hash of the entry's contents. */
      readonly digest: number;
    }
  /** A committed entry is applied to this node's state. */
  | {
      readonly kind: "log-entry-applied";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      readonly digest: number;
      /** Number of voters in the Raft configuration before this entry; 0 in a joint configuration. */
      readonly voters: number;
    }
  /** A committed entry could not be applied to this node's state; the node stops applying. */
  | {
      readonly kind: "log-entry-quarantined";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      readonly reason: string;
    }
  /** An applied cluster state has changed the copies of one shard. */
  | {
      readonly kind: "shard-copies-changed";
      readonly nodeId: string;
      readonly version: number;
      readonly index: string;
      readonly indexUuid: string;
      readonly shard: number;
      readonly primaryTerm: number;
      /** Allocation id of the active primary; empty when there is none. */
      readonly primary: string;
      /** Whether the primary was the relocation target of the one before it. */
      readonly isRelocated: boolean;
      /** Recovery source of an initializing primary: `EXISTING_STORE`, `SNAPSHOT` …; otherwise empty. */
      readonly recoverySource: string;
      /** Allocation ids of the active copies. */
      readonly active: string;
      readonly inSync: string;
      /** Whether the index was imported as a dangling one by this state, as its node last had it. */
      readonly isImported?: boolean;
    }
  /** A primary has made a recovered copy in-sync. */
  | {
      readonly kind: "copy-let-in";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      /** Local checkpoint of the copy. */
      readonly localCheckpoint: number;
      readonly globalCheckpoint: number;
    }
  /** The resync of a promoted primary has ended: every in-sync copy has its operations. */
  | {
      readonly kind: "copies-resynced";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      readonly primaryTerm: number;
    }
  /** A merge has dropped operations: this copy has complete history only from `retainedFrom` on. */
  | {
      readonly kind: "history-trimmed";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      readonly retainedFrom: number;
      /** The lowest sequence number that a retention lease of this copy retains; -1 without a lease. */
      readonly leasedFrom: number;
    }
  | {
      readonly kind: "shard-state-changed";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      readonly state: string;
      readonly reason?: string;
    }
  | {
      readonly kind: "shard-recovered";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly mode: string;
    }
  /** An applied cluster state has another decommission status; `none` once the zone is recommissioned. */
  | {
      readonly kind: "decommission-status-changed";
      readonly nodeId: string;
      readonly attribute: string;
      readonly value: string;
      readonly status: "init" | "draining" | "in_progress" | "successful" | "failed" | "none";
      readonly requestId: string;
    }
  /** An applied cluster state contains an imported dangling index. */
  | {
      readonly kind: "dangling-index-imported";
      readonly nodeId: string;
      readonly index: string;
      readonly indexUuid: string;
    }
  /**
   * A retention lease of a holder outside of the cluster has changed; an added one is traced when it is durable. The copy has all operations
   * from `historyFromSeqNo` on.
   */
  | {
      readonly kind: "retention-lease-changed";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly lease: string;
      readonly change: "added" | "renewed" | "removed" | "expired";
      readonly retainingSeqNo: number;
      readonly historyFromSeqNo: number;
    }
  /** Cross-cluster replication of an index has entered another state, at the node that runs its task. */
  | {
      readonly kind: "remote-replication-changed";
      readonly nodeId: string;
      readonly index: string;
      readonly state: string;
      readonly reason: string;
    }
  /**
   * A following shard has the operations of its remote shard up to `checkpoint`, and renews its lease for those after it.
   * `remoteCheckpoint` is the remote shard's global checkpoint.
   */
  | {
      readonly kind: "remote-replication-checkpoint";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly remoteCluster: string;
      readonly remoteIndex: string;
      readonly checkpoint: number;
      readonly remoteCheckpoint: number;
    }
  | { readonly kind: "timer-fired"; readonly delayMs: number }
  | { readonly kind: "disk-synced"; readonly path: string }
  | { readonly kind: "disk-failed"; readonly path: string; readonly reason: string }
  | { readonly kind: "blob-failed"; readonly path: string; readonly reason: string }
  /** An applied cluster state has another `state` of a snapshot, deletion, clone or restore, or of one shard of it. */
  | {
      readonly kind: "snapshot-state-changed";
      readonly operation: "snapshot" | "clone" | "deletion" | "restore";
      readonly repository: string;
      readonly snapshot: string;
      readonly uuid: string;
      readonly index?: string;
      readonly shard?: number;
      readonly state: string;
      readonly reason?: string;
    }
  | {
      readonly kind: "client-request";
      readonly client: string;
      readonly id: number;
      readonly operation: string;
    }
  | {
      readonly kind: "client-response";
      readonly client: string;
      readonly id: number;
      readonly status: number;
      readonly outcome: "ok" | "failed" | "unknown";
    }
  | { readonly kind: "fault-started"; readonly fault: string; readonly description: string }
  | { readonly kind: "fault-ended"; readonly fault: string; readonly description: string }
  /** The effect of a fault that has ended: `hits` counts the events that it changed. */
  | {
      readonly kind: "fault-receipt";
      readonly fault: string;
      readonly description: string;
      readonly hits: number;
    }
  /** A step of a scenario's script: a request, or the start or stop of a node. */
  | { readonly kind: "step-started"; readonly step: string }
  | { readonly kind: "step-ended"; readonly step: string; readonly outcome: "ok" | "failed" }
  | { readonly kind: "log"; readonly level: string; readonly message: string };

interface MessageEvent {
  readonly from: string;
  readonly to: string;
  readonly action: string;
  /** Correlation id of the message's request; 0 for a one-way message. */
  readonly correlationId: number;
  readonly frameKind: string;
  readonly sizeBytes: number;
  /** `indexUuid/shard` of a message for a shard. */
  readonly shard?: string;
}

/** Records an event. It must neither throw nor affect the program. */
export type Trace = (event: TraceEvent) => void;
