/**
 * INV-COORD-2: once faults have ended, every node is in the cluster and every shard copy has started, within the
 * allowed time.
 */
import type { Plan } from "../plan.ts";
import type { ClusterView, World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";

export const convergesToGreen: Checker = {
  name: "converges-to-green",
  invariant: "INV-COORD-2",
  says: "Once faults have ended, every node is in its cluster and every shard copy has started.",
  excusedBy: ["rot"],
  finish: async (world, plan) => {
    const untilMs = world.nowMs() + RELAPSE_MS;
    for (;;) {
      const missing = await missingPart(world, plan);
      if (missing === undefined || world.nowMs() >= untilMs) return missing;
      await world.sleep(LOOK_EVERY_MS);
    }
  },
};

/**
 * Time for a node to come back that leaves a complete cluster once more: one end of a connection may detect only late
 * that the other end is gone.
 */
const RELAPSE_MS = 30_000;
const LOOK_EVERY_MS = 500;

/** First reason why the clusters are not complete and green, as their nodes see it; `undefined` if they are. */
export async function missingPart(world: World, plan: Plan): Promise<Finding> {
  for (const { name } of plan.clusters) {
    const nodes = world.nodes(name);
    for (const node of nodes) {
      const finding = await missingAt(world, node, nodes);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

async function missingAt(world: World, node: string, nodes: readonly string[]): Promise<Finding> {
  const view = await world.view(node);
  if (view === undefined) return `${node} does not run`;
  if (view.clusterManager === undefined) return `${node} knows no elected cluster manager`;
  if (view.nodes.length !== nodes.length)
    return `${node} sees ${view.nodes.length} of ${nodes.length} nodes`;
  const missing = view.shards.find((copy) => copy.state !== "STARTED");
  if (missing) return `${node}: a copy of ${missing.index}/${missing.shard} is ${missing.state}`;
  const unrecovered = unrecoveredIndex(view);
  return unrecovered && `${node} has not recovered ${unrecovered} yet`;
}

/**
 * First open index (or `only`, if it is one) that is in the metadata but not in the routing table: after a full restart
 * indices are known before the copies of their shards.
 */
export function unrecoveredIndex(
  { indices, shards }: ClusterView,
  only?: string,
): string | undefined {
  const routed = new Set(shards.map(({ index }) => index));
  for (const [index, { state }] of indices)
    if (state === "open" && !routed.has(index) && (only ?? index) === index) return index;
  return undefined;
}
