/**
 * A leader's view of one node, and how it paces what it sends there.
 *
 * Probe sends one message and waits; Replicate pipelines within the inflight window; Snapshot sends
 * nothing until the node has caught up far enough. Invariant: 0 <= match < next.
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

export interface Progress {
  /** The log is known to match the leader's up to here. */
  match: number;
  /** The next entry to send. In Replicate, all in [match + 1, next) is in flight. */
  next: number;
  /** The highest commit index in flight to the node; less after a rejection or a probe. */
  sentCommit: number;
  state: ProgressState;
  /** In Snapshot, the index of the snapshot sent; a hint, for the node may apply another one. */
  pendingSnapshot: number;
  /** Heard from since the last check-quorum round. */
  recentActive: boolean;
  isAppendFlowPaused: boolean;
  readonly inflights: Inflights;
  isLearner: boolean;
}

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

export function isPaused(progress: Progress): boolean {
  return progress.state === "StateSnapshot" || progress.isAppendFlowPaused;
}

export function becomeProbe(progress: Progress): void {
  // A snapshot that is known to have arrived saves probing what it contains.
  const atLeast = progress.state === "StateSnapshot" ? progress.pendingSnapshot + 1 : 0;
  enter(progress, "StateProbe");
  progress.next = Math.max(progress.match + 1, atLeast);
  progress.sentCommit = Math.min(progress.sentCommit, progress.next - 1);
}

export function becomeReplicate(progress: Progress): void {
  enter(progress, "StateReplicate");
  progress.next = progress.match + 1;
}

export function becomeSnapshot(progress: Progress, snapshotIndex: number): void {
  enter(progress, "StateSnapshot");
  progress.pendingSnapshot = snapshotIndex;
  progress.next = snapshotIndex + 1;
  progress.sentCommit = snapshotIndex;
}

/** Records that a MsgApp with this many entries and payload bytes was sent. */
export function recordSentEntries(progress: Progress, count: number, bytes: number): void {
  assert(progress.state !== "StateSnapshot", "sending append in unhandled state StateSnapshot");
  if (progress.state === "StateProbe") {
    if (count > 0) progress.isAppendFlowPaused = true;
    return;
  }
  if (count > 0) {
    progress.next += count;
    addInflight(progress.inflights, progress.next - 1, bytes);
  }
  // A message that fills the window, or was sent into a full one, is a probe: wait for its answer.
  progress.isAppendFlowPaused = isFull(progress.inflights);
}

/** Whether sending this commit index could advance the node's own, given what is already in flight. */
export function canBumpCommit(progress: Progress, commit: number): boolean {
  return commit > progress.sentCommit && progress.sentCommit < progress.next - 1;
}

/** Takes an acknowledgement; false when it brings no news. */
export function maybeUpdate(progress: Progress, index: number): boolean {
  if (index <= progress.match) return false;
  progress.match = index;
  progress.next = Math.max(progress.next, index + 1);
  progress.isAppendFlowPaused = false;
  return true;
}

/** Takes a rejection of the append at `rejected`; false when it is stale. */
export function maybeDecreaseTo(progress: Progress, rejected: number, matchHint: number): boolean {
  if (progress.state === "StateReplicate") {
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

function enter(progress: Progress, state: ProgressState): void {
  progress.isAppendFlowPaused = false;
  progress.pendingSnapshot = 0;
  progress.state = state;
  resetInflights(progress.inflights);
}
