/** Reports copies that were lost with a shard worker to the elected cluster manager. */
import type { ClusterState } from "@orrery/cluster-state";
import type { Host, Transport } from "@orrery/ports";
import { actions, ShardFailedRequest } from "@orrery/protocol";
import { OperationError } from "@orrery/stdx";
import type { LostCopy } from "./shard-pool.ts";

/**
 * Reports copies that were lost with a worker; resolves when each report has succeeded or failed, and at once while no
 * cluster manager is known. A copy that was not reported is reported by the next worker, which finds it missing.
 */
export async function reportLostCopies(
  { host, transport, state }: { host: Host; transport: Transport; state: ClusterState },
  lost: readonly LostCopy[],
  reason: string,
): Promise<void> {
  const to = state.managerNodeId;
  if (to === undefined) return;
  await Promise.all(
    lost.map((copy) => {
      const payload = ShardFailedRequest.encode({
        ...copy,
        primaryTerm: 0,
        markAsStale: false,
        message: `shard worker ended: ${reason}`,
      }).finish();
      return transport.request(to, actions.shardFailed, payload).catch(logProblem(host));
    }),
  );
}

function logProblem(host: Host): (error: unknown) => undefined {
  return (error) => {
    if (!(error instanceof OperationError)) throw error;
    host.log("warn", error.message);
  };
}
