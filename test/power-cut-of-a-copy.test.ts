/** A copy that lost power comes back by operations: its lease on history follows what it still knows then, not what it knew. */
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster, type Told } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];

let running: SimulatedCluster | undefined;
afterEach(() => running?.simulation.end());

interface Recovery {
  readonly type: string;
  readonly primary: boolean;
  readonly target: { readonly name: string };
  readonly index: { readonly files: { readonly recovered: number; readonly reused: number } };
  readonly translog: { readonly recovered: number };
}

function recoveryOn(node: string, { json }: Told): Recovery | undefined {
  const { shards } = json["books"] as unknown as { readonly shards: readonly Recovery[] };
  return shards.find(({ target }) => target.name === node);
}

async function started(seed: number): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names);
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  await cluster.ask("node-1", "PUT /books?wait_for_active_shards=all", {
    settings: { number_of_shards: 1, number_of_replicas: 1 },
  });
  return cluster;
}

async function write(cluster: SimulatedCluster, node: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) await cluster.ask(node, "POST /books/_doc", { n });
}

async function holderOf(cluster: SimulatedCluster, prirep: "p" | "r"): Promise<string> {
  const { text } = await cluster.ask("node-1", "GET /_cat/shards/books?h=prirep,node");
  const lines = text.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.find(([role]) => role === prirep)?.[1] ?? "";
}

/** Power goes, more is written meanwhile, and the copy comes back. */
async function cutAndReturn(
  cluster: SimulatedCluster,
  node: string,
): Promise<Recovery | undefined> {
  const other = names.find((name) => name !== node) ?? "";
  cluster.simulation.crash(node, "lost");
  await cluster.until(() => cluster.isFormed(names.filter((name) => name !== node)));
  await write(cluster, other, 15);
  cluster.start(node);
  await cluster.until(() => cluster.isFormed(names));
  await cluster.ask(other, "GET /_cluster/health/books?wait_for_status=green&timeout=60s");
  return recoveryOn(node, await cluster.ask(other, "GET /books/_recovery"));
}

test("of a replica, also when it had flushed", async () => {
  await forSeedsAsync(3, async (random, seed) => {
    const cluster = await started(seed);
    await write(cluster, "node-1", 20);
    if (random.int(0, 1) === 1) await cluster.ask("node-1", "POST /books/_flush?force=true");
    await write(cluster, "node-1", random.int(0, 5));
    // Leases are renewed every 30 s.
    await cluster.run(random.int(31_000, 65_000));
    const replica = await holderOf(cluster, "r");

    const recovery = await cutAndReturn(cluster, replica);

    expect(recovery).toMatchObject({ type: "PEER", primary: false });
    expect(recovery?.index.files).toMatchObject({ recovered: 0, reused: 0 });
    expect(recovery?.translog.recovered).toBeGreaterThanOrEqual(15);
    cluster.simulation.end();
  });
});

test("of the primary, which comes back as a replica", async () => {
  await forSeedsAsync(3, async (random, seed) => {
    const cluster = await started(seed);
    await write(cluster, "node-1", 20 + random.int(0, 5));
    await cluster.run(random.int(31_000, 65_000));
    const primary = await holderOf(cluster, "p");

    const recovery = await cutAndReturn(cluster, primary);

    expect(recovery).toMatchObject({ type: "PEER", primary: false });
    expect(recovery?.index.files).toMatchObject({ recovered: 0, reused: 0 });
    cluster.simulation.end();
  });
});
