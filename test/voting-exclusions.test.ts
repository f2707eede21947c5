/** Nodes that are excluded from voting: when the answer comes the cluster can do without them. */
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function three(seed: number): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names);
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  await cluster.run(2000);
  return cluster;
}

test("all but one of the voters are excluded, killed with the answer, and not missed", async () => {
  await forSeedsAsync(6, async (_, seed) => {
    const cluster = await three(seed);
    const kept = names[seed % 3] ?? "";
    const asked = names[(seed >> 1) % 3] ?? "";
    const id = cluster.simulation.cluster(kept)?.localNode.id;
    const excluded = names.filter((name) => name !== kept);

    const told = await cluster.ask(
      asked,
      `POST /_cluster/voting_config_exclusions?node_names=${excluded.join(",")}`,
    );
    const { json } = await cluster.ask(asked, "GET /_cluster/state/metadata?local=true");
    for (const name of excluded) cluster.simulation.crash(name);

    expect([told.status, told.text]).toEqual([200, ""]);
    expect(json["metadata"]).toMatchObject({
      cluster_coordination: { last_committed_config: [id], last_accepted_config: [id] },
    });
    await cluster.until(() => cluster.isFormed([kept]), 30_000);
    cluster.simulation.end();
  });
}, 60_000);
