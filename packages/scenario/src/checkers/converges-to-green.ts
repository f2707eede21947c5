/**
 * INV-COORD-2: once faults have ended, every node is in the cluster and every shard copy has started, within the
 * allowed time.
 */
import type { Plan } from "../plan.ts";
import type { ClusterView, World } from "../world.ts";
import { concerning, type Checker, type Violation } from "./checker.ts";

export const convergesToGreen: Checker = {
  name: "converges-to-green",
  invariant: "INV-COORD-2",
  says: "Once faults have ended, every node is in its cluster and every shard copy has started.",
  excusedBy: ["rot"],
  finish: async (world, plan) => {
    const untilMs = world.nowMs() + RELAPSE_MS;
    for (;;) {
      const missing = await firstMissing(world, plan);
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
export async function missingPart(world: World, plan: Plan): Promise<string | undefined> {
  return (await firstMissing(world, plan))?.says;
}

async function firstMissing(world: World, plan: Plan): Promise<Violation | undefined> {
  for (const { name } of plan.clusters) {
    const nodes = world.nodes(name);
    for (const node of nodes) {
      const finding = await missingAt(world, node, nodes);
      if (finding !== undefined) return finding;
    }
  }
  return undefined;
}

async function missingAt(
  world: World,
  node: string,
  nodes: readonly string[],
): Promise<Violation | undefined> {
  const view = await world.view(node);
  if (view === undefined) return concerning(`${node} does not run`, { node });
  if (view.clusterManager === undefined)
    return concerning(`${node} knows no elected cluster manager`, { node });
  if (view.nodes.length !== nodes.length) {
    const absent = nodes.filter((other) => !view.nodes.includes(other));
    return concerning(
      `${node} sees ${view.nodes.length} of ${nodes.length} nodes`,
      absent.map((one) => ({ node: one })),
    );
  }
  const missing = view.shards.find((copy) => copy.state !== "STARTED");
  if (missing) {
    const { index, shard, state } = missing;
    return concerning(`${node}: a copy of ${index}/${shard} is ${state}`, { index, shard });
  }
  const index = unrecoveredIndex(view);
  return index === undefined
    ? undefined
    : concerning(`${node} has not recovered ${index} yet`, { index });
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
