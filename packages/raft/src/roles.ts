/**
 * Becoming follower, pre-candidate, candidate, leader: what each change of role resets.
 *
 * INV-ELECTION-1: the term never goes back, and the vote is only forgotten when the term changes.
 */
import { assert } from "@orrery/stdx";
import { lastIndex } from "./log.ts";
import { emptyProposal, none } from "./message.ts";
import { becomeReplicate, createProgress, type Progress } from "./progress.ts";
import { hex, type Raft } from "./raft.ts";
import { createReadOnly } from "./read-only.ts";
import { appendEntries } from "./replication.ts";

export function becomeFollower(raft: Raft, term: number, lead: number): void {
  reset(raft, term);
  raft.lead = lead;
  raft.role = "StateFollower";
  raft.logger?.info(`${hex(raft.id)} became follower at term ${term}`);
}

export function becomeCandidate(raft: Raft): void {
  assert(raft.role !== "StateLeader", "invalid transition [leader -> candidate]");
  reset(raft, raft.term + 1);
  raft.vote = raft.id;
  raft.role = "StateCandidate";
  raft.logger?.info(`${hex(raft.id)} became candidate at term ${raft.term}`);
}

/** Neither term nor vote change: a pre-candidate that loses has disturbed nobody. */
export function becomePreCandidate(raft: Raft): void {
  assert(raft.role !== "StateLeader", "invalid transition [leader -> pre-candidate]");
  raft.tracker.votes.clear();
  raft.lead = none;
  raft.role = "StatePreCandidate";
  raft.logger?.info(`${hex(raft.id)} became pre-candidate at term ${raft.term}`);
}

export function becomeLeader(raft: Raft): void {
  assert(raft.role !== "StateFollower", "invalid transition [follower -> leader]");
  reset(raft, raft.term);
  raft.lead = raft.id;
  raft.role = "StateLeader";
  const own = raft.tracker.progress.get(raft.id);
  assert(own !== undefined, `${hex(raft.id)} leads without being a member`);
  becomeReplicate(own);
  own.recentActive = true;
  // There may be an unapplied configuration change anywhere in the tail; assuming one costs a little delay.
  raft.pendingConfIndex = lastIndex(raft.log);
  const isAppended = appendEntries(raft, [emptyProposal]);
  assert(isAppended, "empty entry was dropped");
  raft.logger?.info(`${hex(raft.id)} became leader at term ${raft.term}`);
}

function reset(raft: Raft, term: number): void {
  assert(term >= raft.term, `term goes back from ${raft.term} to ${term}`);
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
