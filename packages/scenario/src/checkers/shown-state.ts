/** Cluster state that a node exposes once it has applied the version of its event: the event precedes the exposure. */
import type { ClusterView, World } from "../world.ts";

export async function shownState(world: World, node: string): Promise<ClusterView | undefined> {
  // A microtask later the node has finished applying.
  await Promise.resolve();
  return world.view(node);
}
