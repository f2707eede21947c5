/**
 * The active configuration, the progress of each of its nodes, and the votes of the current election
 * (`tracker/tracker.go` of etcd-io/raft).
 *
 * Progress iterates in ascending order of ids: it decides the order of messages, which transcripts fix.
 */
import { committedIndex, ascending, voteResult, type VoteResult } from "./quorum.ts";
import type { Progress } from "./progress.ts";
import type { Configuration, ConfState } from "./types.ts";

/** Progress by node id, ascending. */
export type ProgressMap = ReadonlyMap<number, Progress>;

/**
 * The configuration, progress and votes of one Raft, which owns them. Configuration and progress are replaced together
 * when a change is applied.
 */
export interface Tracker {
  configuration: Configuration;
  progress: ProgressMap;
  /** Answers to this node's own campaign, by voter; true is a grant. */
  votes: Map<number, boolean>;
  readonly maxInflightMsgs: number;
  readonly maxInflightBytes: number;
}

const noIds: ReadonlySet<number> = new Set();

export const emptyConfiguration: Configuration = {
  incoming: noIds,
  outgoing: noIds,
  learners: noIds,
  learnersNext: noIds,
  autoLeave: false,
};

export function createTracker(maxInflightMsgs: number, maxInflightBytes: number): Tracker {
  return {
    configuration: emptyConfiguration,
    progress: new Map(),
    votes: new Map(),
    maxInflightMsgs,
    maxInflightBytes,
  };
}

export function isJoint(configuration: Configuration): boolean {
  return configuration.outgoing.size > 0;
}

/** Whether the node votes in either half. */
export function isVoter(configuration: Configuration, id: number): boolean {
  return configuration.incoming.has(id) || configuration.outgoing.has(id);
}

/** Whether one node decides alone: one voter, and not joint. */
export function isSingleton(configuration: Configuration): boolean {
  return configuration.incoming.size === 1 && !isJoint(configuration);
}

/** The configuration as snapshots store it. */
export function confStateOf(configuration: Configuration): ConfState {
  return {
    voters: ascending(configuration.incoming),
    learners: ascending(configuration.learners),
    votersOutgoing: ascending(configuration.outgoing),
    learnersNext: ascending(configuration.learnersNext),
    autoLeave: configuration.autoLeave,
  };
}

/** The largest index that a quorum of voters is known to store: paper, section 5.3, the rule for `commitIndex`. */
export function quorumIndex(tracker: Tracker): number {
  return committedIndex(tracker.configuration, (id) => tracker.progress.get(id)?.match);
}

/** Whether a quorum has answered since the last quorum check. The leader's own progress counts as active. */
export function isQuorumActive(tracker: Tracker): boolean {
  const active = new Map<number, boolean>();
  for (const [id, progress] of tracker.progress) {
    if (!progress.isLearner) active.set(id, progress.recentActive);
  }
  return voteResult(tracker.configuration, active) === "VoteWon";
}

/** Records an answer to this node's campaign. Only the first one of each node counts: messages may be duplicated. */
export function recordVote(tracker: Tracker, id: number, granted: boolean): void {
  if (!tracker.votes.has(id)) tracker.votes.set(id, granted);
}

/** The state of a campaign. The counts are for log lines; `result` decides. */
export interface Tally {
  readonly granted: number;
  readonly rejected: number;
  readonly result: VoteResult;
}

export function tallyVotes(tracker: Tracker): Tally {
  let granted = 0;
  let rejected = 0;
  for (const [id, progress] of tracker.progress) {
    const vote = progress.isLearner ? undefined : tracker.votes.get(id);
    if (vote === undefined) continue;
    if (vote) granted += 1;
    else rejected += 1;
  }
  return { granted, rejected, result: voteResult(tracker.configuration, tracker.votes) };
}
