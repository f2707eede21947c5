/** Indices that a node kept while the cluster forgot them: told, imported, buried, and never brought back by chance. */
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, describe, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];
const forgetful = { "cluster.indices.tombstones.size": "0" };

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function three(
  seed: number,
  settings: Record<string, string> = forgetful,
): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names, () => settings);
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  return cluster;
}

interface Row {
  readonly index_name: string;
  readonly index_uuid: string;
  readonly creation_date_millis: number;
  readonly node_ids: readonly string[];
}

async function dangling(cluster: SimulatedCluster, node = "node-1"): Promise<readonly Row[]> {
  const { json } = await cluster.ask(node, "GET /_dangling");
  return json["dangling_indices"] as unknown as readonly Row[];
}

async function index(
  cluster: SimulatedCluster,
  name: string,
  shards = 1,
  replicas = 2,
): Promise<void> {
  const settings = { number_of_shards: shards, number_of_replicas: replicas };
  await cluster.ask("node-1", `PUT /${name}?wait_for_active_shards=all`, {
    settings,
    aliases: { [`${name}-alias`]: {} },
  });
  for (let id = 1; id <= 5; id += 1) {
    const { status } = await cluster.ask("node-1", `PUT /${name}/_doc/${id}`, { id });
    expect(status).toBe(201);
  }
  // Metadata files follow the state a little later.
  await cluster.run(2000);
}

async function withoutThird(
  cluster: SimulatedCluster,
  action: () => Promise<unknown>,
): Promise<void> {
  cluster.simulation.crash("node-3");
  await cluster.until(() => cluster.isFormed(["node-1", "node-2"]));
  await action();
  cluster.start("node-3");
  await cluster.until(() => cluster.isFormed(names));
  await cluster.run(3000);
}

async function lose(cluster: SimulatedCluster, name: string): Promise<Row> {
  await withoutThird(cluster, () => cluster.ask("node-1", `DELETE /${name}`));
  const [row] = await dangling(cluster);
  if (row === undefined) throw new Error("nothing dangles");
  return row;
}

async function count(cluster: SimulatedCluster, name: string): Promise<number> {
  await cluster.ask("node-1", `POST /${name}/_refresh`);
  const { json } = await cluster.ask("node-1", `GET /${name}/_count`);
  return Number(json["count"]);
}

function imported(cluster: SimulatedCluster): number {
  return cluster.events.filter(({ kind }) => kind === "dangling-index-imported").length;
}

async function isGreen(cluster: SimulatedCluster): Promise<boolean> {
  const { json } = await cluster.ask(
    "node-1",
    "GET /_cluster/health?wait_for_status=green&timeout=60s",
  );
  return json["status"] === ("green" as never);
}

describe("an index that was deleted while a node was away", () => {
  test("is told as a new life of its copies once, not by whoever comes later as well", async () => {
    const cluster = await three(1);
    await cluster.ask("node-1", "PUT /lost", { settings: { number_of_replicas: 4 } });
    await cluster.run(2000);
    const row = await lose(cluster, "lost");
    const importedAfter = cluster.events.length;
    await cluster.ask("node-1", `POST /_dangling/${row.index_uuid}?accept_data_loss=true`);
    await cluster.run(2000);
    cluster.start("node-4");
    await cluster.until(() => cluster.isFormed([...names, "node-4"]));
    await cluster.run(5000);

    const told = cluster.events.flatMap((event, at) =>
      event.kind === "shard-copies-changed" && event.isImported === true ? [{ at, event }] : [],
    );
    const byNodes = new Set(told.map(({ event }) => event.node));
    expect(told[0]?.at).toBeGreaterThan(importedAfter);
    expect(new Set(told.map(({ event }) => event.version)).size).toBe(1);
    expect([...byNodes].toSorted()).toEqual(names);
  }, 60_000);

  test("dangles there, and is told by every node", async () => {
    await forSeedsAsync(3, async (_, seed) => {
      const cluster = await three(seed);
      await index(cluster, "lost");
      const row = await lose(cluster, "lost");
      const away = cluster.simulation.cluster("node-3")?.localNode.id;

      expect(row).toMatchObject({ index_name: "lost", node_ids: [away] });
      expect(await dangling(cluster, "node-2")).toEqual([row]);
      expect(await dangling(cluster, "node-3")).toEqual([row]);
    });
  }, 60_000);

  test("is imported with its documents, without its aliases, under a new history", async () => {
    const cluster = await three(1);
    await index(cluster, "lost");
    const row = await lose(cluster, "lost");
    const refused = await cluster.ask("node-2", `POST /_dangling/${row.index_uuid}`);
    const accepted = await cluster.ask(
      "node-2",
      `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
    );

    expect([refused.status, accepted.status]).toEqual([400, 202]);
    expect(await isGreen(cluster)).toBe(true);
    expect(await count(cluster, "lost")).toBe(5);
    const { json } = await cluster.ask("node-1", "GET /lost");
    expect(json["lost"]).toMatchObject({
      aliases: {},
      settings: { index: { uuid: row.index_uuid } },
    });
    expect(await dangling(cluster)).toEqual([]);
    expect(imported(cluster)).toBe(3);
    const again = await cluster.ask(
      "node-1",
      `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
    );
    expect(again.text).toContain(`No dangling index found for UUID [${row.index_uuid}]`);
  }, 60_000);

  test("is purged from a node that comes back when its tombstone is there", async () => {
    const cluster = await three(1, {});
    await index(cluster, "gone");
    await withoutThird(cluster, () => cluster.ask("node-1", "DELETE /gone"));

    expect(await dangling(cluster)).toEqual([]);
    expect(
      cluster.simulation
        .disk("node-3")
        .disk(() => true)
        .list("indices"),
    ).toEqual([]);
  }, 60_000);

  test("INV-DANGLING-2: is buried for good by a delete", async () => {
    const cluster = await three(1, { "cluster.indices.tombstones.size": "1" });
    await index(cluster, "first");
    await index(cluster, "second");
    await withoutThird(cluster, async () => {
      await cluster.ask("node-1", "DELETE /first");
      await cluster.ask("node-1", "DELETE /second");
    });
    const rows = await dangling(cluster);
    expect(rows.map(({ index_name }) => index_name)).toEqual(["first"]);

    const { status } = await cluster.ask(
      "node-1",
      `DELETE /_dangling/${rows[0]?.index_uuid}?accept_data_loss=true`,
    );
    await cluster.run(1000);
    expect(status).toBe(202);
    expect(
      cluster.simulation
        .disk("node-3")
        .disk(() => true)
        .list("indices"),
    ).toEqual([]);
    await withoutThird(cluster, () => Promise.resolve());
    expect(await dangling(cluster)).toEqual([]);
  }, 60_000);

  test("INV-DANGLING-2: leaves nothing on nodes that were there, although no tombstone is kept", async () => {
    const cluster = await three(1);
    await index(cluster, "gone");
    await cluster.ask("node-1", "DELETE /gone");
    await cluster.run(3000);

    expect(await dangling(cluster)).toEqual([]);
    for (const name of names) {
      expect(
        cluster.simulation
          .disk(name)
          .disk(() => true)
          .list("indices"),
      ).toEqual([]);
    }
  }, 60_000);
});

describe("an import", () => {
  test("INV-DANGLING-3: changes nothing where the name is an index by now, or an alias, and the index goes on dangling", async () => {
    const cluster = await three(1);
    await index(cluster, "taken");
    const row = await lose(cluster, "taken");
    await cluster.ask("node-1", "PUT /other", { aliases: { taken: {} } });
    const byAlias = await cluster.ask(
      "node-1",
      `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
    );
    await cluster.ask("node-1", "DELETE /other");
    await cluster.ask("node-1", "PUT /taken/_doc/new?refresh=true", { fresh: true });
    const byName = await cluster.ask(
      "node-1",
      `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
    );
    await cluster.run(2000);

    expect([byAlias.status, byName.status]).toEqual([202, 202]);
    expect(await count(cluster, "taken")).toBe(1);
    expect(await dangling(cluster)).toEqual([row]);
    expect(imported(cluster)).toBe(0);
  }, 60_000);

  test("of an index of which a node has a part brings that part, and waits for the rest", async () => {
    const cluster = await three(1);
    await index(cluster, "parted", 4, 0);
    const row = await lose(cluster, "parted");
    await cluster.ask("node-1", `POST /_dangling/${row.index_uuid}?accept_data_loss=true`);
    await cluster.run(5000);
    const { json } = await cluster.ask("node-1", "GET /_cluster/health/parted?level=shards");

    expect(json["status"]).toBe("red");
    expect(Number(json["active_primary_shards"])).toBeGreaterThan(0);
    expect(Number(json["unassigned_shards"])).toBeGreaterThan(0);
  }, 60_000);

  test("is refused while a node does not answer, and works when it has left", async () => {
    await forSeedsAsync(4, async (_, seed) => {
      const cluster = await three(seed);
      await index(cluster, "lost");
      const row = await lose(cluster, "lost");
      const elected = cluster.simulation.cluster("node-1")?.state();
      const manager = elected?.nodes.get(elected.managerNodeId ?? ("" as never))?.name;
      const leaves = manager === "node-2" ? "node-1" : "node-2";
      const asked = leaves === "node-2" ? "node-1" : "node-2";
      const outcome = cluster.begin(
        asked,
        `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
      );
      cluster.simulation.crash(leaves);
      let told: { readonly status: number; readonly text: string } | undefined;
      outcome.then(
        (answer) => (told = answer),
        () => undefined,
      );
      await cluster.until(() => told !== undefined);
      await cluster.until(() => cluster.isFormed([asked, "node-3"]));

      expect([202, 500]).toContain(told?.status);
      if (told?.status === 500) {
        expect(told.text).toMatch(/Failed to query nodes \[.+\]/);
        const retried = await cluster.ask(
          asked,
          `POST /_dangling/${row.index_uuid}?accept_data_loss=true`,
        );
        expect(retried.status).toBe(202);
      }
      await cluster.run(5000);
      await cluster.ask(asked, "POST /lost/_refresh");
      const { json } = await cluster.ask(asked, "GET /lost/_count");
      expect(json["count"]).toBe(5);
    });
  }, 120_000);

  test("whose node leaves at once is red until it comes back, and then has every document", async () => {
    const cluster = await three(2);
    await index(cluster, "lost");
    const row = await lose(cluster, "lost");
    await cluster.ask("node-1", `POST /_dangling/${row.index_uuid}?accept_data_loss=true`);
    cluster.simulation.crash("node-3");
    await cluster.until(() => cluster.isFormed(["node-1", "node-2"]));
    await cluster.run(1000);
    cluster.start("node-3");
    await cluster.until(() => cluster.isFormed(names));

    expect(await isGreen(cluster)).toBe(true);
    expect(await count(cluster, "lost")).toBe(5);
  }, 60_000);

  test("happens by itself where a node was told to, but not over an index of that name", async () => {
    const settings = { ...forgetful, "gateway.auto_import_dangling_indices": "true" };
    const cluster = await three(1, settings);
    await index(cluster, "free");
    await index(cluster, "taken");
    await withoutThird(cluster, async () => {
      await cluster.ask("node-1", "DELETE /free");
      await cluster.ask("node-1", "DELETE /taken");
      await cluster.ask("node-1", "PUT /taken/_doc/new?refresh=true", { fresh: true });
    });

    expect(await isGreen(cluster)).toBe(true);
    expect(await count(cluster, "free")).toBe(5);
    expect(await count(cluster, "taken")).toBe(1);
    expect((await dangling(cluster)).map(({ index_name }) => index_name)).toEqual(["taken"]);
  }, 60_000);

  test("has nothing to find where a node was told to keep no metadata", async () => {
    const cluster = await three(1, {
      ...forgetful,
      "gateway.write_dangling_indices_info": "false",
    });
    await index(cluster, "lost");
    await withoutThird(cluster, () => cluster.ask("node-1", "DELETE /lost"));

    expect(await dangling(cluster)).toEqual([]);
  }, 60_000);
});
