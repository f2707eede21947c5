/** More requests than a node takes: what is too much is refused with 429 in the product's words, and nothing else suffers. */
import { afterEach, describe, expect, test } from "vitest";
import { simulatedCluster, type SimulatedCluster, type Told } from "./simulated-cluster.ts";

let running: SimulatedCluster | undefined;

afterEach(() => running?.simulation.end());

const smallPools = {
  "thread_pool.search.size": "1",
  "thread_pool.search.queue_size": "1",
  "thread_pool.write.size": "1",
  "thread_pool.write.queue_size": "1",
  "thread_pool.get.size": "1",
  "thread_pool.get.queue_size": "1",
};

async function one(settings: Record<string, string>, shards = 2): Promise<SimulatedCluster> {
  const cluster = simulatedCluster(1, ["node-1"], () => settings);
  running = cluster;
  cluster.start("node-1");
  await cluster.until(() => cluster.isFormed(["node-1"]));
  await cluster.ask("node-1", "PUT /books", {
    settings: { number_of_shards: shards, number_of_replicas: 0 },
  });
  for (let n = 0; n < 8; n += 1) await cluster.ask("node-1", `PUT /books/_doc/${n}`, { n });
  await cluster.ask("node-1", "POST /books/_refresh");
  return cluster;
}

/** All at the same time. */
async function together(
  cluster: SimulatedCluster,
  count: number,
  request: string,
  body?: unknown,
): Promise<readonly Told[]> {
  const told: Told[] = [];
  for (let i = 0; i < count; i += 1)
    void cluster.begin("node-1", request, body).then((answer) => told.push(answer));
  await cluster.until(() => told.length === count);
  return told;
}

async function send(cluster: SimulatedCluster, uri: string, body: string): Promise<Told> {
  let told: Told | undefined;
  void cluster.send("node-1", `POST ${uri}`, body).then((answer) => (told = answer));
  await cluster.until(() => told !== undefined);
  if (told === undefined) throw new Error("no answer");
  return told;
}

async function pools(cluster: SimulatedCluster) {
  const { json } = await cluster.ask("node-1", "GET /_nodes/stats/thread_pool");
  type Pools = Record<string, Record<string, number>>;
  const [node] = Object.values(json["nodes"] as unknown as Record<string, { thread_pool: Pools }>);
  return node?.thread_pool ?? {};
}

/** As the product says it, but for identities of objects and how much it has done so far. */
const rejected = (name: string, work: string, executor: string): RegExp =>
  new RegExp(
    `^rejected execution of ${work}@[0-9a-f]+ on ${executor}\\[name = node-1/${name}, queue capacity = 1, ` +
      `org\\.opensearch\\.common\\.util\\.concurrent\\.${executor}@[0-9a-f]+\\[Running, pool size = 1, ` +
      `active threads = 1, queued tasks = 1, completed tasks = \\d+\\]\\]$`,
  );
const rejectedSearch = rejected(
  "search",
  "org\\.opensearch\\.common\\.util\\.concurrent\\.TimedRunnable",
  "QueueResizableOpenSearchThreadPoolExecutor",
);
const rejectedWrite = rejected(
  "write",
  "org\\.opensearch\\.action\\.support\\.replication\\.TransportWriteAction\\$1",
  "OpenSearchThreadPoolExecutor",
);
const type = "rejected_execution_exception";

describe("searches beyond the pool and its queue", () => {
  test("are refused as the product refuses them, and counted; the others are answered", async () => {
    const cluster = await one(smallPools, 1);

    const told = await together(cluster, 5, "POST /books/_search", { query: { match_all: {} } });

    const statuses = told.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, 200, 429, 429, 429]);
    const refused = told.find(({ status }) => status === 429);
    const reason = expect.stringMatching(rejectedSearch);
    expect(refused?.json).toEqual({
      error: {
        root_cause: [{ type, reason }],
        type: "search_phase_execution_exception",
        reason: "all shards failed",
        phase: "query",
        grouped: true,
        failed_shards: [
          { shard: 0, index: "books", node: expect.any(String), reason: { type, reason } },
        ],
        caused_by: { type, reason, caused_by: { type, reason } },
      },
      status: 429,
    });
    expect((await pools(cluster))["search"]).toMatchObject({
      threads: 1,
      queue: 0,
      active: 0,
      rejected: 3,
      completed: 2,
    });
  });

  test("of one multi-search fail alone, with the same words", async () => {
    const cluster = await one(smallPools, 1);

    const told = await send(
      cluster,
      "/books/_msearch?max_concurrent_searches=5",
      "{}\n{}\n".repeat(5),
    );

    const items = told.json["responses"] as unknown as { status: number; error?: unknown }[];
    expect(told.status).toBe(200);
    expect(items.map(({ status }) => status)).toEqual([200, 200, 429, 429, 429]);
    expect(items[2]?.error).toMatchObject({
      type: "search_phase_execution_exception",
      caused_by: { type, reason: expect.stringMatching(rejectedSearch) },
    });
  });

  test("are none where one multi-search asks for many, as so many begin as there are threads for", async () => {
    const cluster = await one({}, 1);
    let largest = 0;
    const look = async (): Promise<void> => {
      const { active = 0, queue = 0 } = (await pools(cluster))["search"] ?? {};
      largest = Math.max(largest, active + queue);
    };

    let told: Told | undefined;
    void cluster
      .send("node-1", "POST /books/_msearch", '{}\n{"size":0}\n'.repeat(2000))
      .then((answer) => (told = answer));
    while (told === undefined) {
      await look();
      await cluster.run(1);
    }

    const items = told.json["responses"] as unknown as { status: number }[];
    expect(items).toHaveLength(2000);
    expect(items.every(({ status }) => status === 200)).toBe(true);
    const { availableProcessors } = cluster.simulation.cluster("node-1")?.process.os ?? {
      availableProcessors: 0,
    };
    expect(largest).toBeLessThanOrEqual(
      Math.min(Math.floor((availableProcessors * 3) / 2) + 1, 10),
    );
  });

  test("fail the shard they came to, not the other", async () => {
    const cluster = await one({ ...smallPools, "thread_pool.search.queue_size": "0" });

    const [told] = await together(cluster, 1, "POST /books/_count", { query: { match_all: {} } });

    expect(told?.status).toBe(200);
    expect(told?.json["_shards"]).toMatchObject({ total: 2, successful: 1, failed: 1 });
  });

  test("keep nothing of the cluster's own waiting", async () => {
    const cluster = await one(smallPools, 1);
    const order: string[] = [];
    const note = (what: string) => () => void order.push(what);

    for (let i = 0; i < 2; i += 1)
      void cluster.begin("node-1", "POST /books/_search", {}).then(note("search"));
    void cluster.begin("node-1", "GET /_cluster/health").then(note("health"));
    await cluster.until(() => order.length === 3);

    expect(order[0]).toBe("health");
  });
});

test("writes beyond the pool and its queue fail with 429 item by item, and are not written", async () => {
  const cluster = await one(smallPools, 1);

  const told = await together(cluster, 4, "POST /books/_doc", { a: 1 });

  const refused = told.filter(({ status }) => status === 429);
  expect(told.filter(({ status }) => status === 201)).toHaveLength(2);
  expect(refused).toHaveLength(2);
  const reason = expect.stringMatching(rejectedWrite);
  expect(refused[0]?.json).toEqual({
    error: { root_cause: [{ type, reason }], type, reason },
    status: 429,
  });
  await cluster.ask("node-1", "POST /books/_refresh");
  expect((await cluster.ask("node-1", "GET /books/_count")).json["count"]).toBe(10);
  expect((await pools(cluster))["write"]?.["rejected"]).toBe(2);
});

test("sizes of pools that were given are told", async () => {
  const cluster = await one(smallPools);

  const { json } = await cluster.ask("node-1", "GET /_nodes/thread_pool");

  const [node] = Object.values(json["nodes"] as unknown as Record<string, Record<string, never>>);
  expect(node?.["thread_pool"]).toMatchObject({
    search: { type: "resizable", size: 1, queue_size: 1 },
    write: { type: "fixed", size: 1, queue_size: 1 },
  });
});

describe("a large bulk", () => {
  const LINES = 9000;

  /** More than two megabytes, among them what fails in different ways. */
  function lines(): string {
    const text = "x".repeat(240);
    const all: string[] = [];
    for (let i = 0; i < LINES; i += 1) {
      if (i % 1000 === 7) all.push('{"delete":{"_id":"d1"}}');
      else if (i % 1000 === 8) all.push('{"create":{"_id":"same"}}', `{"n":${i},"text":"${text}"}`);
      else if (i % 1000 === 9) all.push('{"index":{"_id":""}}', "{}");
      else if (i % 1000 === 10) all.push('{"index":{"_id":"bad"}}', '{"n":"no number"}');
      else all.push(`{"index":{"_id":"d${i % 50}"}}`, `{"n":${i},"text":"${text}"}`);
    }
    return `${all.join("\n")}\n`;
  }

  interface Item {
    readonly status: number;
    readonly _id: string;
    readonly _seq_no?: number;
    readonly forced_refresh?: boolean;
  }

  function itemsOf({ json }: Told): readonly Item[] {
    return (json["items"] as unknown as Record<string, Item>[]).flatMap((item) =>
      Object.values(item),
    );
  }

  test("is written slice by slice, in order, and answered as if it were one", async () => {
    const cluster = await one({}, 1);

    const told = await send(cluster, "/books/_bulk", lines());

    const items = itemsOf(told);
    expect(told.status).toBe(200);
    expect(told.json["errors"]).toBe(true);
    expect(items).toHaveLength(LINES);
    const statuses = new Map<number, number>();
    for (const { status } of items) statuses.set(status, (statuses.get(status) ?? 0) + 1);
    // Empty ids and numbers that are none; documents that are there already; deletes and everything else.
    expect(statuses.get(400)).toBe(18);
    expect(statuses.get(409)).toBe(8);
    const numbers = items.flatMap(({ _seq_no }) => _seq_no ?? []);
    expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
    const last = await cluster.ask("node-1", "GET /books/_doc/d49");
    expect(last.json["_source"]).toMatchObject({ n: LINES - 1 });
  });

  test("is refreshed once, at its end, and says so of each item", async () => {
    const cluster = await one({}, 1);

    const told = await send(cluster, "/books/_bulk?refresh=true", lines());
    const found = await cluster.ask("node-1", "GET /books/_count?q=n:8999");

    expect(itemsOf(told).find(({ status }) => status === 200)?.forced_refresh).toBe(true);
    expect(found.json["count"]).toBe(1);
  });

  test("with a malformed line at its end writes nothing", async () => {
    const cluster = await one({}, 1);

    const told = await send(cluster, "/books/_bulk?refresh=true", `${lines()}{"index":[]}\n{}\n`);
    const { json } = await cluster.ask("node-1", "GET /books/_count");

    expect(told.status).toBe(400);
    expect(told.text).toContain("Malformed action/metadata line [");
    expect(json["count"]).toBe(8);
  });

  test("says all that is wrong with it at once, and writes nothing", async () => {
    const cluster = await one({}, 1);

    const told = await send(cluster, "/_bulk", lines());

    expect(told.status).toBe(400);
    expect(told.text).toContain("Validation Failed: 1: index is missing;2: index is missing;");
  });

  test("above what a node may coordinate is refused in the product's words, and nothing of it is written", async () => {
    const cluster = await one({ "indexing_pressure.memory.limit": "1mb" }, 1);

    const told = await send(cluster, "/books/_bulk", lines());
    const one_ = await cluster.ask("node-1", "PUT /books/_doc/1", { n: 1 });
    const stats = await cluster.ask("node-1", "GET /_nodes/stats/indexing_pressure");

    expect(told.status).toBe(429);
    expect(told.text).toMatch(
      /"type":"rejected_execution_exception","reason":"rejected execution of coordinating operation \[coordinating_and_primary_bytes=0, replica_bytes=0, all_bytes=0, coordinating_operation_bytes=\d+, max_coordinating_and_primary_bytes=1048576\]"\}/,
    );
    expect(one_.status).toBe(200);
    expect(stats.text).toMatch(/"current":\{"combined_coordinating_and_primary_in_bytes":0,/);
    expect(stats.text).toContain('"coordinating_rejections":1');
  });
});
