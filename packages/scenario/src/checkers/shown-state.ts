/** The state that a node shows once it has applied the one it tells of: an event of a version comes before the node shows it. */
import type { ClusterView, World } from "../world.ts";

export async function shownState(world: World, node: string): Promise<ClusterView | undefined> {
  // What goes on at this moment ends first.
  await Promise.resolve();
  return world.view(node);
}
