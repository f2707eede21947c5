/** Waiting until enough copies of every shard of some indices are active. Source: `ActiveShardCount`. */
import { indexSetting, isActive, type ClusterState } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";

/** `wanted`: `all`, a number, or `undefined` for each index's own setting. False when the time is up. */
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
  // Deleted meanwhile: there is nothing left to wait for.
  if (metadata === undefined) return true;
  const count = wanted ?? indexSetting(metadata, "index.write.wait_for_active_shards");
  const needed = count === "all" ? metadata.numberOfReplicas + 1 : Number(count);
  const shards = state.routingTable.get(name)?.shards ?? [];
  if (shards.length < metadata.numberOfShards) return metadata.state === "close";
  return shards.every((copies) => copies.filter(isActive).length >= needed);
}
