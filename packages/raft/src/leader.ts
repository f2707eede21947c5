/**
 * Messages as a leader handles them, and how it learns how far the followers' logs match (`stepLeader` of
 * etcd-io/raft; paper, section 5.3).
 *
 * INV-COMMIT-1: a follower's `match` rises only by its own acknowledgement, which it sends when its entries are
 * durable.
 */
import { freeInflightsTo } from "./inflights.ts";
import { describeProgress } from "./describe-progress.ts";
import { findConflictByTerm, firstIndex, lastIndex } from "./log.ts";
import { none } from "./message.ts";
import {
  becomeProbe,
  becomeReplicate,
  canBumpCommit,
  maybeDecreaseTo,
  maybeUpdate,
  type Progress,
} from "./progress.ts";
import { proposeAsLeader } from "./propose.ts";
import { accepted, hex, type Raft } from "./raft.ts";
import { confirmReads, readAsLeader, releasePendingReads } from "./read-index.ts";
import {
  broadcastAppend,
  broadcastHeartbeat,
  maybeCommit,
  maybeSendAppend,
  sendAppend,
} from "./replication.ts";
import { becomeFollower } from "./roles.ts";
import { isQuorumActive } from "./tracker.ts";
import { continueTransfer, startTransfer } from "./transfer.ts";
import type { Message, StepResult } from "./types.ts";

export function stepLeader(raft: Raft, message: Message): StepResult {
  switch (message.kind) {
    case "MsgBeat":
      broadcastHeartbeat(raft);
      return accepted;
    case "MsgCheckQuorum":
      checkQuorum(raft);
      return accepted;
    case "MsgProp":
      return proposeAsLeader(raft, message.entries);
    case "MsgReadIndex":
      readAsLeader(raft, message);
      return accepted;
    case "MsgForgetLeader":
      return accepted;
    default:
      stepAboutNode(raft, message);
      return accepted;
  }
}

/**
 * Steps down unless a quorum was heard from since the last call. A leader that is cut off would otherwise go on
 * accepting proposals that it cannot commit (dissertation, section 6.2). The marks are cleared after the check, for
 * the next period.
 */
export function checkQuorum(raft: Raft): void {
  if (!isQuorumActive(raft.tracker)) {
    raft.logger?.warning(`${hex(raft.id)} stepped down to follower since quorum is not active`);
    becomeFollower(raft, raft.term, none);
  }
  for (const [id, progress] of raft.tracker.progress) {
    if (id !== raft.id) progress.recentActive = false;
  }
}

/**
 * Steps a message that is about one node: its acknowledgement, or a report of the driver about it. Nodes without
 * progress have been removed.
 */
function stepAboutNode(raft: Raft, message: Message): void {
  const progress = raft.tracker.progress.get(message.from);
  if (progress === undefined) {
    raft.logger?.debug(`${hex(raft.id)} no progress available for ${hex(message.from)}`);
    return;
  }
  switch (message.kind) {
    case "MsgAppResp":
      progress.recentActive = true;
      if (message.reject) appendRejected(raft, message, progress);
      else appendAcknowledged(raft, message, progress);
      return;
    case "MsgHeartbeatResp":
      heartbeatAnswered(raft, message, progress);
      return;
    case "MsgSnapStatus":
      snapshotReported(raft, message, progress);
      return;
    case "MsgUnreachable":
      // Of pipelined appends one is probably lost, and probing finds the end of the follower's log again. The other
      // states do not pipeline: a lost probe is repeated after the next heartbeat, and snapshots have reports of their own.
      if (progress.state === "StateReplicate") becomeProbe(progress);
      raft.logger?.debug(
        `${hex(raft.id)} failed to send message to ${hex(message.from)} because it is unreachable ` +
          `[${describeProgress(progress)}]`,
      );
      return;
    case "MsgTransferLeader":
      startTransfer(raft, message.from, progress);
      return;
    default:
  }
}

/**
 * Moves `next` of a follower back after a rejected append, and probes again (paper, section 5.3, with the
 * optimization by terms at its end).
 */
function appendRejected(raft: Raft, message: Message, progress: Progress): void {
  const { from, index, rejectHint, logTerm } = message;
  raft.logger?.debug(
    `${hex(raft.id)} received MsgAppResp(rejected, hint: (index ${rejectHint}, term ${logTerm})) ` +
      `from ${hex(from)} for index ${index}`,
  );
  // Both sides skip whole terms at once: the follower down to a term that the leader's log could have, here the leader
  // down to a term that the follower's could have. The number of probes grows with the terms in conflict, not with the
  // entries.
  const hint = logTerm > 0 ? findConflictByTerm(raft.log, rejectHint, logTerm).index : rejectHint;
  if (!maybeDecreaseTo(progress, index, hint)) return;
  raft.logger?.debug(
    `${hex(raft.id)} decreased progress of ${hex(from)} to [${describeProgress(progress)}]`,
  );
  if (progress.state === "StateReplicate") becomeProbe(progress);
  sendAppend(raft, from);
}

/**
 * Records an acknowledgement, in this order:
 *
 * 1. `match` rises, and the state of replication follows from it.
 * 2. The commit index may rise. If it does, all followers are sent it; else only this one, if it may not have received it.
 * 3. Entries for which the acknowledgement made room in the window are sent.
 * 4. A leadership transfer to this follower may proceed.
 *
 * Commitment comes before further appends, so that these carry the new commit index.
 */
function appendAcknowledged(raft: Raft, { from, index }: Message, progress: Progress): void {
  // After a loss report a follower may be probed although its log is complete: an acknowledgement that does not raise
  // `match` then ends the probing.
  const isProbeAnswered = progress.match === index && progress.state === "StateProbe";
  if (!maybeUpdate(progress, index) && !isProbeAnswered) return;
  advanceState(raft, from, index, progress);

  if (maybeCommit(raft)) {
    releasePendingReads(raft);
    broadcastAppend(raft);
  } else if (from !== raft.id && canBumpCommit(progress, raft.log.committed)) {
    sendAppend(raft, from);
  }
  // One acknowledgement may cover several messages, so there may be room for several.
  if (from !== raft.id) while (maybeSendAppend(raft, from, "if-any"));
  continueTransfer(raft, from, progress);
}

/** The state of replication after an acknowledgement up to `index`: see `progress.ts`. */
function advanceState(raft: Raft, from: number, index: number, progress: Progress): void {
  switch (progress.state) {
    case "StateProbe":
      becomeReplicate(progress);
      return;
    case "StateReplicate":
      freeInflightsTo(progress.inflights, index);
      return;
    case "StateSnapshot":
      // The follower may have restored another snapshot than the one sent. Replication can resume if the leader's log
      // still has the entry after `match`; otherwise the follower needs a newer snapshot, and waits.
      if (progress.match + 1 < firstIndex(raft.log)) return;
      raft.logger?.debug(
        `${hex(raft.id)} recovered from needing snapshot, resumed sending replication messages to ` +
          `${hex(from)} [${describeProgress(progress)}]`,
      );
      becomeProbe(progress);
      becomeReplicate(progress);
      return;
    default:
      progress.state satisfies never;
  }
}

/**
 * Reopens the flow to a follower that answers: after lost messages this is what restarts replication, at most once a
 * heartbeat interval.
 */
function heartbeatAnswered(raft: Raft, { from, context }: Message, progress: Progress): void {
  progress.recentActive = true;
  progress.isAppendFlowPaused = false;
  // A probed follower is sent an append even if nothing is missing: its acknowledgement ends the probing.
  if (progress.match < lastIndex(raft.log) || progress.state === "StateProbe") {
    sendAppend(raft, from);
  }
  if (raft.settings.readOnlyOption !== "safe" || context === undefined) return;
  if (context.length > 0) confirmReads(raft, from, context);
}

/** Probes a follower after a snapshot, from behind it if it was delivered. */
function snapshotReported(raft: Raft, { from, reject }: Message, progress: Progress): void {
  if (progress.state !== "StateSnapshot") return;
  // Cleared before `becomeProbe`, which would else start probing after the contents of a snapshot that never arrived.
  if (reject) progress.pendingSnapshot = 0;
  becomeProbe(progress);
  raft.logger?.debug(
    `${hex(raft.id)} snapshot ${reject ? "failed" : "succeeded"}, resumed sending replication messages to ` +
      `${hex(from)} [${describeProgress(progress)}]`,
  );
  // Delivered: the follower's own MsgAppResp follows and reopens the flow. Failed: the next heartbeat's answer does,
  // so that a node that cannot take the snapshot is not sent one after the other.
  progress.isAppendFlowPaused = true;
}
