/**
 * Serves operations of a leader shard from its primary, up to the global checkpoint: a follower never receives an
 * operation that a later primary could roll back. Without new operations the response is delayed (long polling).
 * Source: `TransportGetChangesAction`.
 */
import type { HandlerContext } from "@orrery/ports";
import {
  encodeOperations,
  engineOf,
  guarded,
  historyFrom,
  illegalState,
  readHistory,
  shardName,
  type ShardCopy,
} from "@orrery/shard-worker";
import { emptyBytes, OperationError } from "@orrery/stdx";
import { countersOf } from "./counters.ts";
import { ChangesRequest, ChangesResponse } from "../messages.ts";

/** Limit of a response in bytes, whatever the number of operations requested; exceeded by at most one operation. */
const ANSWER_BYTES = 8 * 1024 * 1024;

/**
 * Returns operations from `fromSeqNo` on. Rejects with `resource_not_found_exception` when the history before them
 * has been trimmed, that is, the lease was missing.
 */
export async function serveChanges(
  copy: ShardCopy,
  payload: Uint8Array,
  context: HandlerContext,
): Promise<Uint8Array> {
  const { fromSeqNo, toSeqNo, waitMs } = ChangesRequest.decode(payload);
  const counters = countersOf(copy);
  // A long poll counts as reading, even if it returns no operation.
  counters.lastReadAtMs = copy.worker.clock.nowMs();
  await awaitGlobalCheckpoint(copy, fromSeqNo, waitMs, context);
  const engine = engineOf(copy);
  if (copy.tracker.mode !== "primary") throw new OperationError(illegalState(copy));
  const { globalCheckpoint } = copy.tracker;
  const { historyUuid } = engine;
  const { primaryTerm } = copy;
  const { maxSeqNo } = engine.tracker;
  if (globalCheckpoint < fromSeqNo) {
    const lastSeqNo = fromSeqNo - 1;
    const nothing = { operations: emptyBytes, count: 0, lastSeqNo };
    const at = { globalCheckpoint, historyUuid, maxSeqNo, primaryTerm };
    return ChangesResponse.encode({ ...nothing, ...at }).finish();
  }
  const startedMs = copy.worker.clock.monotonicMs();
  const to = Math.min(toSeqNo, globalCheckpoint);
  const operations = guarded(engine, () =>
    historyFrom(engine) > fromSeqNo ? undefined : readHistory(engine, fromSeqNo, to, ANSWER_BYTES),
  );
  if (operations?.length === 0 || operations?.[0]?.seqNo !== fromSeqNo) {
    throw new OperationError({
      type: "resource_not_found_exception",
      reason: `${shardName(copy)} not all operations between from_seqno [${fromSeqNo}] and to_seqno [${to}] found`,
      status: 404,
    });
  }
  const records = encodeOperations(operations);
  counters.operationsRead += operations.length;
  counters.bytesRead += records.length;
  counters.readMs += copy.worker.clock.monotonicMs() - startedMs;
  return ChangesResponse.encode({
    operations: records,
    count: operations.length,
    lastSeqNo: operations.at(-1)?.seqNo ?? fromSeqNo - 1,
    globalCheckpoint,
    historyUuid,
    maxSeqNo,
    primaryTerm,
  }).finish();
}

/**
 * Waits until the global checkpoint reaches `seqNo`; ends earlier at the timeout, on cancellation, or when the copy
 * is no longer a started primary.
 */
async function awaitGlobalCheckpoint(
  copy: ShardCopy,
  seqNo: number,
  waitMs: number,
  { cancellation }: HandlerContext,
): Promise<void> {
  let isOver = false;
  let wake = (): void => undefined;
  const end = (): void => {
    isOver = true;
    wake();
  };
  const cancelTimer = copy.worker.clock.setTimer(waitMs, end);
  const forget = cancellation.onCancel(end);
  while (!isOver && copy.state === "STARTED" && copy.tracker.mode === "primary") {
    if (copy.tracker.globalCheckpoint >= seqNo) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
      copy.inSyncWaiters.push(resolve);
    });
  }
  cancelTimer();
  forget();
  copy.inSyncWaiters = copy.inSyncWaiters.filter((waiter) => waiter !== wake);
}
