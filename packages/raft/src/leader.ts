/** What a leader does with each kind of message, and how it learns what the others have. */
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

/** Steps down unless a quorum was heard from since the last call. */
export function checkQuorum(raft: Raft): void {
  if (!isQuorumActive(raft.tracker)) {
    raft.logger?.warning(`${hex(raft.id)} stepped down to follower since quorum is not active`);
    becomeFollower(raft, raft.term, none);
  }
  for (const [id, progress] of raft.tracker.progress) {
    if (id !== raft.id) progress.recentActive = false;
  }
}

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
      // With optimistic pipelining it is likely that an append was lost.
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

function appendRejected(raft: Raft, message: Message, progress: Progress): void {
  const { from, index, rejectHint, logTerm } = message;
  raft.logger?.debug(
    `${hex(raft.id)} received MsgAppResp(rejected, hint: (index ${rejectHint}, term ${logTerm})) ` +
      `from ${hex(from)} for index ${index}`,
  );
  // Both sides skip whole terms at once, so finding where the logs agree takes a number of probes that grows with the
  // terms in conflict, not with the entries.
  const hint = logTerm > 0 ? findConflictByTerm(raft.log, rejectHint, logTerm).index : rejectHint;
  if (!maybeDecreaseTo(progress, index, hint)) return;
  raft.logger?.debug(
    `${hex(raft.id)} decreased progress of ${hex(from)} to [${describeProgress(progress)}]`,
  );
  if (progress.state === "StateReplicate") becomeProbe(progress);
  sendAppend(raft, from);
}

function appendAcknowledged(raft: Raft, { from, index }: Message, progress: Progress): void {
  // An acknowledgement without news still shows a probed node, say after a loss report, to be caught up.
  const isProbeAnswered = progress.match === index && progress.state === "StateProbe";
  if (!maybeUpdate(progress, index) && !isProbeAnswered) return;
  advanceState(raft, from, index, progress);

  if (maybeCommit(raft)) {
    releasePendingReads(raft);
    broadcastAppend(raft);
  } else if (from !== raft.id && canBumpCommit(progress, raft.log.committed)) {
    sendAppend(raft, from);
  }
  // The acknowledgement may have made room for several messages.
  if (from !== raft.id) while (maybeSendAppend(raft, from, "if-any"));
  continueTransfer(raft, from, progress);
}

function advanceState(raft: Raft, from: number, index: number, progress: Progress): void {
  switch (progress.state) {
    case "StateProbe":
      becomeReplicate(progress);
      return;
    case "StateReplicate":
      freeInflightsTo(progress.inflights, index);
      return;
    case "StateSnapshot":
      // Whichever snapshot was applied, what matters is that the log reaches on from there.
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

function heartbeatAnswered(raft: Raft, { from, context }: Message, progress: Progress): void {
  progress.recentActive = true;
  progress.isAppendFlowPaused = false;
  // Also when nothing is missing but the node is probed: the answer to an empty append ends the probing.
  if (progress.match < lastIndex(raft.log) || progress.state === "StateProbe") {
    sendAppend(raft, from);
  }
  if (raft.settings.readOnlyOption !== "safe" || context === undefined) return;
  if (context.length > 0) confirmReads(raft, from, context);
}

function snapshotReported(raft: Raft, { from, reject }: Message, progress: Progress): void {
  if (progress.state !== "StateSnapshot") return;
  // A failed snapshot must be forgotten first, or probing would start after what it contained.
  if (reject) progress.pendingSnapshot = 0;
  becomeProbe(progress);
  raft.logger?.debug(
    `${hex(raft.id)} snapshot ${reject ? "failed" : "succeeded"}, resumed sending replication messages to ` +
      `${hex(from)} [${describeProgress(progress)}]`,
  );
  // Finished: the node's own acknowledgement follows. Failed: wait for a heartbeat before the next try.
  progress.isAppendFlowPaused = true;
}
