/**
 * Leadership transfer (dissertation, section 3.10): the leader brings the target's log up to date, then sends
 * MsgTimeoutNow, and the target campaigns at once.
 *
 * Proposals are dropped meanwhile, or the target might never catch up. A transfer that takes longer than an election
 * timeout is abandoned (`tickLeader`): the leader cannot know whether the target failed.
 */
import { lastIndex } from "./log.ts";
import { none } from "./message.ts";
import type { Progress } from "./progress.ts";
import { hex, send, type Raft } from "./raft.ts";
import { sendAppend } from "./replication.ts";

/**
 * Starts a transfer to `target`, whose progress is given. A learner is ignored. A second request for the same target
 * changes nothing; one for another target replaces the first, and one for this node itself only ends it.
 */
export function startTransfer(raft: Raft, target: number, progress: Progress): void {
  const { logger, term, leadTransferee } = raft;
  const id = hex(raft.id);
  const to = hex(target);
  if (progress.isLearner) {
    logger?.debug(`${id} is learner. Ignored transferring leadership`);
    return;
  }
  if (leadTransferee !== none) {
    if (leadTransferee === target) {
      logger?.info(
        `${id} [term ${term}] transfer leadership to ${to} is in progress, ignores request to same node ${to}`,
      );
      return;
    }
    raft.leadTransferee = none;
    logger?.info(
      `${id} [term ${term}] abort previous transferring leadership to ${hex(leadTransferee)}`,
    );
  }
  if (target === raft.id) {
    logger?.debug(`${id} is already leader. Ignored transferring leadership to self`);
    return;
  }
  logger?.info(`${id} [term ${term}] starts to transfer leadership to ${to}`);
  // The transfer gets a full election timeout; `tickLeader` abandons it at the end.
  raft.electionElapsed = 0;
  raft.leadTransferee = target;
  if (!isCaughtUp(raft, progress)) {
    sendAppend(raft, target);
    return;
  }
  send(raft, { kind: "MsgTimeoutNow", to: target });
  logger?.info(
    `${id} sends MsgTimeoutNow to ${to} immediately as ${to} already has up-to-date log`,
  );
}

/**
 * Sends MsgTimeoutNow if `from` is the target and now has the whole log. To be called when `from` has acknowledged
 * entries.
 */
export function continueTransfer(raft: Raft, from: number, progress: Progress): void {
  if (from !== raft.leadTransferee || !isCaughtUp(raft, progress)) return;
  raft.logger?.info(`${hex(raft.id)} sent MsgTimeoutNow to ${hex(from)} after received MsgAppResp`);
  send(raft, { kind: "MsgTimeoutNow", to: from });
}

/** Whether the node has all entries, uncommitted ones included: with fewer its vote requests might be refused. */
function isCaughtUp(raft: Raft, progress: Progress): boolean {
  return progress.match === lastIndex(raft.log);
}
