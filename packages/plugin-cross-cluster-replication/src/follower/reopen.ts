/** Opens a follower index that an interrupted change of static settings has left closed: nothing else closes a follower index. */
import { indexClosedBlock } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";

/** Opens the index if it is closed. */
export async function reopen(cluster: Cluster, index: string): Promise<void> {
  const held = cluster.state().blocks.indices.get(index) ?? [];
  // The block is also present while a close is in progress.
  if (!held.some(({ id }) => id === indexClosedBlock.id)) return;
  await cluster.submit({ kind: "open-index", indices: [index], nowMs: cluster.clock.nowMs() });
}
