/**
 * The storage work of a Ready as messages to the storage targets, with the responses that these deliver when the work
 * is done (`newStorageAppendMsg`, `newStorageApplyMsg` of etcd-io/raft).
 *
 * The response to an append names the last position written and the term in which it was written. Entries count as
 * durable only if the log still has that position and the term has not changed. Otherwise an older write that
 * finishes late, after the same positions were overwritten and written again, would stand for the newer one (the ABA
 * race).
 */
import { lastPosition } from "./log.ts";
import { localAppendThread, localApplyThread, newMessage } from "./message.ts";
import type { Raft } from "./raft.ts";
import type { Entry, HardState, Message, Snapshot } from "./types.ts";

/** The parts of a Ready that the append target writes, together. */
export interface StorageWork {
  readonly entries: readonly Entry[];
  readonly hardState: HardState | undefined;
  readonly snapshot: Snapshot | undefined;
}

/**
 * The message to the append target; undefined when there is nothing to write and no message waits for earlier writes.
 */
export function storageAppend(raft: Raft, work: StorageWork): Message | undefined {
  const { entries, hardState, snapshot } = work;
  const isNeeded =
    entries.length > 0 ||
    hardState !== undefined ||
    snapshot !== undefined ||
    raft.messagesAfterAppend.length > 0;
  if (!isNeeded) return undefined;
  const response = storageAppendResponse(raft, snapshot);
  return newMessage({
    kind: "MsgStorageAppend",
    to: localAppendThread,
    from: raft.id,
    entries,
    ...hardState,
    snapshot,
    // The response comes last: a leader's acknowledgement to itself is cheapest while the entries are still unstable.
    responses:
      response === undefined ? raft.messagesAfterAppend : [...raft.messagesAfterAppend, response],
  });
}

/**
 * The response to an append; undefined without a snapshot and unstable entries. Unstable entries get a response even if
 * this Ready adds none: if an
 * earlier response is ignored because the term has changed, this one confirms the entries.
 */
export function storageAppendResponse(
  raft: Raft,
  snapshot: Snapshot | undefined,
): Message | undefined {
  const hasUnstable = raft.log.unstable.entries.length > 0;
  if (!hasUnstable && snapshot === undefined) return undefined;
  const last = hasUnstable ? lastPosition(raft.log) : { index: 0, term: 0 };
  return newMessage({
    kind: "MsgStorageAppendResp",
    to: raft.id,
    from: localAppendThread,
    term: raft.term,
    index: last.index,
    logTerm: last.term,
    snapshot,
  });
}

/** The message to the apply target; undefined when there are no entries to apply. */
export function storageApply(raft: Raft, entries: readonly Entry[]): Message | undefined {
  const response = storageApplyResponse(raft, entries);
  if (response === undefined) return undefined;
  return newMessage({
    kind: "MsgStorageApply",
    to: localApplyThread,
    from: raft.id,
    entries,
    responses: [response],
  });
}

/**
 * The response to MsgStorageApply; undefined when there are no entries. It carries no term: entries that were committed
 * and applied are so in every term.
 */
export function storageApplyResponse(raft: Raft, entries: readonly Entry[]): Message | undefined {
  if (entries.length === 0) return undefined;
  return newMessage({
    kind: "MsgStorageApplyResp",
    to: raft.id,
    from: localApplyThread,
    entries,
  });
}
