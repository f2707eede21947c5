/** A zone is taken out of a cluster that is written to and read from: what clients see, and what is there afterwards. */
import { createRandom } from "@orrery/stdx";
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3", "node-4", "node-5", "node-6"];
const zones = ["a", "b", "c"];
const zoneOf = (name: string): string => zones[names.indexOf(name) % 3] ?? "";

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function six(seed: number): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names, (name) => ({
    "node.attr.zone": zoneOf(name),
    "cluster.routing.allocation.awareness.attributes": "zone",
    "cluster.routing.allocation.awareness.force.zone.values": "a,b,c",
    "discovery.find_peers_interval_during_decommission": "1s",
  }));
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  const settings = { number_of_shards: 3, number_of_replicas: 2 };
  await cluster.ask("node-1", "PUT /books?wait_for_active_shards=all", { settings });
  return cluster;
}

function electedZone(cluster: SimulatedCluster): string {
  const state = cluster.simulation.cluster("node-1")?.state();
  return zoneOf(state?.nodes.get(state.managerNodeId ?? ("" as never))?.name ?? "");
}

async function status(cluster: SimulatedCluster, node: string): Promise<string> {
  const { text } = await cluster.ask(node, "GET /_cluster/decommission/awareness/zone/_status");
  return text;
}

/** Writes one document after the other until it is told to stop; those that were acknowledged. */
function writing(cluster: SimulatedCluster, node: string): { stop(): Promise<readonly number[]> } {
  const acknowledged: number[] = [];
  let isStopped = false;
  const done = (async () => {
    for (let id = 1; !isStopped; id += 1) {
      const { status: code } = await cluster.begin(node, `PUT /books/_doc/${id}`, { id });
      if (code < 300) acknowledged.push(id);
    }
  })();
  return {
    async stop() {
      isStopped = true;
      let isDone = false;
      done.then(
        () => (isDone = true),
        () => (isDone = true),
      );
      await cluster.until(() => isDone);
      await done;
      return acknowledged;
    },
  };
}

test("no acknowledged write is lost when a zone goes, drained or not, its nodes whole or not", async () => {
  await forSeedsAsync(4, async (_, seed) => {
    const chance = createRandom(`decommission-${seed}`);
    const cluster = await six(seed);
    const zone = chance.pick(zones);
    const staying = names.filter((name) => zoneOf(name) !== zone);
    const [node = ""] = staying;
    const writer = writing(cluster, node);
    await cluster.run(500);
    const weights = Object.fromEntries(zones.map((name) => [name, name === zone ? "0" : "1"]));
    await cluster.ask(node, "PUT /_cluster/routing/awareness/zone/weights", {
      weights,
      _version: -1,
    });
    const how = seed % 2 === 0 ? "no_delay=true" : "delay_timeout=5s";
    const told = await cluster.ask(
      node,
      `PUT /_cluster/decommission/awareness/zone/${zone}?${how}`,
    );
    expect(told.text).toBe('{"acknowledged":true}');
    const victim = names.find((name) => zoneOf(name) === zone) ?? "";
    if (seed % 3 === 0) cluster.simulation.crash(victim);
    await cluster.until(() => cluster.isFormed(staying));
    await cluster.run(1000);
    expect(await status(cluster, node)).toBe(JSON.stringify({ [zone]: "SUCCESSFUL" }));
    const acknowledged = [...(await writer.stop())];
    expect(acknowledged.length).toBeGreaterThan(20);
    // A node that was removed has its copies still, and nobody to tell it that they are none any more.
    const removed = names.findLast((name) => zoneOf(name) === zone) ?? "";
    for (let id = 1_000_000; id < 1_000_010; id += 1) {
      cluster.begin(removed, `PUT /books/_doc/${id}?timeout=1s`, { id }).then(
        ({ status: code }) => (code < 300 ? acknowledged.push(id) : 0),
        () => 0,
      );
    }
    await cluster.run(5000);
    await cluster.ask(node, "DELETE /_cluster/decommission/awareness");
    if (seed % 3 === 0) cluster.start(victim);
    await cluster.until(() => cluster.isFormed(names));
    const health = await cluster.ask(
      node,
      "GET /_cluster/health?wait_for_status=green&timeout=90s",
    );
    expect(health.json["status"]).toBe("green");

    await cluster.run(5000);
    await cluster.ask(node, "POST /books/_refresh");
    const docs = acknowledged.map(String);
    const { json } = await cluster.ask(node, "POST /_mget", {
      docs: docs.map((_id) => ({ _index: "books", _id })),
    });
    const found = (json["docs"] as unknown as readonly { found: boolean }[]).filter(
      (doc) => doc.found,
    );
    expect(found).toHaveLength(acknowledged.length);
    cluster.simulation.end();
  });
}, 180_000);

test("reads leave a zone without weight alone while it drains, and are answered when it is gone", async () => {
  const cluster = await six(7);
  const zone = electedZone(cluster) === "c" ? "b" : "c";
  const node = names.find((name) => zoneOf(name) !== zone) ?? "";
  for (let id = 1; id <= 10; id += 1) await cluster.ask(node, `PUT /books/_doc/${id}`, { id });
  await cluster.ask(node, "POST /books/_refresh");
  await cluster.ask(node, `PUT /_cluster/decommission/awareness/zone/${zone}?delay_timeout=60s`);
  await cluster.run(1000);
  expect(await status(cluster, node)).toBe(JSON.stringify({ [zone]: "DRAINING" }));

  const before = cluster.events.length;
  for (let i = 0; i < 30; i += 1) {
    const { json } = await cluster.ask(node, "GET /books/_search");
    expect(json["_shards"]).toMatchObject({ successful: 3, failed: 0 });
  }
  const asked = cluster.events
    .slice(before)
    .flatMap((event) =>
      event.kind === "message-sent" && event.action === "indices:data/read/search[phase/query]"
        ? [zoneOf(event.to)]
        : [],
    );
  expect(zones).toContain(asked[0]);
  expect(asked).not.toContain(zone);

  await cluster.until(() => cluster.isFormed(names.filter((name) => zoneOf(name) !== zone)));
  const { json } = await cluster.ask(node, "GET /books/_count");
  expect(json["count"]).toBe(10);
  const health = await cluster.ask(node, "GET /_cluster/health");
  expect(health.json["unassigned_shards"]).toBe(3);
}, 60_000);
