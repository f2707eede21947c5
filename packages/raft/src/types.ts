/**
 * The vocabulary of Raft: what crosses the wire, what is stored, what a driver is asked to do.
 *
 * Names and meanings are those of etcd-io/raft, because the transcripts print them. Ids, terms and
 * indexes are safe integers; id 0 (`none`) means nobody, term 0 means local, index 0 means no entry.
 */

export type MessageKind =
  | "MsgHup"
  | "MsgBeat"
  | "MsgProp"
  | "MsgApp"
  | "MsgAppResp"
  | "MsgVote"
  | "MsgVoteResp"
  | "MsgSnap"
  | "MsgHeartbeat"
  | "MsgHeartbeatResp"
  | "MsgUnreachable"
  | "MsgSnapStatus"
  | "MsgCheckQuorum"
  | "MsgTransferLeader"
  | "MsgTimeoutNow"
  | "MsgReadIndex"
  | "MsgReadIndexResp"
  | "MsgPreVote"
  | "MsgPreVoteResp"
  | "MsgStorageAppend"
  | "MsgStorageAppendResp"
  | "MsgStorageApply"
  | "MsgStorageApplyResp"
  | "MsgForgetLeader";

/** One shape for every kind: fields a kind does not use are zero, empty or undefined. */
export interface Message {
  readonly kind: MessageKind;
  readonly to: number;
  readonly from: number;
  /** 0 for local messages and forwarded proposals. */
  readonly term: number;
  /** The term of the entry at `index`; in a rejection, the term at `rejectHint`. */
  readonly logTerm: number;
  readonly index: number;
  readonly commit: number;
  /** Only in MsgStorageAppend: the vote to persist. */
  readonly vote: number;
  readonly reject: boolean;
  readonly rejectHint: number;
  readonly entries: readonly Entry[];
  readonly snapshot: Snapshot | undefined;
  readonly context: Uint8Array | undefined;
  /** Only in MsgStorageAppend and MsgStorageApply: deliver these once the work is durable. */
  readonly responses: readonly Message[];
}

export type EntryKind = "EntryNormal" | "EntryConfChange" | "EntryConfChangeV2";

export interface Entry {
  readonly kind: EntryKind;
  readonly term: number;
  readonly index: number;
  /** The proposal; for a configuration change see `decodeConfChange`. Empty in a new leader's first entry. */
  readonly data: Uint8Array;
}

/** What must be durable before any message of the same Ready that depends on it is sent. */
export interface HardState {
  readonly term: number;
  readonly vote: number;
  readonly commit: number;
}

export type Role = "StateFollower" | "StateCandidate" | "StateLeader" | "StatePreCandidate";

/** Volatile: need not be persisted. */
export interface SoftState {
  readonly lead: number;
  readonly role: Role;
}

/** A membership, as stored in snapshots. Ids ascend. */
export interface ConfState {
  readonly voters: readonly number[];
  readonly learners: readonly number[];
  /** Not empty only in joint consensus. */
  readonly votersOutgoing: readonly number[];
  /** Voters of the outgoing half that become learners when the joint configuration is left. */
  readonly learnersNext: readonly number[];
  readonly autoLeave: boolean;
}

export interface Snapshot {
  readonly index: number;
  readonly term: number;
  readonly confState: ConfState;
  readonly data: Uint8Array;
}

export type ConfChangeType =
  | "ConfChangeAddNode"
  | "ConfChangeRemoveNode"
  | "ConfChangeUpdateNode"
  | "ConfChangeAddLearnerNode";

export interface ConfChangeSingle {
  readonly type: ConfChangeType;
  readonly nodeId: number;
}

/** One change of one node, applied directly. */
export interface ConfChangeV1 {
  readonly kind: "v1";
  readonly type: ConfChangeType;
  readonly nodeId: number;
  readonly context: Uint8Array;
}

/** Auto picks joint consensus, left by itself, when there is more than one change. */
export type ConfChangeTransition =
  | "ConfChangeTransitionAuto"
  | "ConfChangeTransitionJointImplicit"
  | "ConfChangeTransitionJointExplicit";

/** Any number of changes; with none (and transition Auto) it leaves a joint configuration. */
export interface ConfChangeV2 {
  readonly kind: "v2";
  readonly transition: ConfChangeTransition;
  readonly changes: readonly ConfChangeSingle[];
  readonly context: Uint8Array;
}

export type ConfChange = ConfChangeV1 | ConfChangeV2;

/** The answer to `readIndex`: once `index` is applied locally, the read with `requestContext` may be served. */
export interface ReadState {
  readonly index: number;
  readonly requestContext: Uint8Array;
}

/**
 * What the driver has to do next.
 *
 * Without async storage writes: persist `entries`, `hardState` and `snapshot` (durably if `mustSync`), then send
 * `messages`, then apply `snapshot` and `committedEntries`, then call `advance`. With them: hand each message to
 * its target (`localAppendThread`, `localApplyThread` or a node) in order, and never call `advance`.
 */
export interface Ready {
  /** Undefined when unchanged. */
  readonly softState: SoftState | undefined;
  /** Undefined when unchanged. */
  readonly hardState: HardState | undefined;
  readonly readStates: readonly ReadState[];
  readonly entries: readonly Entry[];
  readonly snapshot: Snapshot | undefined;
  readonly committedEntries: readonly Entry[];
  readonly messages: readonly Message[];
  readonly mustSync: boolean;
}

/** Why a storage cannot answer: the entry is gone into a snapshot, or not there yet. */
export type LogGap = "compacted" | "unavailable";

export interface InitialState {
  readonly hardState: HardState;
  readonly confState: ConfState;
}

/** The stable part of the log, as this package reads it. */
export interface StorageReader {
  initialState(): InitialState;
  /**
   * Entries in [low, high), at least one, cut where their encoded size exceeds `maxSize` bytes.
   */
  entries(low: number, high: number, maxSize: number): readonly Entry[] | LogGap;
  /** Known for [firstIndex - 1, lastIndex]. */
  term(index: number): number | LogGap;
  firstIndex(): number;
  lastIndex(): number;
  /** The latest snapshot; a leader that is told "unavailable" tries again later. */
  snapshot(): Snapshot | "unavailable";
}

/** The same log with the operations a driver needs; all indexes refer to stable state. */
export interface MemoryStorage extends StorageReader {
  setHardState(state: HardState): void;
  append(entries: readonly Entry[]): void;
  /** Drops entries up to and including `index`. */
  compact(index: number): "done" | "compacted";
  /** Makes the snapshot that later `snapshot()` calls return; it does not compact. */
  createSnapshot(
    index: number,
    confState: ConfState | undefined,
    data: Uint8Array,
  ): Snapshot | "out-of-date";
  /** Replaces the whole log by the snapshot. */
  applySnapshot(snapshot: Snapshot): "done" | "out-of-date";
}

/** Receives the lines the transcripts print; without one nothing is formatted. */
export interface Logger {
  debug(line: string): void;
  info(line: string): void;
  warning(line: string): void;
  error(line: string): void;
}

/** "lease-based" answers at once and relies on check-quorum and on clocks that do not drift. */
export type ReadOnlyOption = "safe" | "lease-based";

export interface Config {
  readonly id: number;
  /** Ticks without a leader after which a follower campaigns; must exceed `heartbeatTick`. */
  readonly electionTick: number;
  readonly heartbeatTick: number;
  /**
   * Draws the ticks of the next election timeout, in [electionTick, 2 * electionTick - 1]. Called whenever the
   * node changes its role or term; the only source of chance.
   */
  readonly randomizedElectionTimeout: (electionTick: number) => number;
  /** Last applied index of a driver that restarts with durable applied state; 0 otherwise. */
  readonly applied?: number;
  readonly asyncStorageWrites?: boolean;
  /** Bytes of entries per MsgApp; 0 means one entry. */
  readonly maxSizePerMsg: number;
  /** Bytes of entries handed out for application and not yet applied; default `maxSizePerMsg`. */
  readonly maxCommittedSizePerReady?: number;
  /** Bytes of uncommitted payload above which a leader drops proposals; default none. */
  readonly maxUncommittedEntriesSize?: number;
  readonly maxInflightMsgs: number;
  /** Must be at least `maxSizePerMsg`; default none. */
  readonly maxInflightBytes?: number;
  readonly checkQuorum?: boolean;
  readonly preVote?: boolean;
  readonly readOnlyOption?: ReadOnlyOption;
  readonly disableProposalForwarding?: boolean;
  readonly disableConfChangeValidation?: boolean;
  readonly stepDownOnRemoval?: boolean;
  readonly logger?: Logger;
}

export type StepRejection =
  | "proposal-dropped"
  | "step-local-message"
  | "step-peer-not-found"
  | "step-implausible-message";

export type StepResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly reason: StepRejection };

export type ProgressState = "StateProbe" | "StateReplicate" | "StateSnapshot";

/** What a leader knows about one node. */
export interface ProgressStatus {
  readonly match: number;
  readonly next: number;
  readonly state: ProgressState;
  readonly isLearner: boolean;
  readonly isPaused: boolean;
  readonly pendingSnapshot: number;
  readonly recentActive: boolean;
  readonly inflightCount: number;
  readonly isInflightFull: boolean;
}

/** A membership as the quorum rules see it. */
export interface Configuration {
  readonly incoming: ReadonlySet<number>;
  /** Empty unless the configuration is joint. */
  readonly outgoing: ReadonlySet<number>;
  readonly learners: ReadonlySet<number>;
  readonly learnersNext: ReadonlySet<number>;
  readonly autoLeave: boolean;
}

export interface BasicStatus {
  readonly id: number;
  readonly hardState: HardState;
  readonly softState: SoftState;
  readonly applied: number;
  /** The target of a leadership transfer that has not finished. */
  readonly leadTransferee: number;
}

export interface Status extends BasicStatus {
  readonly configuration: Configuration;
  /** By node id, ascending; empty unless this node leads. */
  readonly progress: ReadonlyMap<number, ProgressStatus>;
}

/** One member of a Raft group. It owns mutable state and touches the world only through its storage and Ready. */
export interface RawNode {
  tick(): void;
  /** Steps a message that arrived from another node or from a storage target. */
  step(message: Message): StepResult;
  campaign(): StepResult;
  propose(data: Uint8Array): StepResult;
  proposeConfChange(change: ConfChange): StepResult;
  /**
   * To be called for each committed configuration change, in order; with node ids 0 to refuse one. With async storage
   * writes give the entry's index too: a change that waited while a snapshot overtook it is then ignored.
   */
  applyConfChange(change: ConfChange, index?: number): ConfState;
  hasReady(): boolean;
  /** The outstanding work; accepting it is implied, so the driver must carry it out. */
  ready(): Ready;
  /** The work of the last Ready is done. Not with async storage writes. */
  advance(): void;
  readIndex(requestContext: Uint8Array): void;
  transferLeader(to: number): void;
  forgetLeader(): StepResult;
  reportUnreachable(id: number): void;
  reportSnapshot(id: number, outcome: "finished" | "failed"): void;
  basicStatus(): BasicStatus;
  status(): Status;
  /** Visits what the leader tracks, ascending by id, without copying the whole status. */
  withProgress(visit: (id: number, progress: ProgressStatus) => void): void;
}
