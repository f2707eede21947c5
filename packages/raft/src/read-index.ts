/**
 * Linearizable reads without an entry in the log (ReadIndex: dissertation, section 6.4).
 *
 * INV-READ-1: a read is answered with an index no smaller than the commit index of any leader at the time the read
 * arrived. Safe mode proves leadership by a round of heartbeats; lease mode trusts check-quorum and clocks.
 */
import { assert, emptyBytes } from "@orrery/stdx";
import { termOrZero } from "./log.ts";
import { none } from "./message.ts";
import { send, type Raft } from "./raft.ts";
import { acknowledge, acknowledgeOwn, addRead, releaseConfirmed } from "./read-only.ts";
import { broadcastHeartbeatWith } from "./replication.ts";
import { isSingleton } from "./tracker.ts";
import type { Message } from "./types.ts";

/**
 * Handles a read at the leader, its own or a forwarded one:
 *
 * 1. A single voter has no rival: its commit index is the read index.
 * 2. Before the first commit of its term a leader's commit index may be behind that of an earlier leader: the read
 *    waits.
 * 3. Otherwise the read index is the commit index at this moment, returned once leadership is confirmed.
 */
export function readAsLeader(raft: Raft, request: Message): void {
  if (isSingleton(raft.tracker.configuration)) {
    answerRead(raft, request, raft.log.committed);
    return;
  }
  // The leader has all committed entries in its log, but learns which of them are committed only with its first entry.
  if (!hasCommittedInTerm(raft)) {
    raft.pendingReads.push(request);
    return;
  }
  startRead(raft, request);
}

/**
 * Starts the reads that waited for the first commit of the term. To be called when the leader's commit index has
 * risen.
 */
export function releasePendingReads(raft: Raft): void {
  if (raft.pendingReads.length === 0) return;
  assert(
    hasCommittedInTerm(raft),
    "pending reads are released before the first commit in the term",
  );
  const requests = raft.pendingReads;
  raft.pendingReads = [];
  for (const request of requests) startRead(raft, request);
}

/**
 * Records that a node answered a heartbeat with this context, and answers the reads that a quorum has now confirmed.
 */
export function confirmReads(raft: Raft, from: number, context: Uint8Array): void {
  acknowledge(raft.readOnly, from, context);
  for (const { request, index } of releaseConfirmed(raft.readOnly, raft.tracker.configuration)) {
    answerRead(raft, request, index);
  }
}

function startRead(raft: Raft, request: Message): void {
  // The index is taken before the round of heartbeats: a quorum of answers to it then proves that no later leader had
  // committed more when the index was taken.
  const index = raft.log.committed;
  if (raft.settings.readOnlyOption === "lease-based") {
    answerRead(raft, request, index);
    return;
  }
  const context = addRead(raft.readOnly, index, request);
  acknowledgeOwn(raft.readOnly, raft.id);
  broadcastHeartbeatWith(raft, context);
}

/** Returns the read index to this node's driver, or to the node that forwarded the read. */
function answerRead(raft: Raft, request: Message, index: number): void {
  if (request.from === none || request.from === raft.id) {
    const requestContext = request.entries[0]?.data ?? emptyBytes;
    raft.readStates = [...raft.readStates, { index, requestContext }];
    return;
  }
  send(raft, { kind: "MsgReadIndexResp", to: request.from, index, entries: request.entries });
}

/** Whether the entry at the commit index is of the leader's own term. */
function hasCommittedInTerm(raft: Raft): boolean {
  return termOrZero(raft.log, raft.log.committed) === raft.term;
}
