/**
 * Leadership transfer: bring the target's log up to date, then tell it to campaign at once.
 *
 * Proposals are dropped meanwhile. A transfer that takes longer than an election timeout is given up.
 */
import { lastIndex } from "./log.ts";
import { none } from "./message.ts";
import type { Progress } from "./progress.ts";
import { hex, send, type Raft } from "./raft.ts";
import { sendAppend } from "./replication.ts";

/** `target` has the progress given. */
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

/** To be called when `from` acknowledged entries. */
export function continueTransfer(raft: Raft, from: number, progress: Progress): void {
  if (from !== raft.leadTransferee || !isCaughtUp(raft, progress)) return;
  raft.logger?.info(`${hex(raft.id)} sent MsgTimeoutNow to ${hex(from)} after received MsgAppResp`);
  send(raft, { kind: "MsgTimeoutNow", to: from });
}

function isCaughtUp(raft: Raft, progress: Progress): boolean {
  return progress.match === lastIndex(raft.log);
}
