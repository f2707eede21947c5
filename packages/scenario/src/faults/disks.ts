/** Faults of disks: when they end, the disk works again and failed allocations are retried, as an operator would do. */
import type { Rule } from "@orrery/ports";
import { newClient, type NodeSelector, type World } from "../world.ts";
import type { Injected } from "./fault.ts";
import { combined } from "./rule-faults.ts";
import { targetsOf } from "./targets.ts";

/** Applies the same rules to the disk of each selected node. */
export async function applyToDisks(
  world: World,
  given: NodeSelector,
  rulesOf: (node: string) => readonly Rule[],
): Promise<Injected> {
  const nodes = await targetsOf(world, given);
  const applied = await Promise.all(nodes.flatMap(rulesOf).map((rule) => world.applyRule(rule)));
  const injected = combined(nodes, applied);
  return {
    ...injected,
    end: async () => {
      await injected.end();
      for (const cluster of new Set(nodes.map((node) => world.clusterOf(node))))
        await retryFailed(world, cluster);
    },
  };
}

/**
 * Retries allocations: the cluster does not allocate a copy again that failed too often before
 * `_cluster/reroute?retry_failed`.
 */
async function retryFailed(world: World, cluster: string): Promise<void> {
  const client = newClient("repair");
  for (const node of world.running(cluster)) {
    const answer = await world.request(client, node, {
      method: "POST",
      uri: "/_cluster/reroute?retry_failed=true",
      timeoutMs: 30_000,
    });
    if (answer?.status === 200) return;
  }
}
