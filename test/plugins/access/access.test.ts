/**
 * The plugin of this folder, attacked from every node of three: in the simulation, and over gRPC and WebSocket, with shards in the nodes'
 * own threads and in others. Everything that is read by somebody who is not the keeper is looked through for what only the keeper may see.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createNodeHost, type NodeHostOptions } from "@orrery/host-node";
import { composeProduct, startNode, startShardWorker, type Cluster, type Node } from "@orrery/node";
import type { Network } from "@orrery/ports";
import { dispatch } from "@orrery/rest";
import { createSimulation } from "@orrery/simulator";
import { utf8Decode, utf8Encode } from "@orrery/stdx";
import { createGrpcNetwork } from "@orrery/transport-grpc";
import { createWebsocketNetwork } from "@orrery/transport-websocket";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { access } from "./plugin.ts";

const product = composeProduct([access]);
const names = ["a", "b", "c"];

interface World {
  readonly clusters: readonly Cluster[];
  /** What the promise ends with. */
  outcome<T>(promise: Promise<T>): Promise<T>;
  end(): Promise<void>;
}

interface Told {
  readonly status: number;
  readonly text: string;
}

async function simulated(): Promise<World> {
  const simulation = createSimulation({ seed: 7, product });
  const { queue } = simulation;
  for (const name of names) {
    void simulation.start({
      name,
      clusterName: "test",
      httpAddress: `${name}:9200`,
      hostAddress: "127.0.0.1",
      hostName: name,
      settings: { "discovery.seed_hosts": names, "cluster.initial_cluster_manager_nodes": ["a"] },
    });
  }
  const clusters = (): Cluster[] => names.flatMap((name) => simulation.cluster(name) ?? []);
  const isFormed = (): boolean =>
    clusters().length === 3 && clusters().every((one) => one.state().nodes.size === 3);
  await queue.run(120_000, isFormed);
  return {
    clusters: clusters(),
    async outcome(promise) {
      let isOver = false;
      const end = (): void => void (isOver = true);
      promise.then(end, end);
      await queue.run(queue.nowMs + 120_000, () => isOver);
      return promise;
    },
    end: async () => simulation.end(),
  };
}

type Shards = Pick<NodeHostOptions, "shardProgram" | "threadEntry">;

const folders: string[] = [];

/** Threads are for nodes with a folder. */
function folderOf({ threadEntry }: Shards): string {
  if (threadEntry === undefined) return "";
  const folder = mkdtempSync(join(tmpdir(), "orrery-access-"));
  folders.push(folder);
  return folder;
}

const inOwnThread: Shards = {
  shardProgram: (world) => void startShardWorker(world, product.shards),
};
const inThreads: Shards = { threadEntry: new URL("./thread.ts", import.meta.url) };

async function real(createNetwork: () => Network, shards: Shards): Promise<World> {
  const nodes: Node[] = [];
  for (const name of names) {
    const seeds = nodes.map(({ cluster }) => cluster.localNode.transportAddress);
    const settings = {
      "cluster.initial_cluster_manager_nodes": "a",
      "discovery.seed_hosts": seeds,
      "cluster.routing.allocation.disk.threshold_enabled": "false",
    };
    const host = createNodeHost({
      name,
      folder: folderOf(shards),
      network: createNetwork(),
      settings,
      secrets: { secret: "of the nodes of this test" },
      ...shards,
      log: () => undefined,
    });
    const config = { name, clusterName: "test", httpAddress: undefined };
    const address = { hostAddress: "127.0.0.1", hostName: "localhost" };
    nodes.push(await startNode(host, { ...config, ...address, settings }, product));
  }
  const clusters = nodes.map(({ cluster }) => cluster);
  for (const cluster of clusters)
    await cluster.stateWhen((state) => state.nodes.size === 3, 60_000);
  return {
    clusters,
    outcome: (promise) => promise,
    end: async () => {
      await Promise.all(nodes.map((node) => node.stop()));
      for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
    },
  };
}

const keeper = { authorization: `Basic ${btoa("keeper:kept")}` };
const visitor = { authorization: `Basic ${btoa("visitor:visits")}` };
const nobody = {};

const worlds = {
  simulation: simulated,
  gRPC: () => real(() => createGrpcNetwork({ host: "127.0.0.1", port: 0 }), inOwnThread),
  "gRPC with shards in threads": () =>
    real(() => createGrpcNetwork({ host: "127.0.0.1", port: 0 }), inThreads),
  WebSocket: () => real(() => createWebsocketNetwork({ host: "127.0.0.1", port: 0 }), inOwnThread),
};

/** Words that stand in the hidden document and in hidden fields only. */
const HIDDEN = /treasure|4711|4712|goldfinger|goldsmith/;

const QUERIES: readonly (readonly [string, unknown])[] = [
  ["everything", {}],
  ["a term of a hidden field", { query: { term: { salary: 4711 } } }],
  ["a keyword below a hidden field", { query: { term: { "salary.text": "goldfinger" } } }],
  ["a range of a hidden field", { query: { range: { salary: { gte: 1 } } } }],
  ["that a hidden field exists", { query: { exists: { field: "salary" } } }],
  ["an alias of a hidden field", { query: { range: { pay: { gte: 1 } } } }],
  ["a query string", { query: { query_string: { query: "salary:>1 OR pay:>1" } } }],
  [
    "a pattern of fields",
    { query: { multi_match: { query: "4711", fields: ["sal*", "pay"], lenient: true } } },
  ],
  ["the id of the hidden document", { query: { ids: { values: ["1"] } } }],
  ["a word of the hidden document", { query: { match: { text: "treasure" } } }],
  ["words near to one of it", { query: { fuzzy: { text: "treasvre" } } }],
];

const SHOWS: readonly (readonly [string, Record<string, unknown>])[] = [
  [
    "sorted",
    {
      sort: [
        { salary: { order: "asc", unmapped_type: "long" } },
        { pay: { order: "asc", unmapped_type: "long" } },
      ],
    },
  ],
  ["with doc values", { docvalue_fields: ["salary", "salary.text", "pay", "*"] }],
  ["with fields", { fields: ["*", "sal*", "pay"] }],
  ["with stored fields", { stored_fields: ["salary", "text"] }],
  ["with its source", { _source: ["salary", "*"] }],
  [
    "with highlights",
    {
      query: { match_all: {} },
      highlight: {
        fields: { "*": {} },
        highlight_query: {
          query_string: { query: "treasure OR salary:4711 OR salary.text:goldfinger" },
        },
      },
    },
  ],
  [
    "with aggregations",
    {
      size: 0,
      aggs: {
        a: { terms: { field: "salary" } },
        b: { terms: { field: "salary.text" } },
        c: { max: { field: "salary" } },
        d: { terms: { field: "pay" } },
        e: { top_hits: {} },
        f: { value_count: { field: "salary" } },
        g: { terms: { field: "word" } },
      },
    },
  ],
  [
    "of everything",
    {
      size: 0,
      aggs: {
        all: {
          global: {},
          aggs: {
            a: { terms: { field: "word" } },
            e: { top_hits: { docvalue_fields: ["salary"] } },
          },
        },
      },
    },
  ],
  ["collapsed", { collapse: { field: "word" } }],
  ["explained", { explain: true }],
];

describe.each(Object.entries(worlds))("in the world %s", (_name, start) => {
  let world: World;

  const ask = async (
    node: number,
    line: string,
    body?: unknown,
    headers: Readonly<Record<string, string>> = nobody,
  ): Promise<Told> => {
    const [method = "", uri = ""] = line.split(" ");
    const text = body === undefined ? "" : typeof body === "string" ? body : JSON.stringify(body);
    const isStream = uri.includes("_bulk") || uri.includes("_msearch");
    const type = isStream ? "application/x-ndjson" : "application/json";
    const typed = text === "" ? {} : { "content-type": type };
    const cluster = world.clusters[node];
    if (cluster === undefined) throw new Error(`no node ${node}`);
    const answer = await world.outcome(
      dispatch({ method, uri, headers: { ...typed, ...headers }, body: utf8Encode(text) }, cluster),
    );
    return { status: answer.status, text: answer.body.map(utf8Decode).join("") };
  };

  /** Every node asked by both who may not see it. */
  const everywhere = async (line: string, body?: unknown): Promise<readonly Told[]> => {
    const told: Told[] = [];
    for (const node of names.keys())
      for (const who of [nobody, visitor]) told.push(await ask(node, line, body, who));
    return told;
  };

  beforeAll(async () => {
    world = await start();
    const properties = {
      salary: { type: "long", store: true, fields: { text: { type: "keyword" } } },
      pay: { type: "alias", path: "salary" },
      text: { type: "text", store: true },
      word: { type: "keyword" },
    };
    for (const index of ["secret", "open"]) {
      const settings = { number_of_shards: 2, number_of_replicas: 1 };
      const made = await ask(0, `PUT /${index}`, { settings, mappings: { properties } }, keeper);
      expect(made.status, made.text).toBe(200);
    }
    const put = (path: string, body: unknown) => ask(1, `PUT /${path}`, body, keeper);
    await put("secret/_doc/1", { text: "the treasure", word: "treasure", salary: 4712 });
    const settings = { number_of_shards: 1, number_of_replicas: 2 };
    await ask(0, "PUT /loose", { settings }, keeper);
    for (const [index, id] of [
      ["secret", "2"],
      ["secret", "3"],
      ["open", "1"],
      ["open", "2"],
    ])
      await put(`${index}/_doc/${id}`, { text: "plain", word: "plain", salary: 4711 });
    await put("loose/_doc/dotted", { "salary.of": "goldsmith", text: "plain" });
    await put("open/_doc/escaped", '{"sal\\u0061ry":4711,"text":"plain"}');
    await ask(
      2,
      "POST /_aliases",
      { actions: [{ add: { index: "secret", alias: "also" } }] },
      keeper,
    );
    await ask(0, "POST /_refresh", undefined, keeper);
    const health = "GET /_cluster/health?wait_for_status=green&timeout=60s";
    expect((await ask(0, health, undefined, keeper)).text).toContain('"timed_out":false');
  }, 120_000);

  afterAll(() => world.end());

  test("the keeper sees all of it from every node", async () => {
    for (const node of names.keys()) {
      const { status, text } = await ask(node, "GET /secret/_doc/1", undefined, keeper);
      expect([status, text]).toEqual([200, expect.stringContaining("treasure")]);
      const found = await ask(
        node,
        "POST /secret,open,loose/_search",
        { query: { range: { salary: { gt: 1 } } } },
        keeper,
      );
      expect(found.text).toContain("4711");
      expect(found.text).toContain("treasure");
    }
  });

  test.each([
    "GET /secret/_doc/1",
    "GET /also/_doc/1",
    "GET /secret/_source/1",
    "GET /secret/_doc/1?realtime=false",
    "GET /secret/_doc/1?refresh=true&stored_fields=text,salary",
    "GET /secret/_doc/1?preference=_local&_source=text",
    "HEAD /secret/_doc/1",
    "HEAD /also/_source/1",
  ])("%s is refused to everybody else", async (line) => {
    for (const { status, text } of await everywhere(line)) {
      expect(status).toBe(403);
      expect(text).not.toMatch(HIDDEN);
      if (line.startsWith("GET"))
        expect(text).toContain("no permissions for [indices:data/read/get]");
    }
  });

  test("a document that was written a moment ago is refused as well, and others are there", async () => {
    await ask(0, "PUT /secret/_doc/1", { text: "a new treasure", salary: 4712 }, keeper);
    await ask(0, "PUT /secret/_doc/new", { text: "plain", salary: 4711 }, keeper);

    for (const { status } of await everywhere("GET /secret/_doc/1")) expect(status).toBe(403);
    for (const { status, text } of await everywhere("GET /secret/_doc/new")) {
      expect([status, text]).toEqual([200, expect.stringContaining('"_source":{"text":"plain"}')]);
    }
  });

  test("items of a multi-get are refused one by one", async () => {
    const docs = [
      { _index: "secret", _id: "1" },
      { _index: "secret", _id: "2" },
      { _index: "also", _id: "1" },
    ];

    for (const { status, text } of await everywhere("POST /_mget", { docs })) {
      const items = JSON.parse(text) as { docs: { found?: boolean; error?: { type: string } }[] };
      expect(status).toBe(200);
      expect(items.docs.map(({ found, error }) => found ?? error?.type)).toEqual([
        "security_exception",
        true,
        "security_exception",
      ]);
      expect(text).not.toMatch(HIDDEN);
    }
  });

  test.each([
    "GET /open/_doc/2",
    "GET /open/_source/2",
    "GET /loose/_doc/dotted",
    "GET /open/_doc/escaped",
    "GET /open/_doc/2?stored_fields=salary,salary.text,pay",
    "GET /open/_doc/2?_source=salary,sal*",
  ])("%s shows no hidden field", async (line) => {
    for (const { status, text } of await everywhere(line)) {
      expect(status).toBe(200);
      expect(text).not.toMatch(HIDDEN);
      expect(text).not.toContain("salary");
    }
  });

  test.each(QUERIES)("a search for %s shows nothing that is hidden", async (_what, query) => {
    const body = { track_total_hits: true, ...(query as object) };
    for (const [, shows] of [["", {}] as const, ...SHOWS]) {
      const { status, text } = await ask(
        1,
        "POST /secret,open,loose/_search",
        { ...shows, ...body },
        visitor,
      );
      expect([200, 400], text).toContain(status);
      expect(text).not.toMatch(HIDDEN);
      expect(text).not.toContain('"_id":"1","_score":1.0,"_index":"secret"');
    }
  });

  test.each(SHOWS)(
    "a search %s shows nothing that is hidden, from no node",
    async (_what, shows) => {
      for (const { status, text } of await everywhere("POST /secret,open,loose/_search", shows)) {
        expect(status, text).toBe(200);
        expect(text).not.toMatch(HIDDEN);
      }
    },
  );

  test("what is hidden is not counted", async () => {
    const count = async (body: unknown) => {
      const told = await everywhere("POST /secret,open,loose/_count", body);
      return new Set(told.map(({ text }) => (JSON.parse(text) as { count: number }).count));
    };

    expect(await count({ query: { exists: { field: "salary" } } })).toEqual(new Set([0]));
    expect(await count({ query: { range: { salary: { gte: 0 } } } })).toEqual(new Set([0]));
    expect(await count({ query: { match: { text: "treasure" } } })).toEqual(new Set([0]));
    expect(
      (await ask(0, "POST /secret/_count", { query: { ids: { values: ["1"] } } }, keeper)).text,
    ).toContain('"count":1');
  });

  test("what reads terms of hidden documents is refused", async () => {
    for (const body of [
      { suggest: { s: { text: "treasvre", term: { field: "text" } } } },
      ...[0, 0.5, "0.9", -0.5].map((least) => ({
        aggs: { w: { terms: { field: "word", min_doc_count: least } } },
      })),
      { profile: true },
    ]) {
      for (const { text } of await everywhere("POST /secret/_search", body)) {
        expect(text).toContain("security_exception");
        expect(text).not.toMatch(HIDDEN);
      }
    }
  });

  test("contexts of somebody else are not listed and not ended", async () => {
    const keep = "POST /open/_search/point_in_time?keep_alive=1m";
    const opened = await ask(0, keep, undefined, keeper);
    const { pit_id: id } = JSON.parse(opened.text) as { pit_id: string };
    const scroll = await ask(0, "POST /open/_search?scroll=1m", { size: 1 }, keeper);
    const { _scroll_id: scrollId } = JSON.parse(scroll.text) as { _scroll_id: string };

    for (const { text } of await everywhere("GET /_search/point_in_time/_all"))
      expect(text).not.toContain(id);
    await everywhere("DELETE /_search/point_in_time/_all");
    await everywhere("DELETE /_search/point_in_time", { pit_id: [id] });
    await everywhere("DELETE /_search/scroll/_all");
    await everywhere("DELETE /_search/scroll", { scroll_id: [scrollId] });

    const page = { size: 1, pit: { id, keep_alive: "1m" } };
    expect((await ask(0, "POST /_search", page, keeper)).status).toBe(200);
    const next = { scroll: "1m", scroll_id: scrollId };
    expect((await ask(0, "POST /_search/scroll", next, keeper)).status).toBe(200);
    expect(
      (await ask(0, "DELETE /_search/scroll", { scroll_id: [scrollId] }, keeper)).text,
    ).toContain('"succeeded":true');
    expect(
      (await ask(0, "DELETE /_search/point_in_time", { pit_id: [id] }, keeper)).text,
    ).toContain('"successful":true');
  });

  test("queries that look up documents find what the asker may see", async () => {
    const terms = { word: { index: "secret", id: "1", path: "word" } };
    const searches = `{"index":"secret"}\n{"query":{"ids":{"values":["1"]}}}\n{"index":"open"}\n{"query":{"terms":${JSON.stringify(terms)}}}\n`;

    for (const { text } of await everywhere("POST /_msearch", searches))
      expect(text).not.toMatch(HIDDEN);
  });

  test("an update is refused, alone and in a bulk, and changes nothing", async () => {
    const doc = { doc: { text: "taken" }, _source: true, doc_as_upsert: true };
    const line = `{"update":{"_index":"secret","_id":"1"}}\n${JSON.stringify(doc)}\n`;

    for (const { status, text } of await everywhere("POST /secret/_update/1", doc)) {
      expect([status, text]).toEqual([403, expect.stringContaining("Update is not supported")]);
    }
    for (const { text } of await everywhere("POST /_bulk", line)) {
      expect(text).toContain('"errors":true');
      expect(text).not.toMatch(HIDDEN);
    }
    expect((await ask(0, "GET /secret/_doc/1", undefined, keeper)).text).toContain("treasure");
  });

  test("a scroll and a point in time of the keeper are nobody else's", async () => {
    const first = await ask(
      0,
      "POST /secret/_search?scroll=1m",
      { size: 1, sort: ["_doc"] },
      keeper,
    );
    const { _scroll_id: id } = JSON.parse(first.text) as { _scroll_id: string };
    const made = await ask(
      0,
      "POST /secret/_search/point_in_time?keep_alive=1m",
      undefined,
      keeper,
    );
    const { pit_id: pit } = JSON.parse(made.text) as { pit_id: string };

    for (const { text } of await everywhere("POST /_search/scroll", { scroll_id: id })) {
      expect(text).toContain("Wrong user in reader context");
      expect(text).not.toMatch(HIDDEN);
    }
    for (const { text } of await everywhere("POST /_search", { pit: { id: pit } })) {
      expect(text).toContain("Wrong user in reader context");
      expect(text).not.toMatch(HIDDEN);
    }
    expect((await ask(1, "POST /_search", { pit: { id: pit } }, keeper)).text).toContain(
      "treasure",
    );
  });

  test("a wrong password is no caller, and administration is the keeper's", async () => {
    const wrong = { authorization: `Basic ${btoa("keeper:guess")}` };

    expect((await ask(1, "GET /open/_doc/2", undefined, wrong)).status).toBe(401);
    for (const { status, text } of await everywhere("PUT /_snapshot/mine", {
      type: "fs",
      settings: { location: "x" },
    })) {
      expect([status, text]).toEqual([
        403,
        expect.stringContaining("[cluster:admin/repository/put]"),
      ]);
    }
  });
});
