/**
 * What a follower does with what a leader sends: appends, heartbeats, snapshots.
 *
 * INV-COMMIT-1: entries up to the commit index are never replaced, and the commit index only covers entries that are
 * known to match the leader's.
 */
import {
  commitTo,
  findConflictByTerm,
  lastIndex,
  lastPosition,
  matches,
  maybeAppend,
  restoreLog,
  termOrZero,
  type Position,
} from "./log.ts";
import { restoreMembership } from "./membership.ts";
import { none } from "./message.ts";
import { hex, send, type Raft } from "./raft.ts";
import { becomeFollower } from "./roles.ts";
import type { ConfState, Message, Snapshot } from "./types.ts";

export function acceptAppend(raft: Raft, message: Message): void {
  const { from, index, logTerm } = message;
  const { log } = raft;
  if (index < log.committed) {
    send(raft, { kind: "MsgAppResp", to: from, index: log.committed });
    return;
  }
  const previous: Position = { term: logTerm, index };
  const last = maybeAppend(log, previous, message.entries, message.commit);
  if (last !== undefined) {
    send(raft, { kind: "MsgAppResp", to: from, index: last });
    return;
  }
  raft.logger?.debug(
    `${hex(raft.id)} [logterm: ${termOrZero(log, index)}, index: ${index}] rejected MsgApp ` +
      `[logterm: ${logTerm}, index: ${index}] from ${hex(from)}`,
  );
  // The hint is the last position here that could match a log with this term at this index. It saves the leader from
  // probing every entry of an uncommitted tail.
  const hint = findConflictByTerm(log, Math.min(index, lastIndex(log)), logTerm);
  send(raft, {
    kind: "MsgAppResp",
    to: from,
    index,
    reject: true,
    rejectHint: hint.index,
    logTerm: hint.term,
  });
}

export function acceptHeartbeat(raft: Raft, { from, commit, context }: Message): void {
  commitTo(raft.log, commit);
  send(raft, { kind: "MsgHeartbeatResp", to: from, context });
}

export function acceptSnapshot(raft: Raft, { from, snapshot }: Message): void {
  const isRestored = snapshot !== undefined && restore(raft, snapshot);
  const position = `[index: ${snapshot?.index ?? 0}, term: ${snapshot?.term ?? 0}]`;
  raft.logger?.info(
    `${hex(raft.id)} [commit: ${raft.log.committed}] ` +
      `${isRestored ? "restored" : "ignored"} snapshot ${position}`,
  );
  const index = isRestored ? lastIndex(raft.log) : raft.log.committed;
  send(raft, { kind: "MsgAppResp", to: from, index });
}

/** False when the snapshot brings nothing, or would harm. */
function restore(raft: Raft, snapshot: Snapshot): boolean {
  const { log, logger } = raft;
  const id = hex(raft.id);
  if (snapshot.index <= log.committed) return false;
  if (raft.role !== "StateFollower") {
    logger?.warning(`${id} attempted to restore snapshot as leader; should never happen`);
    becomeFollower(raft, raft.term + 1, none);
    return false;
  }
  if (!contains(snapshot.confState, raft.id)) {
    logger?.warning(
      `${id} attempted to restore snapshot but it is not in the ConfState ` +
        `${describeForLog(snapshot.confState)}; should never happen`,
    );
    return false;
  }
  const position = `[index: ${snapshot.index}, term: ${snapshot.term}]`;
  const isInLog = matches(log, { index: snapshot.index, term: snapshot.term });
  if (isInLog) {
    logger?.info(`${endLine(raft)} fast-forwarded commit to snapshot ${position}`);
    commitTo(log, snapshot.index);
    return false;
  }
  restoreLog(log, snapshot);
  raft.restoredIndex = snapshot.index;
  restoreMembership(raft, snapshot.confState);
  logger?.info(`${endLine(raft)} restored snapshot ${position}`);
  return true;
}

function endLine(raft: Raft): string {
  const last = lastPosition(raft.log);
  return `${hex(raft.id)} [commit: ${raft.log.committed}, lastindex: ${last.index}, lastterm: ${last.term}]`;
}

/** Staged learners are outgoing voters, so three lists suffice. */
function contains(state: ConfState, id: number): boolean {
  return [state.voters, state.learners, state.votersOutgoing].some((ids) => ids.includes(id));
}

function describeForLog(state: ConfState): string {
  const lists = [state.voters, state.learners, state.votersOutgoing, state.learnersNext];
  return `{${lists.map((ids) => `[${ids.join(" ")}]`).join(" ")} ${state.autoLeave}}`;
}
