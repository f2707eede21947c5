/**
 * The follower's half of replication: appends, heartbeats and snapshots from the leader of the current term (paper,
 * section 5.3; `handleAppendEntries`, `handleHeartbeat`, `restore` of etcd-io/raft).
 *
 * INV-COMMIT-1: entries up to the commit index are never replaced, and the commit index covers only entries that are
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

/**
 * Appends a leader's entries, or rejects them with a hint.
 *
 * 1. An append that begins before the commit index is old or duplicated. The answer is the commit index, up to which
 *    the logs match for certain; the entries are not compared.
 * 2. If the entry before the new ones matches (INV-LOG-1), conflicting entries are replaced and the acknowledgement
 *    is the last index sent, not this log's last index: entries beyond it may be of an earlier leader.
 * 3. Otherwise the append is rejected.
 */
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
  // The hint is the last position here that could match a log with `logTerm` at `index`: positions whose term is
  // higher cannot, as terms in a log never decrease. It saves the leader from probing every entry of an uncommitted
  // tail.
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

/**
 * Moves the commit index up and returns the context, which confirms reads. The leader never sends a commit index
 * above this node's match.
 */
export function acceptHeartbeat(raft: Raft, { from, commit, context }: Message): void {
  commitTo(raft.log, commit);
  send(raft, { kind: "MsgHeartbeatResp", to: from, context });
}

/**
 * Answers with the last index if the snapshot was restored, else with the commit index: either is known to match the
 * leader's log.
 */
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

/**
 * Replaces log and membership by the snapshot. False when the snapshot brings nothing new, or is not for this node:
 * it then must not touch the log.
 *
 * 1. A snapshot at or below the commit index is old.
 * 2. A node that the snapshot's membership lacks would end up outside of its own configuration.
 * 3. If the log has an entry of that index and term, it contains everything that the snapshot does (INV-LOG-1): only
 *    the commit index moves, and the entries after the snapshot are kept.
 * 4. Otherwise the whole log is replaced, its uncommitted tail included.
 */
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
  // The log first: the progress of the new membership begins at the log's last index.
  restoreLog(log, snapshot);
  raft.restoredIndex = snapshot.index;
  restoreMembership(raft, snapshot.confState);
  logger?.info(`${endLine(raft)} restored snapshot ${position}`);
  return true;
}

/** The position of the log's end, as log lines print it. */
function endLine(raft: Raft): string {
  const last = lastPosition(raft.log);
  return `${hex(raft.id)} [commit: ${raft.log.committed}, lastindex: ${last.index}, lastterm: ${last.term}]`;
}

/** Whether the node is a member. Staged learners are outgoing voters, so three lists suffice. */
function contains(state: ConfState, id: number): boolean {
  return [state.voters, state.learners, state.votersOutgoing].some((ids) => ids.includes(id));
}

function describeForLog(state: ConfState): string {
  const lists = [state.voters, state.learners, state.votersOutgoing, state.learnersNext];
  return `{${lists.map((ids) => `[${ids.join(" ")}]`).join(" ")} ${state.autoLeave}}`;
}
