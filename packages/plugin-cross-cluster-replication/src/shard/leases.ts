/** Serves retention leases of followers on the leader's primary. */
import {
  addLeaseOnPrimary,
  removeLeaseOnPrimary,
  renewLeaseOnPrimary,
  type ShardCopy,
} from "@orrery/shard-worker";
import { emptyBytes } from "@orrery/stdx";
import { LeaseRequest } from "../messages.ts";

/** Adds a follower's retention lease on the leader's primary. */
export async function serveAddLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  await addLeaseOnPrimary(copy, LeaseRequest.decode(payload));
  return emptyBytes;
}

/** Renews a follower's retention lease. Rejects when it does not exist, or would retain more than before. */
export async function serveRenewLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { id, retainingSeqNo, source } = LeaseRequest.decode(payload);
  await renewLeaseOnPrimary(copy, { id, retainingSeqNo, source });
  return emptyBytes;
}

/** Removes a follower's retention lease. */
export async function serveRemoveLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  await removeLeaseOnPrimary(copy, LeaseRequest.decode(payload).id);
  return emptyBytes;
}
