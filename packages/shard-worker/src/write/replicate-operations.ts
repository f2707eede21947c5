/** Operations that were not a client's bulk, from a primary to its replicas, and made durable on both. */
import { actions, ReplicaOperationsRequest } from "@orrery/protocol";
import { engineOf, type ShardCopy } from "../copy/shard-copy.ts";
import { keepOnPrimary } from "./after-write.ts";
import { replicate } from "./replicate.ts";

/** The primary has applied them. Ends when every in-sync copy has them, as a write does. */
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
  await Promise.all([replicating, keepOnPrimary(copy, engine)]);
}
