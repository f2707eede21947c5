/** Waits for active shard copies after an index was created or opened. Source: `ActiveShardCount`. */
import { indexSetting, isActive, type ClusterState } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";

/**
 * Waits until each shard of the indices has enough active copies; false after the timeout. `wanted`: `all`, a number,
 * or `undefined` for the setting of each index.
 */
export async function waitForActiveShards(
  cluster: Cluster,
  names: readonly string[],
  { wanted, timeoutMs }: { readonly wanted: string | undefined; readonly timeoutMs: number },
): Promise<boolean> {
  if (wanted === "0") return true;
  const { timedOut } = await cluster.stateWhen(
    (state) => names.every((name) => isEnough(state, name, wanted)),
    timeoutMs,
  );
  return !timedOut;
}

function isEnough(state: ClusterState, name: string, wanted: string | undefined): boolean {
  const metadata = state.metadata.indices.get(name);
  // A deleted index ends the wait.
  if (metadata === undefined) return true;
  const count = wanted ?? indexSetting(metadata, "index.write.wait_for_active_shards");
  const needed = count === "all" ? metadata.numberOfReplicas + 1 : Number(count);
  const shards = state.routingTable.get(name)?.shards ?? [];
  if (shards.length < metadata.numberOfShards) return metadata.state === "close";
  return shards.every((copies) => copies.filter(isActive).length >= needed);
}
