/**
 * The entry point for messages and ticks: terms first, then what holds in every role, then the role.
 *
 * INV-ELECTION-1: a higher term makes a follower of anyone; a lower one is ignored or answered with our own.
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

/** False when the message is to be ignored altogether. */
function enterHigherTerm(raft: Raft, message: Message): boolean {
  const { kind, from, term } = message;
  if ((kind === "MsgVote" || kind === "MsgPreVote") && isInLease(raft, message)) return false;
  // A pre-vote never changes terms: neither the request nor its being granted. A rejection tells of a later term.
  if (kind === "MsgPreVote" || (kind === "MsgPreVoteResp" && !message.reject)) return true;
  raft.logger?.info(
    `${hex(raft.id)} [term: ${raft.term}] received a ${kind} message with higher term from ` +
      `${hex(from)} [term: ${term}]`,
  );
  const isFromLeader = kind === "MsgApp" || kind === "MsgHeartbeat" || kind === "MsgSnap";
  becomeFollower(raft, term, isFromLeader ? from : none);
  return true;
}

function answerLowerTerm(raft: Raft, message: Message): void {
  const { kind, from, term } = message;
  const { checkQuorum: hasCheckQuorum, preVote } = raft.settings;
  if ((hasCheckQuorum || preVote) && (kind === "MsgHeartbeat" || kind === "MsgApp")) {
    // This node may be stuck at a higher term that no lease or pre-vote lets it campaign in; without an answer
    // a leader of a lower term would never learn that it has to step down for it to come back.
    send(raft, { kind: "MsgAppResp", to: from });
    return;
  }
  if (kind === "MsgPreVote") {
    // Two pre-candidates of different terms would wait for each other for ever if this were dropped.
    rejectVoteRequest(raft, message);
    return;
  }
  if (kind === "MsgStorageAppendResp") {
    // Entries written in an earlier term may have been overwritten since, even by entries that carry the same
    // positions again. A snapshot is committed state, which no term undoes.
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

function tickElection(raft: Raft): void {
  raft.electionElapsed += 1;
  if (raft.electionElapsed < raft.randomizedElectionTimeout || !isPromotable(raft)) return;
  raft.electionElapsed = 0;
  startElection(raft, raft.settings.preVote ? "pre-election" : "election");
}

function tickLeader(raft: Raft): void {
  raft.heartbeatElapsed += 1;
  raft.electionElapsed += 1;
  if (raft.electionElapsed >= raft.settings.electionTick) {
    raft.electionElapsed = 0;
    if (raft.settings.checkQuorum) checkQuorum(raft);
    // A transfer that did not finish by now is given up, so that proposals flow again.
    if (raft.role === "StateLeader") raft.leadTransferee = none;
  }
  if (raft.role !== "StateLeader") return;
  if (raft.heartbeatElapsed < raft.settings.heartbeatTick) return;
  raft.heartbeatElapsed = 0;
  broadcastHeartbeat(raft);
}
