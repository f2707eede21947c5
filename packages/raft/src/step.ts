/**
 * The entry point for messages and ticks: first the term, then the kinds that every role handles alike, then the
 * role. Follows `raft.Step` of etcd-io/raft.
 *
 * INV-ELECTION-1: the term is compared before anything else of a message is looked at. A higher term makes a follower
 * of any node (paper, section 5.1); a lower term is ignored, or answered so that its sender learns the current one.
 */
import {
  answerVoteRequest,
  isInLease,
  isPromotable,
  rejectVoteRequest,
  startElection,
} from "./election.ts";
import { stepCandidate, stepFollower } from "./follower.ts";
import { checkQuorum, stepLeader } from "./leader.ts";
import { none } from "./message.ts";
import { entriesApplied, snapshotApplied } from "./propose.ts";
import { accepted, hex, send, type Raft } from "./raft.ts";
import { broadcastHeartbeat } from "./replication.ts";
import { becomeFollower } from "./roles.ts";
import type { Message, StepResult } from "./types.ts";
import { stableTo } from "./unstable.ts";

/**
 * Steps one message.
 *
 * 1. A higher term: become a follower of that term, unless a lease or the pre-vote rules say otherwise. Of higher
 *    terms only pre-votes get past this point.
 * 2. A lower term: answer or drop it. Acting on it would let a deposed leader change the log.
 * 3. Elections, votes and reports of storage are the same in all roles.
 * 4. All other kinds go to the role, which step 1 may have just changed.
 */
export function step(raft: Raft, message: Message): StepResult {
  if (message.term > raft.term) {
    if (!enterHigherTerm(raft, message)) return accepted;
  } else if (message.term !== 0 && message.term < raft.term) {
    answerLowerTerm(raft, message);
    return accepted;
  }
  switch (message.kind) {
    case "MsgHup":
      startElection(raft, raft.settings.preVote ? "pre-election" : "election");
      return accepted;
    case "MsgStorageAppendResp":
      if (message.index !== 0) stableTo(raft.log.unstable, message.index, message.logTerm);
      if (message.snapshot !== undefined) snapshotApplied(raft, message.snapshot);
      return accepted;
    case "MsgStorageApplyResp":
      entriesApplied(raft, message.entries);
      return accepted;
    case "MsgVote":
    case "MsgPreVote":
      answerVoteRequest(raft, message);
      return accepted;
    default:
      return stepInRole(raft, message);
  }
}

/**
 * Advances the clocks by one tick: a leader's heartbeats and quorum check, or the election timeout of the other
 * roles.
 */
export function tick(raft: Raft): void {
  if (raft.role === "StateLeader") tickLeader(raft);
  else tickElection(raft);
}

function stepInRole(raft: Raft, message: Message): StepResult {
  switch (raft.role) {
    case "StateLeader":
      return stepLeader(raft, message);
    case "StateFollower":
      return stepFollower(raft, message);
    default:
      return stepCandidate(raft, message);
  }
}

/**
 * Reacts to a term above the node's own; false when the message must be ignored altogether.
 *
 * A lease (check-quorum) protects a live leader from a node that was partitioned or removed and whose term has grown
 * meanwhile: its vote requests change no term here (dissertation, section 4.2.3).
 */
function enterHigherTerm(raft: Raft, message: Message): boolean {
  const { kind, from, term } = message;
  if ((kind === "MsgVote" || kind === "MsgPreVote") && isInLease(raft, message)) return false;
  // A pre-vote changes no terms: neither its request nor a grant, which carries the future term that was asked about.
  // A rejection carries the term of the rejecting node, which is real.
  if (kind === "MsgPreVote" || (kind === "MsgPreVoteResp" && !message.reject)) return true;
  raft.logger?.info(
    `${hex(raft.id)} [term: ${raft.term}] received a ${kind} message with higher term from ` +
      `${hex(from)} [term: ${term}]`,
  );
  // Only these three kinds are sent by leaders alone; a vote request of a higher term says nothing about who leads
  // it.
  const isFromLeader = kind === "MsgApp" || kind === "MsgHeartbeat" || kind === "MsgSnap";
  becomeFollower(raft, term, isFromLeader ? from : none);
  return true;
}

/**
 * Reacts to a term below the node's own. Most messages are dropped; the exceptions keep two nodes from waiting for
 * each other.
 */
function answerLowerTerm(raft: Raft, message: Message): void {
  const { kind, from, term } = message;
  const { checkQuorum: hasCheckQuorum, preVote } = raft.settings;
  if ((hasCheckQuorum || preVote) && (kind === "MsgHeartbeat" || kind === "MsgApp")) {
    // This node may be stuck at a higher term while leases or pre-votes keep it from winning an election there. The
    // answer carries that term and makes the leader of the lower one step down; without an answer this node would
    // ignore the leader for ever and never rejoin. Without these two options its own MsgVote would do the same.
    send(raft, { kind: "MsgAppResp", to: from });
    return;
  }
  if (kind === "MsgPreVote") {
    // A pre-candidate of a lower term with the longer log learns the current term by this. If the request were dropped,
    // it and a pre-candidate of a higher term with the shorter log could refuse each other for ever.
    rejectVoteRequest(raft, message);
    return;
  }
  if (kind === "MsgStorageAppendResp") {
    // Entries written in an earlier term may have been overwritten since, even by entries that carry the same
    // positions again (the ABA race, `storage-messages.ts`): they do not count as durable. A snapshot does: it is
    // committed state, which no later term undoes.
    if (message.index !== 0) {
      raft.logger?.info(
        `${hex(raft.id)} [term: ${raft.term}] ignored entry appends from a ${kind} message with lower term [term: ${term}]`,
      );
    }
    if (message.snapshot !== undefined) snapshotApplied(raft, message.snapshot);
    return;
  }
  raft.logger?.info(
    `${hex(raft.id)} [term: ${raft.term}] ignored a ${kind} message with lower term from ${hex(from)} [term: ${term}]`,
  );
}

/**
 * Counts the election timeout (paper, section 5.2). A node that may not lead counts without campaigning: if it is
 * promoted and hears from no leader, it campaigns at its next tick.
 */
function tickElection(raft: Raft): void {
  raft.electionElapsed += 1;
  if (raft.electionElapsed < raft.randomizedElectionTimeout || !isPromotable(raft)) return;
  raft.electionElapsed = 0;
  startElection(raft, raft.settings.preVote ? "pre-election" : "election");
}

/** A leader uses the election timeout, not randomized, as the period of its quorum check and of a transfer. */
function tickLeader(raft: Raft): void {
  raft.heartbeatElapsed += 1;
  raft.electionElapsed += 1;
  if (raft.electionElapsed >= raft.settings.electionTick) {
    raft.electionElapsed = 0;
    // The check may make this node a follower: everything below asks for the role again.
    if (raft.settings.checkQuorum) checkQuorum(raft);
    // A transfer that has not finished within an election timeout is abandoned, so that proposals are accepted again.
    if (raft.role === "StateLeader") raft.leadTransferee = none;
  }
  if (raft.role !== "StateLeader") return;
  if (raft.heartbeatElapsed < raft.settings.heartbeatTick) return;
  raft.heartbeatElapsed = 0;
  broadcastHeartbeat(raft);
}
