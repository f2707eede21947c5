/** Faults that cut several links at once. */
import type { World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { combined } from "./rule-faults.ts";

/** Nodes of this cluster; of the first one if `undefined`. */
export function membersOf(world: World, cluster: string | undefined): readonly string[] {
  return world.nodes(cluster ?? world.clusterOf(world.nodes()[0] ?? ""));
}

/** Nodes in an order drawn from the seed. */
export function shuffled(world: World, nodes: readonly string[]): readonly string[] {
  return world.random(`shuffle-${world.nowMs()}`).shuffle(nodes);
}

/** Cuts all links between the two groups of each pair, in both directions. */
export async function cutPairs(
  world: World,
  targets: readonly string[],
  pairs: readonly (readonly [readonly string[], readonly string[]])[],
): Promise<Injected> {
  const applied = await Promise.all(
    pairs.map(([from, to]) => world.applyRule({ kind: "cut", links: { from, to, both: true } })),
  );
  return combined(targets, applied);
}
