/**
 * Becoming follower, pre-candidate, candidate, leader: the state that each change of role resets (`becomeFollower`,
 * `becomeLeader` … of etcd-io/raft).
 *
 * INV-ELECTION-1: the term never decreases, and the vote is cleared only when the term changes.
 */
import { assert } from "@orrery/stdx";
import { lastIndex } from "./log.ts";
import { emptyProposal, none } from "./message.ts";
import { becomeReplicate, createProgress, type Progress } from "./progress.ts";
import { hex, type Raft } from "./raft.ts";
import { createReadOnly } from "./read-only.ts";
import { appendEntries } from "./replication.ts";

/** Follows `lead`, or no known leader (`none`), at a term not below the current one. Allowed from every role. */
export function becomeFollower(raft: Raft, term: number, lead: number): void {
  reset(raft, term);
  raft.lead = lead;
  raft.role = "StateFollower";
  raft.logger?.info(`${hex(raft.id)} became follower at term ${term}`);
}

/** Enters the next term with a vote for itself. A leader never campaigns: it would give up a term that it holds. */
export function becomeCandidate(raft: Raft): void {
  assert(raft.role !== "StateLeader", "invalid transition [leader -> candidate]");
  reset(raft, raft.term + 1);
  raft.vote = raft.id;
  raft.role = "StateCandidate";
  raft.logger?.info(`${hex(raft.id)} became candidate at term ${raft.term}`);
}

/**
 * Prepares a campaign without `reset`: neither term, vote nor progress change, so a pre-candidate that loses has
 * disturbed no other node.
 */
export function becomePreCandidate(raft: Raft): void {
  assert(raft.role !== "StateLeader", "invalid transition [leader -> pre-candidate]");
  raft.tracker.votes.clear();
  raft.lead = none;
  raft.role = "StatePreCandidate";
  raft.logger?.info(`${hex(raft.id)} became pre-candidate at term ${raft.term}`);
}

/** Leads the current term and appends its first, empty entry. */
export function becomeLeader(raft: Raft): void {
  assert(raft.role !== "StateFollower", "invalid transition [follower -> leader]");
  reset(raft, raft.term);
  raft.lead = raft.id;
  raft.role = "StateLeader";
  const own = raft.tracker.progress.get(raft.id);
  assert(own !== undefined, `${hex(raft.id)} leads without being a member`);
  // The node's own progress is never probed. It advances like that of the others, by MsgAppResp, which the node sends
  // itself when entries are durable.
  becomeReplicate(own);
  own.recentActive = true;
  // A configuration change of an earlier leader may be in the uncommitted tail. Instead of searching for it, the leader
  // refuses further changes until the whole tail is applied. Set before the empty entry is appended, which is no change.
  raft.pendingConfIndex = lastIndex(raft.log);
  // The empty entry is the first of this term. Only entries of the leader's own term are committed by counting
  // (section 5.4.2), so without it earlier entries, and reads, would wait for the next proposal.
  const isAppended = appendEntries(raft, [emptyProposal]);
  assert(isAppended, "empty entry was dropped");
  raft.logger?.info(`${hex(raft.id)} became leader at term ${raft.term}`);
}

/**
 * The state that belongs to a term or a role begins anew: votes, timers, a leadership transfer, unconfirmed reads, and
 * the progress of every node. A leader starts probing each follower at the end of its own log, with `match` 0:
 * knowledge about followers is never carried over from an earlier leadership, since their logs may have been
 * truncated since.
 */
function reset(raft: Raft, term: number): void {
  assert(term >= raft.term, `term goes back from ${raft.term} to ${term}`);
  // The vote is bound to its term: clearing it within the same term would allow a second vote.
  if (raft.term !== term) {
    raft.term = term;
    raft.vote = none;
  }
  raft.lead = none;
  raft.electionElapsed = 0;
  raft.heartbeatElapsed = 0;
  restartElectionTimeout(raft);
  raft.leadTransferee = none;
  raft.tracker.votes.clear();
  raft.tracker.progress = new Map(
    [...raft.tracker.progress].map(([id, { isLearner }]) => [
      id,
      freshProgress(raft, id, isLearner),
    ]),
  );
  raft.pendingConfIndex = 0;
  raft.uncommittedSize = 0;
  raft.readOnly = createReadOnly();
}

/** Draws a new timeout, so that split votes are not repeated for ever (section 5.2). */
function restartElectionTimeout(raft: Raft): void {
  const { electionTick, randomizedElectionTimeout } = raft.settings;
  const ticks = randomizedElectionTimeout(electionTick);
  assert(
    ticks >= electionTick && ticks < 2 * electionTick,
    `election timeout ${ticks} is not in [${electionTick}, ${2 * electionTick - 1}]`,
  );
  raft.randomizedElectionTimeout = ticks;
}

function freshProgress(raft: Raft, id: number, isLearner: boolean): Progress {
  const last = lastIndex(raft.log);
  return createProgress({
    match: id === raft.id ? last : 0,
    next: last + 1,
    isLearner,
    recentActive: false,
    maxInflightMsgs: raft.tracker.maxInflightMsgs,
    maxInflightBytes: raft.tracker.maxInflightBytes,
  });
}
