/**
 * Arrangements of nodes that must answer the same requests equally: in the simulation by the number of nodes and the
 * latency of their network; in the other worlds a cluster of processes, or of nodes in one process.
 */
import { dispatch, type RestResponse } from "@orrery/rest";
import { createSimulation, type Simulation } from "@orrery/simulator";
import type { ClusterUnderTest } from "./play.ts";
import { headersOf, type Answer, type Asked } from "./request.ts";

export interface Arrangement {
  readonly name: string;
  readonly nodes: number;
  /** Additional latency of each frame. */
  readonly delayMs?: readonly [low: number, high: number];
}

/** Reference arrangement, which all others are compared with. */
export const alone: Arrangement = { name: "one node", nodes: 1 };

export const simulated: readonly Arrangement[] = [
  { name: "three nodes", nodes: 3 },
  { name: "three nodes with a slow network", nodes: 3, delayMs: [1, 40] },
  { name: "five nodes", nodes: 5 },
];

/**
 * Setting without rebalancing: a relocation ends the contexts of a copy and discards its deletes, as in the product.
 */
export const withoutBalance = { "cluster.routing.rebalance.enable": "none" } as const;

const FORMED_MS = 60_000;
const PATIENCE_MS = 90_000;

/** Opens a simulated cluster, and ends it after `use`. */
export async function withSimulated<Result>(
  { nodes: count, delayMs }: Arrangement,
  seed: number,
  use: (cluster: ClusterUnderTest) => Promise<Result>,
): Promise<Result> {
  const simulation = createSimulation({ seed });
  const nodes = Array.from({ length: count }, (_, i) => `node-${i + 1}`);
  const settleUntil = async (patienceMs: number): Promise<void> => {
    const { queue } = simulation;
    await queue.run(queue.nowMs + patienceMs, () => isSettled(simulation, nodes));
  };
  try {
    for (const name of nodes) void simulation.start(configOf(name, nodes));
    await settleUntil(FORMED_MS);
    if (delayMs !== undefined) {
      const [lowMs, highMs] = delayMs;
      const links = { from: nodes, to: nodes, both: true };
      simulation.network.applyRule({ kind: "delay", links, lowMs, highMs });
    }
    return await use({
      nodes: count,
      ask: (node, asked) => ask(simulation, nodes[node] ?? "", asked),
      settle: () => settleUntil(PATIENCE_MS),
      isOver: () => false,
    });
  } finally {
    simulation.end();
  }
}

function configOf(name: string, nodes: readonly string[]) {
  const [first = ""] = nodes;
  return {
    ...{ name, clusterName: "orrery", httpAddress: `${name}:9200` },
    ...{ hostAddress: "127.0.0.1", hostName: name },
    settings: {
      "discovery.seed_hosts": nodes,
      "cluster.initial_cluster_manager_nodes": [first],
      "path.repo": ["/repositories"],
      ...withoutBalance,
    },
  };
}

function isSettled(simulation: Simulation, nodes: readonly string[]): boolean {
  const states = nodes.map((name) => simulation.cluster(name)?.state());
  const [first] = states;
  if (first?.managerNodeId === undefined || first.nodes.size !== nodes.length) return false;
  if (first.blocks.global.length > 0) return false;
  if (states.some((state) => state?.version !== first.version)) return false;
  return [...first.routingTable.values()].every(({ shards }) =>
    shards.every((copies) => copies.some(({ primary, state }) => primary && state === "STARTED")),
  );
}

async function ask(simulation: Simulation, node: string, asked: Asked): Promise<Answer> {
  const cluster = simulation.cluster(node);
  if (cluster === undefined) throw new Error(`[${node}] is down`);
  const { queue } = simulation;
  let settled: { readonly answer?: RestResponse; readonly error?: unknown } | undefined;
  const { method, uri, body } = asked;
  dispatch({ method, uri, headers: headersOf(asked), body: Buffer.from(body ?? "") }, cluster).then(
    (answer) => (settled = { answer }),
    (error: unknown) => (settled = { error }),
  );
  await queue.run(queue.nowMs + PATIENCE_MS, () => settled !== undefined);
  if (settled?.error !== undefined) throw settled.error;
  const { answer } = settled ?? {};
  return {
    status: answer?.status ?? 0,
    contentType: String(answer?.headers["content-type"] ?? ""),
    text: Buffer.concat(answer?.body ?? []).toString(),
  };
}
