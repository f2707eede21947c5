/** Nodes that are excluded from voting: when the answer comes the cluster can do without them. */
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function three(
  seed: number,
  settingsOf?: (name: string) => Record<string, string>,
): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names, settingsOf);
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

test("nodes that could not vote are left out, and what is said twice is one exclusion", async () => {
  const cluster = await three(1, (name) => (name === "node-3" ? { "node.roles": "data" } : {}));
  const exclude = (query: string) =>
    cluster.ask("node-1", `POST /_cluster/voting_config_exclusions?${query}`);
  const [second, third] = ["node-2", "node-3"].map(
    (name) => cluster.simulation.cluster(name)?.localNode.id,
  );

  expect((await exclude("node_names=node-2,node-3,node-2,ghost,ghost")).status).toBe(200);
  expect((await exclude(`node_ids=${second},${third}`)).status).toBe(200);

  const { json } = await cluster.ask("node-1", "GET /_cluster/state/metadata");
  expect(json["metadata"]).toMatchObject({
    cluster_coordination: {
      voting_config_exclusions: [
        { node_id: second, node_name: "node-2" },
        { node_id: "_absent_", node_name: "ghost" },
      ],
    },
  });
}, 60_000);

test("a negative time to wait is refused", async () => {
  const cluster = await three(1);
  const uri = "POST /_cluster/voting_config_exclusions?node_names=ghost&timeout=-1";

  const { status, text } = await cluster.ask("node-1", uri);

  expect(status).toBe(400);
  expect(text).toContain('"reason":"timeout [-1] must be non-negative"');
}, 60_000);

test("what does not come to be in time is answered so", async () => {
  const cluster = await three(1);
  const uri = "/_cluster/voting_config_exclusions";

  const added = await cluster.ask("node-1", `POST ${uri}?node_names=${names.join(",")}&timeout=1s`);
  const removed = await cluster.ask("node-1", `DELETE ${uri}`);

  expect([added.status, removed.status]).toEqual([500, 500]);
  expect(added.text).toMatch(
    /"type":"timeout_exception","reason":"timed out waiting for voting config exclusions \[\{node-1\}.*\] to take effect"/,
  );
  expect(removed.text).toContain('"reason":"timed out waiting for removal of nodes; ');
}, 60_000);
