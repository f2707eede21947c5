/**
 * Linearizable reads without writing to the log.
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

export function readAsLeader(raft: Raft, request: Message): void {
  if (isSingleton(raft.tracker.configuration)) {
    answerRead(raft, request, raft.log.committed);
    return;
  }
  // Before its first commit a leader does not know what earlier leaders committed.
  if (!hasCommittedInTerm(raft)) {
    raft.pendingReads.push(request);
    return;
  }
  startRead(raft, request);
}

/** To be called when the leader's commit index moved. */
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

/** A heartbeat with this context was answered by the node. */
export function confirmReads(raft: Raft, from: number, context: Uint8Array): void {
  acknowledge(raft.readOnly, from, context);
  for (const { request, index } of releaseConfirmed(raft.readOnly, raft.tracker.configuration)) {
    answerRead(raft, request, index);
  }
}

function startRead(raft: Raft, request: Message): void {
  const index = raft.log.committed;
  if (raft.settings.readOnlyOption === "lease-based") {
    answerRead(raft, request, index);
    return;
  }
  const context = addRead(raft.readOnly, index, request);
  acknowledgeOwn(raft.readOnly, raft.id);
  broadcastHeartbeatWith(raft, context);
}

function answerRead(raft: Raft, request: Message, index: number): void {
  if (request.from === none || request.from === raft.id) {
    const requestContext = request.entries[0]?.data ?? emptyBytes;
    raft.readStates = [...raft.readStates, { index, requestContext }];
    return;
  }
  send(raft, { kind: "MsgReadIndexResp", to: request.from, index, entries: request.entries });
}

function hasCommittedInTerm(raft: Raft): boolean {
  return termOrZero(raft.log, raft.log.committed) === raft.term;
}
