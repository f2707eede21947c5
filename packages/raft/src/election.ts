/**
 * Elections: when a node campaigns, for whom it votes, when a campaign is decided (paper, section 5.2; pre-vote:
 * dissertation, section 9.6).
 *
 * INV-ELECTION-1: at most one leader per term, because a node votes once per term, durably, and a leader needs the
 * votes of a quorum. Leader completeness (section 5.4.1): a node votes only for a log at least as up to date as its
 * own, and a committed entry is in the log of a quorum, so every winner has it.
 */
import { bytesEqual, utf8Encode } from "@orrery/stdx";
import { isUpToDate, lastPosition, someEntry } from "./log.ts";
import { none } from "./message.ts";
import { voterIds } from "./quorum.ts";
import { hex, send, type Raft } from "./raft.ts";
import { broadcastAppend } from "./replication.ts";
import { becomeCandidate, becomeFollower, becomeLeader, becomePreCandidate } from "./roles.ts";
import { recordVote, tallyVotes } from "./tracker.ts";
import type { Message, MessageKind } from "./types.ts";

/**
 * The kinds of campaigns: a pre-election leads to an election when it is won. A transfer skips the pre-vote, and its
 * vote requests are answered in spite of a recent leader, because that leader asked for it.
 */
export type Campaign = "pre-election" | "election" | "transfer";

const transferContext = utf8Encode("CampaignTransfer");

/** Starts a campaign, unless this node leads, may not lead, or has configuration changes left to apply. */
export function startElection(raft: Raft, campaignKind: Campaign): void {
  const { logger, term } = raft;
  const id = hex(raft.id);
  if (raft.role === "StateLeader") {
    logger?.debug(`${id} ignoring MsgHup because already leader`);
    return;
  }
  if (!isPromotable(raft)) {
    logger?.warning(`${id} is unpromotable and can not campaign`);
    return;
  }
  // A committed change that is not applied yet may have removed this node, or changed the quorum: a campaign would
  // count votes by a configuration that the group has already left.
  if (hasUnappliedConfChanges(raft)) {
    logger?.warning(
      `${id} cannot campaign at term ${term} since there are still pending configuration changes to apply`,
    );
    return;
  }
  logger?.info(`${id} is starting a new election at term ${term}`);
  campaign(raft, campaignKind);
}

/**
 * Whether this node may become leader: a voter of its own configuration, without a received snapshot that storage has
 * not confirmed.
 */
export function isPromotable(raft: Raft): boolean {
  const own = raft.tracker.progress.get(raft.id);
  return own !== undefined && !own.isLearner && raft.log.unstable.snapshot === undefined;
}

/**
 * Whether a vote request is ignored because this node heard from a leader within the minimum election timeout. Only
 * with check-quorum: a leader that is followed here then also steps down by itself once it has lost its quorum. The
 * request of a leadership transfer is never ignored.
 */
export function isInLease(raft: Raft, request: Message): boolean {
  const { settings, lead, electionElapsed } = raft;
  const isForced = request.context !== undefined && bytesEqual(request.context, transferContext);
  if (isForced || !settings.checkQuorum || lead === none) return false;
  if (electionElapsed >= settings.electionTick) return false;
  raft.logger?.info(
    `${voteLine(raft, "ignored", request)}: lease is not expired ` +
      `(remaining ticks: ${settings.electionTick - electionElapsed})`,
  );
  return true;
}

/**
 * Answers MsgVote of this term and MsgPreVote of this or a later term. The vote is granted if both conditions hold:
 *
 * 1. The vote is free: repeated for the same candidate, not given in this term while no leader is known, or asked for
 *    a future term by a pre-vote.
 * 2. The candidate's log is at least as up to date as this one (section 5.4.1).
 *
 * The grant waits in the outbox of `send` until the vote is durable.
 */
export function answerVoteRequest(raft: Raft, request: Message): void {
  const isPreVote = request.kind === "MsgPreVote";
  const canVote =
    raft.vote === request.from ||
    (raft.vote === none && raft.lead === none) ||
    (isPreVote && request.term > raft.term);
  const theirs = { term: request.logTerm, index: request.index };
  // Learners vote too: this node may have been promoted without having received that change yet, and its vote may be
  // needed to elect the leader that sends it. Candidates count only votes of the voters they know.
  if (!canVote || !isUpToDate(raft.log, theirs)) {
    rejectVoteRequest(raft, request);
    return;
  }
  raft.logger?.info(voteLine(raft, "cast", request));
  // The answer carries the term of the request, not this node's: a candidate drops answers of lower terms, and a grant
  // for its future term would look like one.
  send(raft, { kind: responseTo(request.kind), to: request.from, term: request.term });
  // A granted pre-vote promises nothing: neither the vote nor the election timeout changes.
  if (isPreVote) return;
  raft.electionElapsed = 0;
  raft.vote = request.from;
}

/** Refuses a vote with this node's own term, from which a candidate of a lower term learns that it is behind. */
export function rejectVoteRequest(raft: Raft, request: Message): void {
  raft.logger?.info(voteLine(raft, "rejected", request));
  const kind = responseTo(request.kind);
  send(raft, { kind, to: request.from, term: raft.term, reject: true });
}

/**
 * Counts one answer to this node's own campaign, its own vote among them, and acts when the votes decide it. A lost
 * campaign makes a follower at once, without waiting for the timeout.
 */
export function countVote(raft: Raft, { from, kind, reject }: Message): void {
  const id = hex(raft.id);
  const verdict = reject ? `${kind} rejection` : kind;
  raft.logger?.info(`${id} received ${verdict} from ${hex(from)} at term ${raft.term}`);
  recordVote(raft.tracker, from, !reject);
  const { granted, rejected, result } = tallyVotes(raft.tracker);
  raft.logger?.info(`${id} has received ${granted} ${kind} votes and ${rejected} vote rejections`);
  if (result === "VoteLost") becomeFollower(raft, raft.term, none);
  if (result !== "VoteWon") return;
  if (raft.role === "StatePreCandidate") {
    campaign(raft, "election");
    return;
  }
  becomeLeader(raft);
  // The new leader's empty entry goes out at once: it makes followers of the other candidates, and its commitment
  // commits all earlier entries (section 5.4.2).
  broadcastAppend(raft);
}

/**
 * Becomes (pre-)candidate and asks the voters of both halves. The role changes first: for an election it raises the
 * term and votes for this node, and the requests carry that term.
 */
function campaign(raft: Raft, campaignKind: Campaign): void {
  const isPreElection = campaignKind === "pre-election";
  if (isPreElection) becomePreCandidate(raft);
  else becomeCandidate(raft);
  const kind = isPreElection ? "MsgPreVote" : "MsgVote";
  // A pre-vote asks about the term it would campaign in.
  const term = isPreElection ? raft.term + 1 : raft.term;
  const context = campaignKind === "transfer" ? transferContext : undefined;
  const last = lastPosition(raft.log);
  for (const to of voterIds(raft.tracker.configuration)) {
    if (to === raft.id) {
      // The node's own vote is a message to itself, delivered when the vote is durable. Counted at once, it could
      // make a leader whose own vote is still being written: after a crash that node could vote for another candidate
      // of the same term.
      send(raft, { kind: responseTo(kind), to, term });
      continue;
    }
    raft.logger?.info(
      `${hex(raft.id)} [logterm: ${last.term}, index: ${last.index}] sent ${kind} request to ` +
        `${hex(to)} at term ${raft.term}`,
    );
    send(raft, { kind, to, term, index: last.index, logTerm: last.term, context });
  }
}

/** Reads all entries between applied and committed; their number is bounded by what the driver leaves unapplied. */
function hasUnappliedConfChanges(raft: Raft): boolean {
  const { applied, committed, maxApplyingSize } = raft.log;
  const range = { low: applied + 1, high: committed + 1, pageSize: maxApplyingSize };
  return someEntry(raft.log, range, (entry) => entry.kind !== "EntryNormal");
}

function responseTo(kind: MessageKind): "MsgVoteResp" | "MsgPreVoteResp" {
  return kind === "MsgVote" ? "MsgVoteResp" : "MsgPreVoteResp";
}

/** The log line of a vote, in the words of etcd. */
function voteLine(raft: Raft, verb: "cast" | "rejected" | "ignored", request: Message): string {
  const last = lastPosition(raft.log);
  const { kind, from, logTerm, index } = request;
  return (
    `${hex(raft.id)} [logterm: ${last.term}, index: ${last.index}, vote: ${hex(raft.vote)}] ` +
    `${verb} ${kind} ${verb === "cast" ? "for" : "from"} ${hex(from)} ` +
    `[logterm: ${logTerm}, index: ${index}] at term ${raft.term}`
  );
}
