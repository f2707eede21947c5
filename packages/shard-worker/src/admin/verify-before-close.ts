/**
 * The check of a copy before its index is closed (`TransportVerifyShardBeforeCloseAction`, `ReadOnlyEngine`): the
 * copy has every operation and has committed it, since the copy of a closed index replays nothing. The state that
 * closes the index says `verified_before_close`.
 */
import { isClosingBlock } from "@orrery/cluster-state";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import { closeBatch } from "../engine/operations.ts";

/**
 * Runs one phase of the check before an index closes; the caller has blocked all permits. Phase 1 syncs the translog,
 * so that the global checkpoint can rise to the highest sequence number. Phase 2 requires that the checkpoint has
 * reached this number, and flushes.
 * @throws OperationError The index has no block of a close; in phase 2 also: the global checkpoint is another number.
 */
export async function verifyBeforeClose(copy: ShardCopy, parameters: JsonObject): Promise<void> {
  const engine = engineOf(copy);
  checkBlocked(copy);
  if (parameters["phase"] === 1) {
    closeBatch(engine);
    await guardedAsync(engine, () => engine.translog.sync());
    return;
  }
  const { globalCheckpoint } = copy.tracker;
  const { maxSeqNo } = engine.tracker;
  if (globalCheckpoint !== maxSeqNo) {
    const reason = `Global checkpoint [${globalCheckpoint}] mismatches maximum sequence number [${maxSeqNo}] on index shard ${shardName(copy)}`;
    throw new OperationError(illegal(reason));
  }
  await flush(engine, { force: true, waitIfOngoing: true });
}

function checkBlocked(copy: ShardCopy): void {
  const blocks = copy.worker.state?.blocks.indices.get(copy.index) ?? [];
  if (blocks.some(isClosingBlock)) return;
  throw new OperationError(
    illegal(`Index shard ${shardName(copy)} must be blocked before closing`),
  );
}

function illegal(reason: string): Problem {
  return { type: "illegal_state_exception", reason, status: 500 };
}
