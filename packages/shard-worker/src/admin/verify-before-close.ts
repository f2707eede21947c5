/**
 * Before its index is closed a copy has everything and is durable: the state that closes it says `verified_before_close`, and a copy
 * of a closed index replays no operation. Source: `TransportVerifyShardBeforeCloseAction`, `ReadOnlyEngine`.
 */
import { isClosingBlock } from "@orrery/cluster-state";
import { OperationError, type JsonObject, type Problem } from "@orrery/stdx";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guardedAsync } from "../engine/failure.ts";
import { flush } from "../engine/flush.ts";
import { closeBatch } from "../engine/operations.ts";

/** The caller has blocked all permits. The first phase lets the global checkpoint rise to the highest number, the second one asks for it. */
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
