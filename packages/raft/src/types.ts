/**
 * The vocabulary of Raft: messages on the wire, durable state, and the work that a driver is asked to do.
 *
 * Names and meanings are those of etcd-io/raft (`raftpb/raft.proto`, `node.go`, `rawnode.go`), because the
 * transcripts print them. Ids, terms and indexes are safe integers. Id 0 (`none`) is no node, term 0 marks a local
 * message, index 0 precedes the first entry.
 */

/**
 * Kinds of messages. MsgHup, MsgBeat, MsgUnreachable, MsgSnapStatus, MsgCheckQuorum and the MsgStorage kinds are
 * local: they never come from another node. A kind and its answer: MsgApp/MsgAppResp (AppendEntries),
 * MsgVote/MsgVoteResp (RequestVote), MsgPreVote/MsgPreVoteResp, MsgHeartbeat/MsgHeartbeatResp,
 * MsgReadIndex/MsgReadIndexResp. MsgSnap (InstallSnapshot) is answered by MsgAppResp.
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

/** A message of any kind. Fields that a kind does not use are zero, empty or undefined. */
export interface Message {
  readonly kind: MessageKind;
  readonly to: number;
  readonly from: number;
  /** The sender's term, for votes the term of the campaign; 0 for local messages, forwarded proposals and reads. */
  readonly term: number;
  /** The term of the entry at `index`; in a rejected append, the term of the entry at `rejectHint`. */
  readonly logTerm: number;
  /**
   * MsgApp: the entry before `entries`. MsgAppResp: the last index acknowledged, or the `index` of the append
   * rejected. MsgVote and MsgPreVote: the candidate's last index. MsgReadIndexResp: the read index.
   */
  readonly index: number;
  /** The sender's commit index: in MsgApp the leader's own, in MsgHeartbeat at most the receiver's match. */
  readonly commit: number;
  /** Only in MsgStorageAppend: the vote to persist. */
  readonly vote: number;
  /** The answer is a refusal: of an append, of a vote. In MsgSnapStatus: the snapshot failed. */
  readonly reject: boolean;
  /** In a rejected append: the highest index at which the follower's log may still match the leader's. */
  readonly rejectHint: number;
  readonly entries: readonly Entry[];
  readonly snapshot: Snapshot | undefined;
  /**
   * Heartbeats and their answers: the number of a pending read (`read-only.ts`). MsgVote: marks the campaign of a
   * leadership transfer.
   */
  readonly context: Uint8Array | undefined;
  /** Only in MsgStorageAppend and MsgStorageApply: the messages to deliver once the work is durable. */
  readonly responses: readonly Message[];
}

export type EntryKind = "EntryNormal" | "EntryConfChange" | "EntryConfChangeV2";

/** A log entry. Term and index identify it in all logs of the group (INV-LOG-1). */
export interface Entry {
  readonly kind: EntryKind;
  readonly term: number;
  readonly index: number;
  /** The proposal's bytes; see `decodeConfChange` for configuration changes. A new leader's first entry has none. */
  readonly data: Uint8Array;
}

/**
 * The durable part of a node's state beside its log. Messages of the same Ready that depend on it are sent only when
 * it is durable: a vote that a crash forgets could be given twice in one term (INV-ELECTION-1).
 */
export interface HardState {
  readonly term: number;
  readonly vote: number;
  readonly commit: number;
}

/** The role of a node: paper section 5.1, and the pre-candidate of the dissertation, section 9.6. */
export type Role = "StateFollower" | "StateCandidate" | "StateLeader" | "StatePreCandidate";

/** The volatile part of a node's state, for information: it is never persisted. */
export interface SoftState {
  readonly lead: number;
  readonly role: Role;
}

/** A membership as snapshots store it. Ids ascend. */
export interface ConfState {
  readonly voters: readonly number[];
  readonly learners: readonly number[];
  /** Voters of the configuration that a joint one replaces; empty otherwise. */
  readonly votersOutgoing: readonly number[];
  /** Voters of the outgoing half that become learners when the joint configuration is left. */
  readonly learnersNext: readonly number[];
  /** Whether the leader proposes the end of the joint configuration by itself. */
  readonly autoLeave: boolean;
}

/** The applied state up to `index`, with the membership as of that index. It replaces the log up to there. */
export interface Snapshot {
  readonly index: number;
  /** Term of the entry at `index`. */
  readonly term: number;
  readonly confState: ConfState;
  readonly data: Uint8Array;
}

/** ConfChangeUpdateNode changes no membership: it is an entry that carries a context. */
export type ConfChangeType =
  | "ConfChangeAddNode"
  | "ConfChangeRemoveNode"
  | "ConfChangeUpdateNode"
  | "ConfChangeAddLearnerNode";

export interface ConfChangeSingle {
  readonly type: ConfChangeType;
  readonly nodeId: number;
}

/** One change of one node, without joint consensus (dissertation, section 4.1). */
export interface ConfChangeV1 {
  readonly kind: "v1";
  readonly type: ConfChangeType;
  readonly nodeId: number;
  readonly context: Uint8Array;
}

/**
 * How a change of several nodes goes through joint consensus (paper, section 6). Auto: directly for at most one
 * change, else as JointImplicit. JointImplicit: the leader leaves the joint configuration by itself. JointExplicit:
 * the driver proposes an empty ConfChangeV2 to leave it.
 */
export type ConfChangeTransition =
  | "ConfChangeTransitionAuto"
  | "ConfChangeTransitionJointImplicit"
  | "ConfChangeTransitionJointExplicit";

/** Any number of changes; with none (and transition Auto) the change leaves a joint configuration. */
export interface ConfChangeV2 {
  readonly kind: "v2";
  readonly transition: ConfChangeTransition;
  readonly changes: readonly ConfChangeSingle[];
  readonly context: Uint8Array;
}

export type ConfChange = ConfChangeV1 | ConfChangeV2;

/**
 * A read index that was confirmed: the read with `requestContext` may be served once `index` is applied locally. Each
 * appears in one Ready.
 */
export interface ReadState {
  readonly index: number;
  readonly requestContext: Uint8Array;
}

/**
 * The work that a driver has to do next. The order is the contract.
 *
 * Without async storage writes: persist `entries`, `hardState` and `snapshot` (durably if `mustSync`), then send
 * `messages`, then apply `snapshot` and `committedEntries`, then call `advance`. Sending before persisting would let
 * a crash undo a vote or an acknowledgement that another node has already counted.
 *
 * With async storage writes: `messages` contains MsgStorageAppend and MsgStorageApply. Hand each message to its
 * target (`localAppendThread`, `localApplyThread` or a node) in order, deliver the responses of a storage message
 * when its work is done, and never call `advance`.
 */
export interface Ready {
  /** Undefined when unchanged. */
  readonly softState: SoftState | undefined;
  /** Undefined when unchanged. */
  readonly hardState: HardState | undefined;
  /** Reads confirmed since the last Ready. */
  readonly readStates: readonly ReadState[];
  /** Entries to append to storage. They overwrite what storage holds from their first index on. */
  readonly entries: readonly Entry[];
  /** A snapshot from the leader, to replace storage and applied state; undefined when there is none. */
  readonly snapshot: Snapshot | undefined;
  /** Entries to apply, in order. Each is handed out once. */
  readonly committedEntries: readonly Entry[];
  readonly messages: readonly Message[];
  /**
   * Whether entries, term or vote changed. A change of the commit index alone may be lost in a crash: it is learnt
   * again.
   */
  readonly mustSync: boolean;
}

/**
 * Why a storage has no entry at an index: a snapshot has replaced it ("compacted"), or the log ends before it
 * ("unavailable").
 */
export type LogGap = "compacted" | "unavailable";

/** The state that a restarting node begins with; `confState` is that of the applied index in `Config.applied`. */
export interface InitialState {
  readonly hardState: HardState;
  readonly confState: ConfState;
}

/** The durable part of the log, as this package reads it (`Storage` of etcd-io/raft). Reads are synchronous. */
export interface StorageReader {
  initialState(): InitialState;
  /** Entries in [low, high), at least one, cut where their encoded size exceeds `maxSize` bytes. */
  entries(low: number, high: number, maxSize: number): readonly Entry[] | LogGap;
  /** The term of the entry at `index`; known for [firstIndex - 1, lastIndex]. */
  term(index: number): number | LogGap;
  /** The first index that is not compacted. */
  firstIndex(): number;
  lastIndex(): number;
  /** The latest snapshot; after "unavailable" the leader retries with a later message to that node. */
  snapshot(): Snapshot | "unavailable";
}

/** A storage in memory with the operations that a driver needs; all indexes refer to durable state. */
export interface MemoryStorage extends StorageReader {
  setHardState(state: HardState): void;
  /** Appends entries; existing entries from the first index on are overwritten. */
  append(entries: readonly Entry[]): void;
  /** Drops entries up to and including `index`. */
  compact(index: number): "done" | "compacted";
  /**
   * Makes the snapshot that later `snapshot()` calls return; the log is not compacted. Without `confState` the
   * membership of the previous snapshot is kept.
   */
  createSnapshot(
    index: number,
    confState: ConfState | undefined,
    data: Uint8Array,
  ): Snapshot | "out-of-date";
  /** Replaces the whole log by the snapshot. */
  applySnapshot(snapshot: Snapshot): "done" | "out-of-date";
}

/** Receives the lines that transcripts print. Without a logger no line is formatted. */
export interface Logger {
  debug(line: string): void;
  info(line: string): void;
  warning(line: string): void;
  error(line: string): void;
}

/**
 * How reads are confirmed. "safe": by a round of heartbeats. "lease-based": the leader answers at once and relies on
 * check-quorum and on clocks that do not drift (dissertation, section 6.4.1).
 */
export type ReadOnlyOption = "safe" | "lease-based";

/** The configuration of a node. Time is counted in ticks, calls of `RawNode.tick`. */
export interface Config {
  /** Unique in the group for all time: a member that comes back without its log takes a new id. */
  readonly id: number;
  /** Ticks without a leader after which a follower campaigns; must exceed `heartbeatTick`. */
  readonly electionTick: number;
  /** Ticks between two heartbeats of a leader. */
  readonly heartbeatTick: number;
  /**
   * Draws the ticks of the next election timeout, in [electionTick, 2 * electionTick - 1]. Called whenever the node's
   * role or term is reset; the only source of chance.
   */
  readonly randomizedElectionTimeout: (electionTick: number) => number;
  /** Last applied index of a driver that restarts with durable applied state; 0 otherwise. */
  readonly applied?: number;
  /** Storage work is handed out as messages and may overlap with later steps; see `Ready`. */
  readonly asyncStorageWrites?: boolean;
  /** Limit of encoded bytes of entries per MsgApp; 0 means one entry. */
  readonly maxSizePerMsg: number;
  /** Limit of encoded bytes of entries handed out for application and not yet applied; default `maxSizePerMsg`. */
  readonly maxCommittedSizePerReady?: number;
  /** Bytes of uncommitted payload above which a leader drops proposals; default none. */
  readonly maxUncommittedEntriesSize?: number;
  /** MsgApp messages sent to one follower and not yet acknowledged, at most. */
  readonly maxInflightMsgs: number;
  /** Payload bytes of these messages; at least `maxSizePerMsg`, default none. */
  readonly maxInflightBytes?: number;
  /**
   * A leader steps down when it has not heard from a quorum for an election timeout, and nodes that have heard from a
   * leader within one ignore vote requests (dissertation, sections 6.2 and 4.2.3).
   */
  readonly checkQuorum?: boolean;
  /**
   * A campaign first asks for votes without raising the term, so that a partitioned node disturbs nobody when it
   * returns.
   */
  readonly preVote?: boolean;
  readonly readOnlyOption?: ReadOnlyOption;
  /** A follower drops proposals instead of forwarding them to the leader. */
  readonly disableProposalForwarding?: boolean;
  /** The leader accepts any configuration change into its log, also beside an unapplied one. */
  readonly disableConfChangeValidation?: boolean;
  /** A leader that is removed, or made a learner, becomes a follower when it applies that change. */
  readonly stepDownOnRemoval?: boolean;
  readonly logger?: Logger;
}

/**
 * Why a message was refused. "proposal-dropped": no leader, a leadership transfer, or too much uncommitted; the
 * proposer retries. "step-local-message": a local kind from another node. "step-peer-not-found": an answer from a
 * node outside the configuration. "step-implausible-message": see `implausible.ts`.
 */
export type StepRejection =
  | "proposal-dropped"
  | "step-local-message"
  | "step-peer-not-found"
  | "step-implausible-message";

export type StepResult =
  | { readonly kind: "accepted" }
  | { readonly kind: "rejected"; readonly reason: StepRejection };

/** The state of replication to one follower: see `progress.ts`. */
export type ProgressState = "StateProbe" | "StateReplicate" | "StateSnapshot";

/** A copy of a leader's `Progress` for one node. */
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

/**
 * A membership as the quorum rules see it. Decisions of a joint configuration need a majority of both sets of voters.
 */
export interface Configuration {
  /** The voters of the current configuration; in a joint one, of the new configuration. */
  readonly incoming: ReadonlySet<number>;
  /** Empty unless the configuration is joint. */
  readonly outgoing: ReadonlySet<number>;
  readonly learners: ReadonlySet<number>;
  /** Outgoing voters that become learners when the joint configuration is left. */
  readonly learnersNext: ReadonlySet<number>;
  readonly autoLeave: boolean;
}

export interface BasicStatus {
  readonly id: number;
  readonly hardState: HardState;
  readonly softState: SoftState;
  readonly applied: number;
  /** The target of a leadership transfer that has not finished; 0 when there is none. */
  readonly leadTransferee: number;
}

export interface Status extends BasicStatus {
  readonly configuration: Configuration;
  /** By node id, ascending; empty unless this node leads. */
  readonly progress: ReadonlyMap<number, ProgressStatus>;
}

/** One member of a Raft group. It owns mutable state and touches the world only through its storage and Ready. */
export interface RawNode {
  /** One unit of time has passed; may start an election, a heartbeat round or a check of the quorum. */
  tick(): void;
  /** Steps a message that arrived from another node or from a storage target. */
  step(message: Message): StepResult;
  /** Starts an election at once, with a pre-vote if the configuration has it. */
  campaign(): StepResult;
  /** Proposes an entry. Acceptance is no commitment: the entry may be lost with the leadership. */
  propose(data: Uint8Array): StepResult;
  proposeConfChange(change: ConfChange): StepResult;
  /**
   * Makes a configuration change effective; to be called for each committed one, in order, with node ids 0 to refuse
   * it. With async storage writes give the entry's index too: a change that waited while a snapshot overtook it is
   * then ignored. The result is the membership from here on, for the next snapshot.
   */
  applyConfChange(change: ConfChange, index?: number): ConfState;
  hasReady(): boolean;
  /** The outstanding work. The call accepts it: no later Ready contains it again, so the driver must carry it out. */
  ready(): Ready;
  /** Reports that the work of the last Ready is done. Not with async storage writes. */
  advance(): void;
  /** Requests a read index; a later Ready has it in `readStates`. The request is lost where there is no leader. */
  readIndex(requestContext: Uint8Array): void;
  /** Requests a leadership transfer to a voter; abandoned when it takes longer than an election timeout. */
  transferLeader(to: number): void;
  /** A follower forgets its leader, so that it may vote at once. No effect on a leader or with lease-based reads. */
  forgetLeader(): StepResult;
  /** Reports that the last message to the node was probably lost; the leader goes from pipelining to probing. */
  reportUnreachable(id: number): void;
  /** Reports the fate of a MsgSnap; until then nothing else is sent to that node. */
  reportSnapshot(id: number, outcome: "finished" | "failed"): void;
  basicStatus(): BasicStatus;
  status(): Status;
  /**
   * Visits the progress of all nodes, ascending by id, without copying the whole status. Only a leader's progress is
   * current.
   */
  withProgress(visit: (id: number, progress: ProgressStatus) => void): void;
}
