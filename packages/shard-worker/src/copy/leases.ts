/** Retention leases that others than copies of the shard hold. Only a primary changes them. Source: `RetentionLeaseActions`. */
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

/** Stands for the first operation that is still there. */
const RETAIN_ALL = -1;

export type WantedLease = Pick<RetentionLease, "id" | "retainingSeqNo" | "source">;

/** One that is there already, left by an earlier holder of the name, is replaced. */
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

/** Rejects with `retention_lease_not_found_exception`, or `retention_lease_invalid_retaining_seq_no_exception`. */
export async function renewLeaseOnPrimary(copy: ShardCopy, wanted: WantedLease): Promise<void> {
  const lease = stamped(copy, wanted);
  await changeLease(copy, lease, "renewed", () => renewLease(copy.leases, copy.primaryTerm, lease));
}

export async function removeLeaseOnPrimary(copy: ShardCopy, id: string): Promise<void> {
  const lease = findLease(copy.leases, id) ?? { id, retainingSeqNo: RETAIN_ALL };
  await changeLease(copy, lease, "removed", () => removeLease(copy.leases, copy.primaryTerm, id));
}

function stamped(copy: ShardCopy, lease: WantedLease): RetentionLease {
  return { ...lease, timestampMs: copy.worker.clock.nowMs() };
}

/** A renewal reaches the replicas with the next sync of the background; what comes or goes is told at once. */
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
  // A new lease holds history once it is durable: before that a crash may take it.
  if (how !== "added") traceLease(copy, lease, how);
  copy.areLeasesUnsynced = true;
  if (how === "renewed") return;
  await syncLeases(copy);
  if (how === "added") traceLease(copy, lease, how);
}

/** Leases of copies follow their checkpoints, and are not told of. */
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
