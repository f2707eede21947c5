/**
 * The state of one member, and the outbox every part of it sends through.
 *
 * The state is mutable (a log is too large to copy) and owned by one RawNode. Messages that promise something
 * durable, votes and acknowledgements of entries, go to a second outbox that is only released once all that was
 * unstable at that moment is durable: nobody may be told of a vote or an entry that a crash could undo.
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

export interface Raft {
  readonly id: number;
  readonly settings: Settings;
  readonly logger: Logger | undefined;
  readonly log: Log;
  tracker: Tracker;
  term: number;
  vote: number;
  role: Role;
  isLearner: boolean;
  /** The leader of the term as far as this node knows. */
  lead: number;
  leadTransferee: number;
  /**
   * Only one configuration change may be in the log and unapplied. It is refused while this index, which may be
   * larger than that of the change, is not applied.
   */
  pendingConfIndex: number;
  /** The index of the last snapshot this node restored from a leader. */
  restoredIndex: number;
  /** Payload bytes of the uncommitted tail; an estimate that is never too large. */
  uncommittedSize: number;
  readOnly: ReadOnly;
  readStates: readonly ReadState[];
  /** Reads that wait for the first commit of the leader's own term. */
  pendingReads: Message[];
  /** Ticks since the election timeout was last restarted. */
  electionElapsed: number;
  heartbeatElapsed: number;
  randomizedElectionTimeout: number;
  messages: Message[];
  /** Released when everything unstable so far is durable. */
  messagesAfterAppend: Message[];
}

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

export type Outgoing = Partial<Message> & { readonly kind: MessageKind; readonly to: number };

/** Queues a message. Votes carry the term they are about; all others get the current one. */
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

/** How ids are printed in log lines. */
export function hex(id: number): string {
  return id.toString(16);
}
