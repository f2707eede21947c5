/**
 * The state of one member, and the two outboxes through which all parts of the machine send (`raft` struct and `send`
 * of etcd-io/raft).
 *
 * The state is mutable (a log is too large to copy) and owned by one RawNode. Messages that promise something
 * durable, votes and acknowledgements of entries, go to `messagesAfterAppend`, which is released only once everything
 * unstable at that moment is durable: no node may count a vote or an entry that a crash could undo.
 */
import { assert } from "@orrery/stdx";
import type { Settings } from "./config.ts";
import { createLog, type Log } from "./log.ts";
import { newMessage, none } from "./message.ts";
import { createReadOnly, type ReadOnly } from "./read-only.ts";
import { createTracker, type Tracker } from "./tracker.ts";
import type {
  HardState,
  Logger,
  Message,
  MessageKind,
  ReadState,
  Role,
  SoftState,
  StepResult,
  StorageReader,
} from "./types.ts";

/** The state of one member. `term`, `vote` and the log's commit index are its HardState. */
export interface Raft {
  readonly id: number;
  readonly settings: Settings;
  readonly logger: Logger | undefined;
  readonly log: Log;
  tracker: Tracker;
  term: number;
  /** The candidate voted for in this term; 0 while the vote is free. */
  vote: number;
  role: Role;
  /** Whether the configuration applied last has this node as a learner. */
  isLearner: boolean;
  /** The leader of the term as far as this node knows; 0 when none is known. */
  lead: number;
  /** The target of a leadership transfer; proposals are dropped while it is not 0. */
  leadTransferee: number;
  /**
   * At most one configuration change is in the log and unapplied: while this index is not applied, further ones are
   * refused. It may be larger than the index of the change, never smaller.
   */
  pendingConfIndex: number;
  /** The index of the last snapshot that this node restored from a leader. */
  restoredIndex: number;
  /**
   * Payload bytes that this leader appended and that are not yet applied; an estimate, since entries of earlier
   * leaders are subtracted without having been added.
   */
  uncommittedSize: number;
  /** Reads that a quorum has to confirm. */
  readOnly: ReadOnly;
  /** Confirmed reads for the next Ready. */
  readStates: readonly ReadState[];
  /** Reads that wait for the first commit of the leader's own term. */
  pendingReads: Message[];
  /**
   * Ticks of the election timer. A follower restarts it on messages of the leader and on granting a vote, a leader
   * after each check of its quorum.
   */
  electionElapsed: number;
  /** A leader's ticks since its last heartbeat round. */
  heartbeatElapsed: number;
  /** Ticks after which this node campaigns; drawn anew at each reset. */
  randomizedElectionTimeout: number;
  /** Released with the next Ready. */
  messages: Message[];
  /** Messages that wait until everything that is unstable when they are handed out is durable. */
  messagesAfterAppend: Message[];
}

/** An empty follower of term 0; `startRaft` loads the durable state into it. */
export function createRaft(settings: Settings, storage: StorageReader): Raft {
  return {
    id: settings.id,
    settings,
    logger: settings.logger,
    log: createLog(storage, settings.maxCommittedSizePerReady, settings.logger),
    tracker: createTracker(settings.maxInflightMsgs, settings.maxInflightBytes),
    term: 0,
    vote: none,
    role: "StateFollower",
    isLearner: false,
    lead: none,
    leadTransferee: none,
    pendingConfIndex: 0,
    restoredIndex: 0,
    uncommittedSize: 0,
    readOnly: createReadOnly(),
    readStates: [],
    pendingReads: [],
    electionElapsed: 0,
    heartbeatElapsed: 0,
    randomizedElectionTimeout: 0,
    messages: [],
    messagesAfterAppend: [],
  };
}

export const accepted: StepResult = { kind: "accepted" };
/** The result of a proposal that was neither appended nor forwarded; the proposer may retry. */
export const proposalDropped: StepResult = { kind: "rejected", reason: "proposal-dropped" };

export function hardStateOf(raft: Raft): HardState {
  return { term: raft.term, vote: raft.vote, commit: raft.log.committed };
}

export function softStateOf(raft: Raft): SoftState {
  return { lead: raft.lead, role: raft.role };
}

export function isVoteKind(kind: MessageKind): boolean {
  return (
    kind === "MsgVote" ||
    kind === "MsgVoteResp" ||
    kind === "MsgPreVote" ||
    kind === "MsgPreVoteResp"
  );
}

/** A message to queue. `send` fills in sender and term. */
export type Outgoing = Partial<Message> & { readonly kind: MessageKind; readonly to: number };

/**
 * Queues a message. Votes name the term of the campaign, which a pre-vote has not entered; all others carry the
 * current term. The kind chooses the outbox: MsgAppResp and the answers to votes wait for durable state, others need
 * not. A leader's MsgApp does not wait: it may replicate entries that it has not persisted itself (dissertation,
 * section 10.2.1), because only its own MsgAppResp, which waits, counts its copy.
 */
export function send(raft: Raft, fields: Outgoing): void {
  const message = newMessage({
    ...fields,
    from: fields.from || raft.id,
    term: termFor(raft, fields),
  });
  const { kind } = message;
  if (kind === "MsgAppResp" || kind === "MsgVoteResp" || kind === "MsgPreVoteResp") {
    raft.messagesAfterAppend.push(message);
    return;
  }
  // Only promises to itself are messages to the same node: they return when durable.
  assert(message.to !== raft.id, `message should not be self-addressed when sending ${kind}`);
  raft.messages.push(message);
}

function termFor(raft: Raft, { kind, term = 0 }: Outgoing): number {
  if (isVoteKind(kind)) {
    assert(term !== 0, `term should be set when sending ${kind}`);
    return term;
  }
  assert(term === 0, `term should not be set when sending ${kind} (was ${term})`);
  // Proposals and reads are forwarded as local messages: they are not of any term.
  return kind === "MsgProp" || kind === "MsgReadIndex" ? 0 : raft.term;
}

/** An id as log lines print it. */
export function hex(id: number): string {
  return id.toString(16);
}
