/**
 * The leader's half of replication: appends, snapshots and heartbeats that keep the followers' logs equal to its own
 * (paper, section 5.3; `maybeSendAppend`, `bcastHeartbeat`, `appendEntry` of etcd-io/raft).
 *
 * INV-LOG-1: every append names the position of the entry before its first, and a follower accepts it only where that
 * matches.
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

/** Sends an append, empty if there are no new entries, unless the flow to the node is paused. */
export function sendAppend(raft: Raft, to: number): void {
  maybeSendAppend(raft, to, "even-if-empty");
}

/**
 * Sends the next append or a snapshot to a node; false when nothing was sent.
 *
 * 1. A paused flow sends nothing.
 * 2. The position before the first entry must be known; if it is compacted, a snapshot replaces all entries up to
 *    there.
 * 3. Entries follow from `next`, limited by `maxSizePerMsg` and by the window.
 * 4. `next` moves optimistically in the state Replicate, before any acknowledgement: that is the pipelining. `match`
 *    does not.
 */
export function maybeSendAppend(raft: Raft, to: number, when: "even-if-empty" | "if-any"): boolean {
  const progress = raft.tracker.progress.get(to);
  if (progress === undefined || isPaused(progress)) return false;

  const index = progress.next - 1;
  const logTerm = termAt(raft.log, index);
  // The entries that the node needs next are compacted.
  if (typeof logTerm === "string") return maybeSendSnapshot(raft, to, progress);

  // With a full window only an empty append goes out. Its answer, a rejection if messages of the window were lost,
  // reopens the window; without it replication to this node could stall.
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

/** Sends heartbeats. They repeat the newest pending read, in case the heartbeat that first carried it was lost. */
export function broadcastHeartbeat(raft: Raft): void {
  broadcastHeartbeatWith(raft, lastPendingContext(raft.readOnly));
}

export function broadcastHeartbeatWith(raft: Raft, context: Uint8Array | undefined): void {
  for (const [id, progress] of raft.tracker.progress) {
    if (id === raft.id) continue;
    // A heartbeat names no position that the follower could compare. With the leader's commit index it could commit
    // entries of its own tail that conflict with the leader's: hence at most `match` (INV-COMMIT-1).
    const commit = Math.min(progress.match, raft.log.committed);
    send(raft, { kind: "MsgHeartbeat", to: id, commit, context });
    progress.sentCommit = commit;
  }
}

/**
 * Gives proposals their term and index in the leader's log. False when they would exceed the limit of uncommitted
 * bytes; then none is appended.
 */
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
  // The leader counts its own copy only once the entries are durable: it acknowledges them to itself by a message that
  // waits for storage. Its appends to followers do not wait.
  send(raft, { kind: "MsgAppResp", to: raft.id, index });
  return true;
}

/**
 * Subtracts the payload of applied entries. The result is clamped at 0, because entries of earlier leaders were never
 * added.
 */
export function releaseUncommitted(raft: Raft, bytes: number): void {
  raft.uncommittedSize = Math.max(0, raft.uncommittedSize - bytes);
}

/**
 * Commits the highest index that a quorum stores; true when the commit index rose. `maybeCommitLog` checks that the
 * entry is of the leader's own term (paper, section 5.4.2).
 */
export function maybeCommit(raft: Raft): boolean {
  return maybeCommitLog(raft.log, { term: raft.term, index: quorumIndex(raft.tracker) });
}

function reserveUncommitted(raft: Raft, bytes: number): boolean {
  const total = raft.uncommittedSize + bytes;
  const limit = raft.settings.maxUncommittedEntriesSize;
  // A first proposal may be of any size, else a limit below its size would refuse it for ever. A proposal without payload
  // always fits: the leader's first entry and the entry that leaves a joint configuration must not be refused.
  if (raft.uncommittedSize > 0 && bytes > 0 && total > limit) return false;
  raft.uncommittedSize = total;
  return true;
}

/**
 * Sends a snapshot instead of entries. A node that does not answer gets none: snapshots are large, and its next
 * answer asks again.
 */
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
  // Pauses the flow until the node acknowledges, or its driver reports the outcome (`reportSnapshot`).
  becomeSnapshot(progress, snapshot.index);
  logger?.debug(
    `${hex(raft.id)} paused sending replication messages to ${hex(to)} [${describeProgress(progress)}]`,
  );
  send(raft, { kind: "MsgSnap", to, snapshot });
  return true;
}
