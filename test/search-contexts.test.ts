/** Scrolls and points in time in a cluster: stable pages from any node, keep-alives, and what ends them. */
import { forSeedsAsync } from "@orrery/seeds";
import { afterEach, describe, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster, type Told } from "./simulated-cluster.ts";

const names = ["node-1", "node-2", "node-3"];
const DOCUMENTS = 20;

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

async function three(
  seed: number,
  settings: Record<string, string> = {},
): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(seed, names, () => settings);
  running = cluster;
  for (const name of names) cluster.start(name);
  await cluster.until(() => cluster.isFormed(names));
  return cluster;
}

async function filled(cluster: SimulatedCluster, settings: Record<string, unknown> = {}) {
  await cluster.ask("node-1", "PUT /pages?wait_for_active_shards=all", {
    settings: { number_of_shards: 3, number_of_replicas: 0, ...settings },
  });
  for (let n = 0; n < DOCUMENTS; n += 1) await cluster.ask("node-1", `PUT /pages/_doc/${n}`, { n });
  await cluster.ask("node-1", "POST /pages/_refresh");
}

/** Rewrites and removes what is there, and merges what is left. */
async function churn(cluster: SimulatedCluster): Promise<void> {
  await cluster.ask("node-2", "DELETE /pages/_doc/7");
  await cluster.ask("node-2", "PUT /pages/_doc/8", { n: 800 });
  await cluster.ask("node-2", "PUT /pages/_doc/new", { n: -1 });
  await cluster.ask("node-2", "POST /pages/_refresh");
  await cluster.ask("node-2", "POST /pages/_forcemerge?max_num_segments=1");
}

function hits({ json }: Told): readonly { readonly _id: string; readonly sort?: number[] }[] {
  return (json["hits"] as unknown as { hits: [] }).hits;
}

function ids(told: Told): string[] {
  return hits(told).map(({ _id }) => _id);
}

const all = Array.from({ length: DOCUMENTS }, (_, n) => String(n));

async function searchStats(cluster: SimulatedCluster): Promise<Record<string, number>> {
  const { json } = await cluster.ask("node-1", "GET /pages/_stats/search");
  return (json as unknown as { _all: { total: { search: Record<string, number> } } })._all.total
    .search;
}

const PIT = "POST /pages/_search/point_in_time?keep_alive=5m";

describe("a scroll", () => {
  test("INV-CONTEXT-1: has each document once, as it was, whatever is written and merged between its pages", async () => {
    await forSeedsAsync(5, async (_, seed) => {
      const cluster = await three(seed);
      await filled(cluster);
      const first = await cluster.ask("node-1", "POST /pages/_search?scroll=1m", {
        size: 4,
        sort: ["n"],
      });
      const found = ids(first);
      const scroll_id = first.json["_scroll_id"];
      await churn(cluster);

      for (let page = 0; page < 5; page += 1) {
        const node = names[page % 3] ?? "";
        const next = await cluster.ask(node, "POST /_search/scroll", { scroll: "1m", scroll_id });
        expect(next.json["hits"]).toMatchObject({ total: { value: DOCUMENTS, relation: "eq" } });
        found.push(...ids(next));
      }

      expect(found).toEqual(all);
      cluster.simulation.end();
    });
  });

  test("of relevance order has each document once, too", async () => {
    const cluster = await three(3);
    await filled(cluster);
    const first = await cluster.ask("node-1", "POST /pages/_search?scroll=1m", { size: 3 });
    const scroll_id = first.json["_scroll_id"];

    const found = ids(first);
    for (;;) {
      const next = await cluster.ask("node-2", "POST /_search/scroll", { scroll: "1m", scroll_id });
      if (ids(next).length === 0) break;
      found.push(...ids(next));
    }

    expect(found.toSorted()).toEqual(all.toSorted());
    expect(new Set(found).size).toBe(DOCUMENTS);
  });

  test("lives as long as it is asked for more, and not much longer", async () => {
    const cluster = await three(4);
    await filled(cluster);
    const first = await cluster.ask("node-1", "POST /pages/_search?scroll=30s", { size: 2 });
    const scroll_id = first.json["_scroll_id"];
    for (let page = 0; page < 3; page += 1) {
      await cluster.run(25_000);
      const next = await cluster.ask("node-3", "POST /_search/scroll", {
        scroll: "30s",
        scroll_id,
      });
      expect(next.status).toBe(200);
    }
    expect(await searchStats(cluster)).toMatchObject({ open_contexts: 3, scroll_current: 3 });

    await cluster.run(92_000);

    const late = await cluster.ask("node-1", "POST /_search/scroll", { scroll: "30s", scroll_id });
    expect(late.status).toBe(404);
    expect(late.text).toContain("search_context_missing_exception");
    expect(await searchStats(cluster)).toMatchObject({ open_contexts: 0, scroll_total: 3 });
  });

  test("is cleared from any node, once", async () => {
    const cluster = await three(5);
    await filled(cluster);
    const { json } = await cluster.ask("node-1", "POST /pages/_search?scroll=1m", { size: 2 });
    const clear = () =>
      cluster.ask("node-3", "DELETE /_search/scroll", { scroll_id: json["_scroll_id"] });

    expect((await clear()).json).toEqual({ succeeded: true, num_freed: 3 });
    expect(await clear()).toMatchObject({ status: 404, json: { succeeded: true, num_freed: 0 } });
  });

  test("goes on with what is left when a node is lost", async () => {
    const cluster = await three(6);
    await filled(cluster);
    const first = await cluster.ask("node-1", "POST /pages/_search?scroll=5m", {
      size: 2,
      sort: ["n"],
    });
    cluster.simulation.crash("node-3");
    await cluster.until(() => cluster.isFormed(["node-1", "node-2"]));

    const next = await cluster.ask("node-1", "POST /_search/scroll", {
      scroll: "5m",
      scroll_id: first.json["_scroll_id"],
    });

    expect(next.status).toBe(200);
    expect(next.json["_shards"]).toMatchObject({ total: 3, successful: 2, failed: 1 });
    expect(next.text).toMatch(/scroll_id references node \[[^\]]+\] which was not found/);
  });
});

describe("slices", () => {
  test("of a scroll and of a point in time have each document in exactly one", async () => {
    const cluster = await three(7);
    await filled(cluster);
    const pit = (await cluster.ask("node-1", PIT)).json["pit_id"];
    for (const max of [2, 3, 4, 7]) {
      for (const field of ["_id", "n"]) {
        const scrolled: string[] = [];
        const pinned: string[] = [];
        for (let id = 0; id < max; id += 1) {
          const body = { size: 100, slice: { id, max, field } };
          scrolled.push(...ids(await cluster.ask("node-2", "POST /pages/_search?scroll=1m", body)));
          const pinnedBody = { ...body, pit: { id: pit } };
          pinned.push(...ids(await cluster.ask("node-3", "POST /_search", pinnedBody)));
        }
        expect(scrolled.toSorted(), `${max} by ${field}`).toEqual(all.toSorted());
        expect(pinned.toSorted(), `${max} by ${field}`).toEqual(all.toSorted());
      }
    }
  });
});

describe("a point in time", () => {
  test("INV-CONTEXT-1: shows what was there when it was made, paged by search_after from any node", async () => {
    await forSeedsAsync(5, async (_, seed) => {
      const cluster = await three(seed);
      await filled(cluster);
      const { json } = await cluster.ask("node-2", PIT);
      await churn(cluster);

      const found: string[] = [];
      let search_after: number[] | undefined;
      for (let page = 0; page < 7; page += 1) {
        const told = await cluster.ask(names[page % 3] ?? "", "POST /_search", {
          size: 3,
          pit: { id: json["pit_id"] },
          sort: ["_shard_doc"],
          ...(search_after === undefined ? {} : { search_after }),
        });
        expect(told.json["pit_id"]).toBe(json["pit_id"]);
        found.push(...ids(told));
        search_after = hits(told).at(-1)?.sort;
      }

      expect(found.toSorted()).toEqual(all.toSorted());
      expect(new Set(found).size).toBe(DOCUMENTS);
      cluster.simulation.end();
    });
  });

  test("is listed and deleted by every node; its segments are told", async () => {
    const cluster = await three(8);
    await filled(cluster);
    const { json } = await cluster.ask("node-1", PIT);
    const pit_id = json["pit_id"];
    const listed = { pit_id, creation_time: json["creation_time"], keep_alive: 300_000 };
    for (const name of names)
      expect((await cluster.ask(name, "GET /_search/point_in_time/_all")).json).toEqual({
        pits: [listed],
      });
    const segments = await cluster.ask("node-2", "GET /_cat/pit_segments/_all?h=index,docs.count");
    const counts = segments.text.trim().split("\n");
    expect(counts.reduce((sum, row) => sum + Number(row.split(/ +/)[1]), 0)).toBe(DOCUMENTS);

    const gone = await cluster.ask("node-3", "DELETE /_search/point_in_time", { pit_id });

    expect(gone.json).toEqual({ pits: [{ successful: true, pit_id }] });
    expect((await cluster.ask("node-1", "GET /_search/point_in_time/_all")).json).toEqual({
      pits: [],
    });
    expect(await searchStats(cluster)).toMatchObject({
      open_contexts: 0,
      point_in_time_current: 0,
      point_in_time_total: 3,
    });
  });

  test("ends when its keep-alive has passed, which searches make longer and never shorter", async () => {
    const cluster = await three(9);
    await filled(cluster);
    const pit = await cluster.ask("node-1", PIT.replace("5m", "40s"));
    const search = (keep_alive?: string) =>
      cluster.ask("node-2", "POST /_search", {
        pit: { id: pit.json["pit_id"], keep_alive },
        size: 0,
      });
    expect((await search("1s")).status).toBe(200);
    await cluster.run(38_000);
    expect((await search("70s")).status).toBe(200);
    await cluster.run(68_000);
    expect((await search()).status).toBe(200);

    await cluster.run(132_000);

    const late = await search();
    expect(late.status).toBe(404);
    expect(late.text).toContain("No search context found for id");
  });

  test("ends with its index: closed, or deleted", async () => {
    const cluster = await three(10);
    await filled(cluster);
    const { json } = await cluster.ask("node-1", PIT);
    const search = () => cluster.ask("node-1", "POST /_search", { pit: { id: json["pit_id"] } });
    await cluster.ask("node-1", "POST /pages/_close");
    expect((await search()).text).toContain("index_closed_exception");
    await cluster.ask("node-1", "POST /pages/_open?wait_for_active_shards=all");
    expect((await search()).text).toContain("search_context_missing_exception");

    await cluster.ask("node-1", "DELETE /pages");

    expect((await search()).text).toContain("no such index [pages]");
  });

  test("loses the shards that move away, and keeps the others", async () => {
    const cluster = await three(11);
    await filled(cluster);
    await cluster.ask("node-1", "PUT /_cluster/settings", {
      transient: { "cluster.routing.rebalance.enable": "none" },
    });
    const { json } = await cluster.ask("node-1", PIT);
    const rows = await cluster.ask("node-1", "GET /_cat/shards/pages?h=shard,node&format=json");
    const [shard, from] = (JSON.parse(rows.text) as { shard: string; node: string }[]).map(
      (row) => [row.shard, row.node] as const,
    )[0] ?? ["", ""];
    const to = names.find((name) => name !== from) ?? "";
    const move = { index: "pages", shard: Number(shard), from_node: from, to_node: to };
    await cluster.ask("node-1", "POST /_cluster/reroute", { commands: [{ move }] });
    await cluster.run(10_000);

    const told = await cluster.ask("node-1", "POST /_search", {
      pit: { id: json["pit_id"] },
      size: 100,
    });

    expect(told.json["_shards"]).toMatchObject({ total: 3, successful: 2, failed: 1 });
    expect(told.text).toContain("search_context_missing_exception");
    expect(ids(told).length).toBeGreaterThan(0);
  });

  test("that not every shard could open is made of the others, or not at all, as is asked for", async () => {
    const cluster = await three(12);
    await filled(cluster);
    cluster.simulation.crash("node-3");
    await cluster.until(() => cluster.isFormed(["node-1", "node-2"]));

    const partial = await cluster.ask("node-1", PIT);
    const whole = await cluster.ask("node-1", `${PIT}&allow_partial_pit_creation=false`);

    expect(partial.json["_shards"]).toMatchObject({ total: 3, successful: 2 });
    expect(whole.status).toBe(503);
    const { json } = await cluster.ask("node-2", "GET /_search/point_in_time/_all");
    expect(json["pits"]).toHaveLength(1);
  });

  test("beyond the limit of a node is refused, and leaves nothing behind", async () => {
    const cluster = await three(13);
    await filled(cluster);
    await cluster.ask("node-1", "PUT /_cluster/settings", {
      transient: { "search.max_open_pit_context": 1 },
    });
    expect((await cluster.ask("node-1", PIT)).status).toBe(200);

    const second = await cluster.ask("node-1", PIT);

    expect(second.status).toBe(429);
    expect(second.text).toContain("Trying to create too many Point In Time contexts");
    expect(await searchStats(cluster)).toMatchObject({ open_contexts: 3 });
  });

  test("beyond the limit that its node was configured with is refused", async () => {
    const cluster = await three(14, { "search.max_open_pit_context": "1" });
    await filled(cluster);

    const first = await cluster.ask("node-1", PIT);
    const second = await cluster.ask("node-1", PIT);

    expect([first.status, second.status]).toEqual([200, 429]);
  });
});

describe("a search that is cancelled", () => {
  test.each([1, 3])(
    "leaves no context open on any shard, whenever it is cancelled, on %i nodes",
    async (count) => {
      await forSeedsAsync(6, async (random, seed) => {
        const cluster = await three(seed);
        await filled(cluster);
        for (let i = 0; i < 40; i += 1) {
          const node = names[random.int(0, count - 1)] ?? "";
          const afterMs = random.int(1, 12);
          void cluster.begin(node, `POST /pages/_search?cancel_after_time_interval=${afterMs}ms`, {
            size: 10,
          });
          await cluster.run(random.int(0, 4));
        }
        await cluster.run(1000);

        expect(await searchStats(cluster)).toMatchObject({ open_contexts: 0 });
        cluster.simulation.end();
      });
    },
  );
});
