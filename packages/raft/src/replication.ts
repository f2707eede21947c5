/**
 * What a leader sends to keep the others' logs equal to its own: appends, snapshots, heartbeats.
 *
 * INV-LOG-1: every append names the position of the entry before it, and is only taken where that matches.
 */
import { assert } from "@orrery/stdx";
import { payloadSizes } from "./entry-size.ts";
import { isFull } from "./inflights.ts";
import {
  append,
  entriesFrom,
  firstIndex,
  lastIndex,
  latestSnapshot,
  maybeCommit as maybeCommitLog,
  termAt,
} from "./log.ts";
import { describeProgress } from "./describe-progress.ts";
import { becomeSnapshot, isPaused, recordSentEntries, type Progress } from "./progress.ts";
import { hex, send, type Raft } from "./raft.ts";
import { lastPendingContext } from "./read-only.ts";
import { quorumIndex } from "./tracker.ts";
import type { Entry } from "./types.ts";

/** Sends an append, empty if there is nothing new, unless the node is paused. */
export function sendAppend(raft: Raft, to: number): void {
  maybeSendAppend(raft, to, "even-if-empty");
}

/** False when nothing was sent. */
export function maybeSendAppend(raft: Raft, to: number, when: "even-if-empty" | "if-any"): boolean {
  const progress = raft.tracker.progress.get(to);
  if (progress === undefined || isPaused(progress)) return false;

  const index = progress.next - 1;
  const logTerm = termAt(raft.log, index);
  // The entries the node needs are gone into a snapshot.
  if (typeof logTerm === "string") return maybeSendSnapshot(raft, to, progress);

  // With a full window only an empty append goes out. Its answer reopens the window, even if every message that
  // filled it was lost; without it replication to this node would stall.
  const isThrottled = progress.state === "StateReplicate" && isFull(progress.inflights);
  const entries = isThrottled
    ? []
    : entriesFrom(raft.log, progress.next, raft.settings.maxSizePerMsg);
  if (typeof entries !== "string" && entries.length === 0 && when === "if-any") return false;
  if (typeof entries === "string") return maybeSendSnapshot(raft, to, progress);

  const commit = raft.log.committed;
  send(raft, { kind: "MsgApp", to, index, logTerm, entries, commit });
  recordSentEntries(progress, entries.length, payloadSizes(entries));
  progress.sentCommit = commit;
  return true;
}

export function broadcastAppend(raft: Raft): void {
  for (const id of raft.tracker.progress.keys()) if (id !== raft.id) sendAppend(raft, id);
}

/** Also releases reads that wait, should the heartbeat that carried them have been lost. */
export function broadcastHeartbeat(raft: Raft): void {
  broadcastHeartbeatWith(raft, lastPendingContext(raft.readOnly));
}

export function broadcastHeartbeatWith(raft: Raft, context: Uint8Array | undefined): void {
  for (const [id, progress] of raft.tracker.progress) {
    if (id === raft.id) continue;
    // The node may not have all that is committed: it must not be told to commit what is not known to match.
    const commit = Math.min(progress.match, raft.log.committed);
    send(raft, { kind: "MsgHeartbeat", to: id, commit, context });
    progress.sentCommit = commit;
  }
}

/** Gives proposals their place in the log. False when they would exceed the limit of uncommitted bytes. */
export function appendEntries(raft: Raft, proposals: readonly Entry[]): boolean {
  const before = lastIndex(raft.log);
  if (!reserveUncommitted(raft, payloadSizes(proposals))) {
    raft.logger?.warning(
      `${hex(raft.id)} appending new entries to log would exceed uncommitted entry size limit; dropping proposal`,
    );
    return false;
  }
  const entries = proposals.map(({ kind, data }, at): Entry => ({
    kind,
    term: raft.term,
    index: before + 1 + at,
    data,
  }));
  const index = append(raft.log, entries);
  // The leader counts itself only once the entries are durable: it acknowledges them to itself by a message.
  send(raft, { kind: "MsgAppResp", to: raft.id, index });
  return true;
}

/** Entries with this much payload are no longer uncommitted. */
export function releaseUncommitted(raft: Raft, bytes: number): void {
  raft.uncommittedSize = Math.max(0, raft.uncommittedSize - bytes);
}

/** Commits what a quorum stores; true when the commit index moved. */
export function maybeCommit(raft: Raft): boolean {
  return maybeCommitLog(raft.log, { term: raft.term, index: quorumIndex(raft.tracker) });
}

function reserveUncommitted(raft: Raft, bytes: number): boolean {
  const total = raft.uncommittedSize + bytes;
  const limit = raft.settings.maxUncommittedEntriesSize;
  // A first proposal may be of any size, and one without payload always fits: the leader's first entry and
  // the entry that leaves a joint configuration must not be refused.
  if (raft.uncommittedSize > 0 && bytes > 0 && total > limit) return false;
  raft.uncommittedSize = total;
  return true;
}

function maybeSendSnapshot(raft: Raft, to: number, progress: Progress): boolean {
  const { logger, log } = raft;
  if (!progress.recentActive) {
    logger?.debug(`ignore sending snapshot to ${hex(to)} since it is not recently active`);
    return false;
  }
  const snapshot = latestSnapshot(log);
  if (snapshot === "unavailable") {
    logger?.debug(
      `${hex(raft.id)} failed to send snapshot to ${hex(to)} because snapshot is temporarily unavailable`,
    );
    return false;
  }
  assert(snapshot.index > 0, "need non-empty snapshot");
  logger?.debug(
    `${hex(raft.id)} [firstindex: ${firstIndex(log)}, commit: ${log.committed}] sent ` +
      `snapshot[index: ${snapshot.index}, term: ${snapshot.term}] to ${hex(to)} [${describeProgress(progress)}]`,
  );
  becomeSnapshot(progress, snapshot.index);
  logger?.debug(
    `${hex(raft.id)} paused sending replication messages to ${hex(to)} [${describeProgress(progress)}]`,
  );
  send(raft, { kind: "MsgSnap", to, snapshot });
  return true;
}
