/**
 * Elections: when to campaign, whom to vote for, when a campaign is decided.
 *
 * INV-ELECTION-1: at most one leader per term, because a node votes once per term, durably, and a leader needs the
 * votes of a quorum. Leader completeness: a vote is only given to a log at least as up to date as one's own.
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

/** A transfer campaign skips the pre-vote and is heard in spite of a recent leader. */
export type Campaign = "pre-election" | "election" | "transfer";

const transferContext = utf8Encode("CampaignTransfer");

/** Campaigns, if this node may. */
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
  if (hasUnappliedConfChanges(raft)) {
    logger?.warning(
      `${id} cannot campaign at term ${term} since there are still pending configuration changes to apply`,
    );
    return;
  }
  logger?.info(`${id} is starting a new election at term ${term}`);
  campaign(raft, campaignKind);
}

/** Whether this node may become leader: a voter of its own configuration with no snapshot to apply first. */
export function isPromotable(raft: Raft): boolean {
  const own = raft.tracker.progress.get(raft.id);
  return own !== undefined && !own.isLearner && raft.log.unstable.snapshot === undefined;
}

/** Whether the vote request is to be ignored because a leader was heard within an election timeout. */
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

/** Answers MsgVote and MsgPreVote of this or, for pre-votes, a later term. */
export function answerVoteRequest(raft: Raft, request: Message): void {
  const isPreVote = request.kind === "MsgPreVote";
  const canVote =
    raft.vote === request.from ||
    (raft.vote === none && raft.lead === none) ||
    (isPreVote && request.term > raft.term);
  const theirs = { term: request.logTerm, index: request.index };
  // Learners vote too: this node may have been promoted without knowing it yet, and its vote may be needed
  // to elect the leader that tells it.
  if (!canVote || !isUpToDate(raft.log, theirs)) {
    rejectVoteRequest(raft, request);
    return;
  }
  raft.logger?.info(voteLine(raft, "cast", request));
  // The answer carries the term of the request: a pre-vote for a later term would else look stale.
  send(raft, { kind: responseTo(request.kind), to: request.from, term: request.term });
  if (isPreVote) return;
  raft.electionElapsed = 0;
  raft.vote = request.from;
}

export function rejectVoteRequest(raft: Raft, request: Message): void {
  raft.logger?.info(voteLine(raft, "rejected", request));
  const kind = responseTo(request.kind);
  send(raft, { kind, to: request.from, term: raft.term, reject: true });
}

/** Counts one answer to this node's own campaign, and acts when that decides it. */
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
  broadcastAppend(raft);
}

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
      // The own vote counts once it is durable: it comes back as a message.
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

function hasUnappliedConfChanges(raft: Raft): boolean {
  const { applied, committed, maxApplyingSize } = raft.log;
  const range = { low: applied + 1, high: committed + 1, pageSize: maxApplyingSize };
  return someEntry(raft.log, range, (entry) => entry.kind !== "EntryNormal");
}

function responseTo(kind: MessageKind): "MsgVoteResp" | "MsgPreVoteResp" {
  return kind === "MsgVote" ? "MsgVoteResp" : "MsgPreVoteResp";
}

function voteLine(raft: Raft, verb: "cast" | "rejected" | "ignored", request: Message): string {
  const last = lastPosition(raft.log);
  const { kind, from, logTerm, index } = request;
  return (
    `${hex(raft.id)} [logterm: ${last.term}, index: ${last.index}, vote: ${hex(raft.vote)}] ` +
    `${verb} ${kind} ${verb === "cast" ? "for" : "from"} ${hex(from)} ` +
    `[logterm: ${logTerm}, index: ${index}] at term ${raft.term}`
  );
}
