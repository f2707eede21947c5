/**
 * The admission of a primary's message to a copy (`TransportReplicationAction.AsyncReplicaAction`,
 * `IndexShard.acquireReplicaOperationPermit`), in this order: fence, mapping, primary term, permit, and the fence
 * again, since the copy may change while the message waits.
 */
import { ReplicaResponse, type ReplicaHeader } from "@orrery/protocol";
import { fenceReplica, learnGlobalCheckpoint, onNewTerm } from "@orrery/replication";
import { OperationError } from "@orrery/stdx";
import { blockCopy } from "../copy/block.ts";
import type { Release } from "../copy/permits.ts";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { rollBack } from "../recovery/roll-back.ts";
import { mappingNewerThan } from "./mapping-update.ts";

/**
 * Acquires a permit on a replica; resolves when the copy has the message's primary term and has applied the message's
 * mapping version. The caller releases the permit.
 * @throws OperationError The message has no header, addresses another copy, or has a lower term than the copy
 *   (INV-REPL-4); or the copy is not ready, or is closed meanwhile.
 */
export async function acquireReplicaPermit(
  copy: ShardCopy,
  header: ReplicaHeader | null,
): Promise<Release> {
  if (header === null) throw badHeader();
  checkFence(copy, header);
  await mappingNewerThan(copy, header.mappingVersion - 1);
  if (header.primaryTerm > copy.primaryTerm) await bumpTerm(copy, header);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    checkFence(copy, header);
    const engine = engineOf(copy);
    // A recovering copy may hold operations of an older term above its checkpoint: a global checkpoint beyond that
    // would declare them safe.
    if (header.globalCheckpoint <= engine.tracker.persistedCheckpoint)
      copy.tracker = learnGlobalCheckpoint(copy.tracker, header.globalCheckpoint);
    // Before the message's operations are applied: it decides which of them may be appended without a look-up.
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, header.maxSeqNoOfUpdates);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Encodes the answer of a replica: its local and its global checkpoint as far as they are durable. The copy's peer
 * lease follows the latter, so that the copy can recover by operations.
 */
export function replicaAnswer(copy: ShardCopy): Uint8Array {
  const { tracker, translog } = engineOf(copy);
  const { persistedCheckpoint: localCheckpoint } = tracker;
  const { syncedGlobalCheckpoint: globalCheckpoint } = translog;
  return ReplicaResponse.encode({ localCheckpoint, globalCheckpoint }).finish();
}

/** Rejects messages to another copy, and of a lower primary term. */
function checkFence(copy: ShardCopy, header: ReplicaHeader): void {
  const { allocationId, primaryTerm, routing } = copy;
  const problem = fenceReplica(
    { isPrimary: routing.primary, allocationId, primaryTerm },
    header,
    shardName(copy),
  );
  if (problem !== undefined) throw new OperationError(problem);
  engineOf(copy);
}

/**
 * Adopts a higher primary term: the first message of a new primary. Operations above the global checkpoint are rolled
 * back before the permit is given, since the new primary may assign their numbers again (`onNewTerm`).
 */
async function bumpTerm(copy: ShardCopy, header: ReplicaHeader): Promise<void> {
  const { primaryTerm, globalCheckpoint } = header;
  await blockCopy(copy, async () => {
    // Several messages of the new term may have waited for the block.
    if (primaryTerm <= copy.primaryTerm) return;
    const engine = engineOf(copy);
    // The resync begins behind the new primary's global checkpoint: operations below it are the history, and would
    // not be sent again.
    copy.tracker = learnGlobalCheckpoint(copy.tracker, globalCheckpoint);
    const bump = onNewTerm({
      primaryTerm: copy.primaryTerm,
      newTerm: primaryTerm,
      globalCheckpoint: copy.tracker.globalCheckpoint,
      maxSeqNo: engine.tracker.maxSeqNo,
    });
    copy.primaryTerm = primaryTerm;
    engine.primaryTerm = primaryTerm;
    if (bump.kind === "roll-back") await rollBack(copy, bump.to, "kept");
    else guarded(engine, () => engine.translog.roll(primaryTerm));
  });
}

function badHeader(): OperationError {
  const reason = "a message to a replica without its header";
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}
