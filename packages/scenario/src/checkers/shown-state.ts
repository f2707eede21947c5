/** Cluster state that a node exposes once it has applied the version of its event: the event precedes the exposure. */
import type { ClusterView, World } from "../world.ts";

/** State that the node exposes after the current event; `undefined` if the node is down by then. */
export async function shownState(world: World, node: string): Promise<ClusterView | undefined> {
  // A microtask later the node has finished applying.
  await Promise.resolve();
  return world.view(node);
}
