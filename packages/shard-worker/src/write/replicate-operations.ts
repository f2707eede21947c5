/** Operations of a primary that come from another cluster instead of a client's bulk. */
import { actions, ReplicaOperationsRequest } from "@orrery/protocol";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { persistOnPrimary } from "./after-write.ts";
import { replicate } from "./replicate.ts";

/**
 * Replicates operations that the primary has applied; resolves when every in-sync copy has them, and they are durable
 * here, as for a write.
 */
export async function replicateOperations(copy: ShardCopy, operations: Uint8Array): Promise<void> {
  const engine = engineOf(copy);
  const replicating = replicate(copy, {
    action: actions.replicaOperations,
    mustReachAll: true,
    encode: (header) =>
      ReplicaOperationsRequest.encode({
        header,
        operations,
        refresh: "false",
        trimAboveSeqNo: -2,
        isResync: false,
        maxUnsafeAutoIdMs: engine.maxUnsafeAutoIdMs,
      }).finish(),
  });
  await Promise.all([replicating, persistOnPrimary(copy, engine)]);
}
