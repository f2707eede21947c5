/** Counters of a node's connections and frames, in a cluster over the simulated network. */
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "../../../test/simulated-cluster.ts";

let world: SimulatedCluster | undefined;

afterEach(() => world?.simulation.end());

interface Transport {
  readonly server_open: number;
  readonly total_outbound_connections: number;
  readonly rx_count: number;
  readonly rx_size_in_bytes: number;
  readonly tx_count: number;
  readonly tx_size_in_bytes: number;
}

async function transportOf(cluster: SimulatedCluster, node: string): Promise<Transport> {
  const { json } = await cluster.ask(node, "GET /_nodes/_local/stats/transport");
  const [body] = Object.values((json["nodes"] ?? {}) as Record<string, { transport: Transport }>);
  if (body === undefined) throw new Error("the node has not answered");
  return body.transport;
}

test("frames are counted at both ends, and connections at the one that accepts them while they are open", async () => {
  const names = ["node-1", "node-2", "node-3"];
  const cluster = simulatedCluster(5, names);
  world = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  await cluster.run(1000);

  const before = await transportOf(cluster, "node-2");
  cluster.simulation.crash("node-3");
  await cluster.run(10_000);
  const after = await transportOf(cluster, "node-2");

  const delivered = cluster.events.filter(
    (event) => event.kind === "message-delivered" && event.to === "node-2",
  );
  expect(after.rx_count).toBe(delivered.length);
  expect(after.rx_count).toBeGreaterThan(before.rx_count);
  expect(after.tx_size_in_bytes).toBeGreaterThan(before.tx_size_in_bytes);
  expect(after.rx_size_in_bytes).toBeGreaterThan(after.rx_count);
  expect(before.total_outbound_connections).toBeGreaterThanOrEqual(2);
  expect(after.server_open).toBeLessThan(before.server_open);
});
