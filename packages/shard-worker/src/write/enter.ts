/** What every message of a primary to a copy has to pass. Source: `TransportReplicationAction.AsyncReplicaAction`. */
import { ReplicaResponse, type ReplicaHeader } from "@orrery/protocol";
import { fenceReplica, learnGlobalCheckpoint, onNewTerm } from "@orrery/replication";
import { OperationError } from "@orrery/stdx";
import { blockCopy } from "../copy/block.ts";
import type { Release } from "../copy/permits.ts";
import { engineOf, shardName, type ShardCopy } from "../copy/shard-copy.ts";
import { guarded } from "../engine/failure.ts";
import { rollBack } from "../recovery/roll-back.ts";
import { mappingNewerThan } from "./mapping-update.ts";

/** Fence, mapping, term: afterwards the caller holds a permit and the primary's term is this copy's. */
export async function enter(copy: ShardCopy, header: ReplicaHeader | null): Promise<Release> {
  if (header === null) throw badHeader();
  checkFence(copy, header);
  await mappingNewerThan(copy, header.mappingVersion - 1);
  if (header.primaryTerm > copy.primaryTerm) await bumpTerm(copy, header);
  const release = copy.permits.tryAcquire() ?? (await copy.permits.acquire());
  try {
    checkFence(copy, header);
    const engine = engineOf(copy);
    // A copy that recovers may hold what another term left above its checkpoint: beyond that it would vouch for it.
    if (header.globalCheckpoint <= engine.tracker.persistedCheckpoint)
      copy.tracker = learnGlobalCheckpoint(copy.tracker, header.globalCheckpoint);
    engine.maxSeqNoOfUpdates = Math.max(engine.maxSeqNoOfUpdates, header.maxSeqNoOfUpdates);
    return release;
  } catch (error) {
    release();
    throw error;
  }
}

/** What the copy would still have after a power cut: its lease on history follows that, so that it comes back by operations. */
export function replicaAnswer(copy: ShardCopy): Uint8Array {
  const { tracker, translog } = engineOf(copy);
  const { persistedCheckpoint: localCheckpoint } = tracker;
  const { syncedGlobalCheckpoint: globalCheckpoint } = translog;
  return ReplicaResponse.encode({ localCheckpoint, globalCheckpoint }).finish();
}

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

/** Another primary speaks: what the last one sent and did not confirm is put aside first. */
async function bumpTerm(copy: ShardCopy, header: ReplicaHeader): Promise<void> {
  const { primaryTerm, globalCheckpoint } = header;
  await blockCopy(copy, async () => {
    if (primaryTerm <= copy.primaryTerm) return;
    const engine = engineOf(copy);
    // The resync begins behind the new primary's global checkpoint: what lies below it would not come again.
    copy.tracker = learnGlobalCheckpoint(copy.tracker, globalCheckpoint);
    const bump = onNewTerm({
      primaryTerm: copy.primaryTerm,
      newTerm: primaryTerm,
      globalCheckpoint: copy.tracker.globalCheckpoint,
      maxSeqNo: engine.tracker.maxSeqNo,
    });
    copy.primaryTerm = primaryTerm;
    engine.primaryTerm = primaryTerm;
    if (bump.kind === "roll-back") await rollBack(copy, bump.to, "held");
    else guarded(engine, () => engine.translog.roll(primaryTerm));
  });
}

function badHeader(): OperationError {
  const reason = "a message to a replica without its header";
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}
