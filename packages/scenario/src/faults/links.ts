/** Cuts of several links at once, as one fault. */
import type { World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { all } from "./harms.ts";

/** Nodes of this cluster; of the first one when it is not said. */
export function membersOf(world: World, cluster: string | undefined): readonly string[] {
  return world.nodes(cluster ?? world.clusterOf(world.nodes()[0] ?? ""));
}

/** In an order that the seed draws. */
export function shuffled(world: World, nodes: readonly string[]): readonly string[] {
  return world.random(`shuffle-${world.nowMs()}`).shuffle(nodes);
}

/** Cuts each of these pairs of groups, both ways. */
export async function cutPairs(
  world: World,
  targets: readonly string[],
  pairs: readonly (readonly [readonly string[], readonly string[]])[],
): Promise<Injected> {
  const harms = await Promise.all(
    pairs.map(([from, to]) => world.harm({ kind: "cut", links: { from, to, both: true } })),
  );
  return all(targets, harms);
}
