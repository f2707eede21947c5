/**
 * The trace vocabulary: what happened in a run, one event each, recorded in order by the flight recorder.
 *
 * A recorder adds `at_ms` and, where it is missing, `node`. Real worlds may ignore events altogether.
 */

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
      /** Otherwise the node shows clients the last state that it was in. */
      readonly isMember: boolean;
    }
  /** An entry of this node's Raft log is durable. */
  | {
      readonly kind: "log-entry-saved";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      /** Of the entry before it; 0 when that is not known any more. */
      readonly previousTerm: number;
      /** Of its contents. */
      readonly digest: number;
    }
  /** A committed entry has become a part of this node's state. */
  | {
      readonly kind: "log-entry-applied";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      readonly digest: number;
      /** How many nodes vote in the configuration that was in force before it; 0 while that changes. */
      readonly voters: number;
    }
  /** A committed entry could not become a part of this node's state: the node stops applying. */
  | {
      readonly kind: "log-entry-quarantined";
      readonly nodeId: string;
      readonly index: number;
      readonly term: number;
      readonly reason: string;
    }
  /** What the cluster state says about one shard, when it says something new. Lists of allocation ids have commas. */
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
      /** It was the target of the relocation of the primary before it. */
      readonly isRelocated: boolean;
      /** Where the primary's contents come from: `EXISTING_STORE`, `SNAPSHOT` …; empty unless it is initializing. */
      readonly recoverySource: string;
      /** All copies that are active. */
      readonly active: string;
      readonly inSync: string;
      /** The index dangled and has come in now, as it was when its node last was part of the cluster. Absent: it has not. */
      readonly isImported?: boolean;
    }
  /** A copy that has recovered counts as in sync from now on, as its primary knows it. */
  | {
      readonly kind: "copy-let-in";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      /** Of the copy. */
      readonly localCheckpoint: number;
      readonly globalCheckpoint: number;
    }
  /** After a promotion: every other copy has what the new primary has, or the cluster manager has confirmed that it is in-sync no more. */
  | {
      readonly kind: "copies-resynced";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      readonly primaryTerm: number;
    }
  /** A merge has left operations out: this copy has complete history from here on only. */
  | {
      readonly kind: "history-trimmed";
      readonly nodeId: string;
      readonly index: string;
      readonly shard: number;
      readonly allocationId: string;
      readonly retainedFrom: number;
      /** The lowest number that a retention lease of this copy asks for; -1 without a lease. */
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
  /** As this node applied it; `none` once the zone was recommissioned. */
  | {
      readonly kind: "decommission-status-changed";
      readonly nodeId: string;
      readonly attribute: string;
      readonly value: string;
      readonly status: "init" | "draining" | "in_progress" | "successful" | "failed" | "none";
      readonly requestId: string;
    }
  /** As this node applied it: the index is in the cluster again. */
  | {
      readonly kind: "dangling-index-imported";
      readonly nodeId: string;
      readonly index: string;
      readonly indexUuid: string;
    }
  /** Of a holder outside of the cluster, once a new one is durable; everything from `historyFromSeqNo` on is there. */
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
  /** Cross-cluster replication of an index moves on, as the node that drives it sees it. */
  | {
      readonly kind: "remote-replication-changed";
      readonly nodeId: string;
      readonly index: string;
      readonly state: string;
      readonly reason: string;
    }
  /** A shard has what its remote one had up to `checkpoint`, and renews its lease for what is after it; the remote's global checkpoint was `remoteCheckpoint`. */
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
  /** `state` of a whole snapshot, deletion, clone or restore, or of one shard of it, as the cluster state has it. */
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
  /** What a fault that has ended did: so many events were not what they would have been. */
  | {
      readonly kind: "fault-receipt";
      readonly fault: string;
      readonly description: string;
      readonly hits: number;
    }
  /** A scripted request, or the start or stop of a node. */
  | { readonly kind: "step-started"; readonly step: string }
  | { readonly kind: "step-ended"; readonly step: string; readonly outcome: "ok" | "failed" }
  | { readonly kind: "log"; readonly level: string; readonly message: string };

interface MessageEvent {
  readonly from: string;
  readonly to: string;
  readonly action: string;
  /** Correlation id of the request it belongs to; 0 for a one-way message. */
  readonly correlationId: number;
  readonly frameKind: string;
  readonly sizeBytes: number;
  /** `indexUuid/shard` when a shard is meant. */
  readonly shard?: string;
}

/** Takes an event; must not throw and must not change what the program does. */
export type Trace = (event: TraceEvent) => void;
