/**
 * Retention leases of holders other than the shard's copies, as of an index in another cluster that copies this one
 * (`RetentionLeaseActions`). The primary alone changes them; replicas receive them whole.
 */
import {
  addLease,
  findLease,
  removeLease,
  renewLease,
  type LeaseOutcome,
  type RetentionLease,
} from "@orrery/replication";
import { OperationError } from "@orrery/stdx";
import { historyFrom } from "../engine/history.ts";
import { syncLeases } from "../write/lease-sync.ts";
import { engineOf, illegalState, type ShardCopy } from "./shard-copy.ts";

/** A value of `retainingSeqNo` in a request: the lease retains every operation that the history still has. */
const RETAIN_ALL = -1;

/** A lease as its holder requests it. The primary adds the timestamp. */
export type WantedLease = Pick<RetentionLease, "id" | "retainingSeqNo" | "source">;

/**
 * Adds a lease; resolves when the lease is persisted here and was sent to the replicas. A `retainingSeqNo` of -1 retains
 * the whole history. A lease of the same id, which an earlier holder has left, is replaced.
 * @throws OperationError `illegal_index_shard_state_exception`: the copy is not a started primary.
 */
export async function addLeaseOnPrimary(copy: ShardCopy, wanted: WantedLease): Promise<void> {
  const { retainingSeqNo } = wanted;
  const first = historyFrom(engineOf(copy));
  const lease = stamped(copy, {
    ...wanted,
    retainingSeqNo: retainingSeqNo === RETAIN_ALL ? first : retainingSeqNo,
  });
  await changeLease(copy, lease, "added", () => {
    const { primaryTerm, leases } = copy;
    if (findLease(leases, lease.id) === undefined) return addLease(leases, primaryTerm, lease);
    const removed = removeLease(leases, primaryTerm, lease.id);
    return removed.kind === "changed" ? addLease(removed.leases, primaryTerm, lease) : removed;
  });
}

/**
 * Raises the sequence number of a lease. Replicas receive the change with the next periodic sync.
 * @throws OperationError `retention_lease_not_found_exception`; `retention_lease_invalid_retaining_seq_no_exception` for a
 *   number below the lease's; `illegal_index_shard_state_exception`: the copy is not a started primary.
 */
export async function renewLeaseOnPrimary(copy: ShardCopy, wanted: WantedLease): Promise<void> {
  const lease = stamped(copy, wanted);
  await changeLease(copy, lease, "renewed", () => renewLease(copy.leases, copy.primaryTerm, lease));
}

/**
 * Removes a lease; resolves when replicas have been sent the change.
 * @throws OperationError `retention_lease_not_found_exception`; `illegal_index_shard_state_exception`: the copy is not a
 *   started primary.
 */
export async function removeLeaseOnPrimary(copy: ShardCopy, id: string): Promise<void> {
  const lease = findLease(copy.leases, id) ?? { id, retainingSeqNo: RETAIN_ALL };
  await changeLease(copy, lease, "removed", () => removeLease(copy.leases, copy.primaryTerm, id));
}

function stamped(copy: ShardCopy, lease: WantedLease): RetentionLease {
  return { ...lease, timestampMs: copy.worker.clock.nowMs() };
}

/**
 * Applies a change under the primary's term. A renewal is synced in the background: a replica that misses it retains
 * more than it has to. An addition or removal is synced at once: its holder acts on the answer.
 */
async function changeLease(
  copy: ShardCopy,
  lease: Pick<RetentionLease, "id" | "retainingSeqNo">,
  how: "added" | "renewed" | "removed",
  make: () => LeaseOutcome,
): Promise<void> {
  if (copy.tracker.mode !== "primary" || copy.state !== "STARTED") {
    throw new OperationError(illegalState(copy));
  }
  const outcome = make();
  if (outcome.kind === "rejected") throw new OperationError(outcome.error);
  const replaced = how === "added" ? findLease(copy.leases, lease.id) : undefined;
  copy.leases = outcome.leases;
  if (replaced !== undefined) traceLease(copy, replaced, "removed");
  // INV-REPL-8 counts a lease from its trace on. A new one holds history when it is durable: a crash before that may
  // lose it.
  if (how !== "added") traceLease(copy, lease, how);
  copy.areLeasesUnsynced = true;
  if (how === "renewed") return;
  await syncLeases(copy);
  if (how === "added") traceLease(copy, lease, how);
}

/** Traces a change of a lease. Callers leave out peer leases, which follow checkpoints. */
export function traceLease(
  copy: ShardCopy,
  { id, retainingSeqNo }: Pick<RetentionLease, "id" | "retainingSeqNo">,
  change: "added" | "renewed" | "removed" | "expired",
): void {
  const { worker, index, shard, engine } = copy;
  const historyFromSeqNo = engine === undefined ? 0 : historyFrom(engine);
  const about = { nodeId: worker.nodeId, index, shard, lease: id, change };
  worker.trace({ kind: "retention-lease-changed", ...about, retainingSeqNo, historyFromSeqNo });
}
