/** Opens a follower index that a change of static settings was cut short on: nothing else closes one. */
import { indexClosedBlock } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";

export async function reopen(cluster: Cluster, index: string): Promise<void> {
  const held = cluster.state().blocks.indices.get(index) ?? [];
  // Of one that is about to be closed, too.
  if (!held.some(({ id }) => id === indexClosedBlock.id)) return;
  await cluster.submit({ kind: "open-index", indices: [index], nowMs: cluster.clock.nowMs() });
}
