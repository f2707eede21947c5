/** Leases of followers on a leader's primary. */
import {
  addLeaseOnPrimary,
  removeLeaseOnPrimary,
  renewLeaseOnPrimary,
  type ShardCopy,
} from "@orrery/shard-worker";
import { emptyBytes } from "@orrery/stdx";
import { LeaseRequest } from "../messages.ts";

export async function serveAddLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  await addLeaseOnPrimary(copy, LeaseRequest.decode(payload));
  return emptyBytes;
}

export async function serveRenewLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  const { id, retainingSeqNo, source } = LeaseRequest.decode(payload);
  await renewLeaseOnPrimary(copy, { id, retainingSeqNo, source });
  return emptyBytes;
}

export async function serveRemoveLease(copy: ShardCopy, payload: Uint8Array): Promise<Uint8Array> {
  await removeLeaseOnPrimary(copy, LeaseRequest.decode(payload).id);
  return emptyBytes;
}
