/**
 * A leader's view of one node, and the pace at which it sends entries there (`tracker/progress.go` of etcd-io/raft).
 *
 * - Probe: `next` is a guess. One append with entries is sent, then the flow pauses until an answer arrives.
 * - Replicate: `match` is known. Appends are pipelined within the inflight window, and `next` moves as they are sent.
 * - Snapshot: nothing is sent until the node has caught up with the leader's log, or the driver reports the outcome.
 *
 * Invariant: 0 <= match < next.
 */
import { assert } from "@orrery/stdx";
import {
  addInflight,
  createInflights,
  inflightCount,
  isFull,
  resetInflights,
  type Inflights,
} from "./inflights.ts";
import type { ProgressState, ProgressStatus } from "./types.ts";

/** Match and next of paper section 5.3 (`matchIndex`, `nextIndex`), and the state of the flow. */
export interface Progress {
  /** The index up to which the node's log is known to match the leader's. */
  match: number;
  /** The index of the next entry to send. In Replicate all entries in [match + 1, next) are in flight. */
  next: number;
  /**
   * The highest commit index in flight to the node; lowered when a rejection or a probe shows that appends were lost.
   */
  sentCommit: number;
  state: ProgressState;
  /** In Snapshot, the index of the snapshot sent; a hint, since the node may restore another one. Otherwise 0. */
  pendingSnapshot: number;
  /** Whether the node has answered since the last quorum check. */
  recentActive: boolean;
  /** No append is sent until an answer, or the answer to a heartbeat, clears this. */
  isAppendFlowPaused: boolean;
  /** Used in Replicate only. */
  readonly inflights: Inflights;
  isLearner: boolean;
}

/** The values of a new progress, which begins in the state Probe. */
export interface NewProgress {
  readonly match: number;
  readonly next: number;
  readonly isLearner: boolean;
  readonly recentActive: boolean;
  readonly maxInflightMsgs: number;
  readonly maxInflightBytes: number;
}

export function createProgress(fields: NewProgress): Progress {
  return {
    match: fields.match,
    next: fields.next,
    sentCommit: 0,
    state: "StateProbe",
    pendingSnapshot: 0,
    recentActive: fields.recentActive,
    isAppendFlowPaused: false,
    inflights: createInflights(fields.maxInflightMsgs, fields.maxInflightBytes),
    isLearner: fields.isLearner,
  };
}

/** Whether no append may be sent. A full window pauses the flow through `isAppendFlowPaused`. */
export function isPaused(progress: Progress): boolean {
  return progress.state === "StateSnapshot" || progress.isAppendFlowPaused;
}

/**
 * Goes back to probing, after a loss or a rejection: entries in flight are presumed lost. Probing starts after `match`, or
 * after the pending snapshot if that is later.
 */
export function becomeProbe(progress: Progress): void {
  // A delivered snapshot saves probing for its contents. `resetState` clears `pendingSnapshot`, so it is read before.
  const atLeast = progress.state === "StateSnapshot" ? progress.pendingSnapshot + 1 : 0;
  resetState(progress, "StateProbe");
  progress.next = Math.max(progress.match + 1, atLeast);
  progress.sentCommit = Math.min(progress.sentCommit, progress.next - 1);
}

/** Starts pipelining from `match`, which is known to be right. */
export function becomeReplicate(progress: Progress): void {
  resetState(progress, "StateReplicate");
  progress.next = progress.match + 1;
}

/** Pauses the flow for a snapshot; `next` presumes that it will arrive. */
export function becomeSnapshot(progress: Progress, snapshotIndex: number): void {
  resetState(progress, "StateSnapshot");
  progress.pendingSnapshot = snapshotIndex;
  progress.next = snapshotIndex + 1;
  progress.sentCommit = snapshotIndex;
}

/** Records that a MsgApp with this many entries and payload bytes was sent. */
export function recordSentEntries(progress: Progress, count: number, bytes: number): void {
  assert(progress.state !== "StateSnapshot", "sending append in unhandled state StateSnapshot");
  if (progress.state === "StateProbe") {
    // `next` stays: in Probe the position may be wrong, and the answer decides.
    if (count > 0) progress.isAppendFlowPaused = true;
    return;
  }
  if (count > 0) {
    progress.next += count;
    addInflight(progress.inflights, progress.next - 1, bytes);
  }
  // A message that fills the window, or that was sent while it was full, works as a probe: the flow waits for its answer.
  progress.isAppendFlowPaused = isFull(progress.inflights);
}

/**
 * Whether sending this commit index could raise the node's own. A node commits at most its last entry, so once `next
 * - 1` was sent as commit index, a higher one has no effect until further entries are sent.
 */
export function canBumpCommit(progress: Progress, commit: number): boolean {
  return commit > progress.sentCommit && progress.sentCommit < progress.next - 1;
}

/**
 * Records an acknowledgement up to `index`; false when `match` was there already. Late acknowledgements never lower
 * it.
 */
export function maybeUpdate(progress: Progress, index: number): boolean {
  if (index <= progress.match) return false;
  progress.match = index;
  // `next` may have moved back to probe while this acknowledgement of an earlier append was on its way.
  progress.next = Math.max(progress.next, index + 1);
  progress.isAppendFlowPaused = false;
  return true;
}

/**
 * Moves `next` back after the append at `rejected` was refused; false when that rejection is stale. `matchHint` is
 * the highest index at which the logs may match.
 */
export function maybeDecreaseTo(progress: Progress, rejected: number, matchHint: number): boolean {
  if (progress.state === "StateReplicate") {
    // An acknowledgement has overtaken this rejection.
    if (rejected <= progress.match) return false;
    progress.next = progress.match + 1;
    progress.sentCommit = Math.min(progress.sentCommit, progress.next - 1);
    return true;
  }
  // Nodes that are not replicating are probed one message at a time, so any other index is stale.
  if (progress.next - 1 !== rejected) return false;
  progress.next = Math.max(Math.min(rejected, matchHint + 1), progress.match + 1);
  progress.sentCommit = Math.min(progress.sentCommit, progress.next - 1);
  progress.isAppendFlowPaused = false;
  return true;
}

/** A copy for status reports. */
export function progressStatus(progress: Progress): ProgressStatus {
  return {
    match: progress.match,
    next: progress.next,
    state: progress.state,
    isLearner: progress.isLearner,
    isPaused: isPaused(progress),
    pendingSnapshot: progress.pendingSnapshot,
    recentActive: progress.recentActive,
    inflightCount: inflightCount(progress.inflights),
    isInflightFull: isFull(progress.inflights),
  };
}

/** All of the flow's state belongs to the state that is left. */
function resetState(progress: Progress, state: ProgressState): void {
  progress.isAppendFlowPaused = false;
  progress.pendingSnapshot = 0;
  progress.state = state;
  resetInflights(progress.inflights);
}
