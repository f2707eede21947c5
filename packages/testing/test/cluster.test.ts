/** A cluster per test: real URLs, virtual time, faults, snapshots; and what it costs. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { afterAll, describe, expect, test, vi } from "vitest";
import {
  createPool,
  closeClustersAfter,
  clusterLogs,
  createTestCluster,
  endPools,
  withCluster,
  type TestCluster,
} from "../src/index.ts";

closeClustersAfter({ afterAll });

const books = { settings: { number_of_shards: 3, number_of_replicas: 1 } };

interface Health {
  readonly status: string;
  readonly number_of_nodes: number;
}

async function health(cluster: TestCluster, node: string): Promise<Health> {
  const { body } = await cluster.request("GET", "/_cluster/health", { node });
  return body as unknown as Health;
}

/** Until so many requests have reached it. */
function outstanding(cluster: TestCluster, count: number): Promise<void> {
  const said = (): Promise<string> => cluster.snapshot().then(() => "at rest", String);
  return expect.poll(said, { interval: 1 }).toContain(`${count} requests are outstanding`);
}

describe("a cluster of a test", () => {
  test(
    "answers at real URLs while time stands still otherwise",
    withCluster(async (cluster) => {
      const headers = { "content-type": "application/json" };
      const put = await fetch(`${cluster.urls[0]}/books/_doc/1?refresh=true`, {
        method: "PUT",
        headers,
        body: JSON.stringify({ title: "A book" }),
      });
      const atMs = cluster.nowMs;
      const found = await fetch(`${cluster.urls[2]}/books/_doc/1`);

      expect([put.status, found.status]).toEqual([201, 200]);
      expect(await found.json()).toMatchObject({ found: true, _source: { title: "A book" } });
      expect(cluster.nowMs - atMs).toBeLessThan(100);
    }),
  );

  test(
    "is as new for the next test",
    withCluster(async (cluster) => {
      const { status } = await cluster.request("GET", "/books/_doc/1");

      expect(status).toBe(404);
    }),
  );

  test(
    "moves in time as the test says: minutes pass at once",
    withCluster(async (cluster) => {
      await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
      await cluster.crash("node-3");
      await cluster.advance(30_000);
      const before = await health(cluster, "node-1");
      // A copy of a node that has left is not made anew for a minute.
      await cluster.advance(60_000);
      const after = await health(cluster, "node-1");

      expect([before.status, after.status]).toEqual(["yellow", "green"]);
    }),
  );

  test(
    "fails over, and keeps what was acknowledged",
    withCluster(async (cluster) => {
      await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
      for (let i = 0; i < 20; i += 1)
        await cluster.request("PUT", `/books/_doc/${i}`, { body: { i } });

      await cluster.crash("node-1");
      await cluster.until(async () => (await health(cluster, "node-2")).number_of_nodes === 2);
      await cluster.request("POST", "/books/_refresh", { node: "node-2" });
      const counted = await cluster.request("GET", "/books/_count", { node: "node-3" });
      await expect(fetch(`${cluster.urls[0]}/`)).rejects.toThrow("fetch failed");
      await cluster.start("node-1");

      expect(counted.body).toMatchObject({ count: 20 });
      expect((await fetch(`${cluster.urls[0]}/`)).status).toBe(200);
    }),
  );

  test(
    "is disturbed by the faults of scenarios until they are ended",
    withCluster(async (cluster) => {
      const heal = await cluster.fault("partition", { isolate: "node-3" });
      await cluster.advance(120_000);
      const { body: during } = await cluster.request("GET", "/_cluster/health");
      await heal();
      await cluster.until(async () => (await health(cluster, "node-1")).number_of_nodes === 3);

      expect(during).toMatchObject({ number_of_nodes: 2 });
      await expect(cluster.fault("partition", { isolate: "node-9" })).rejects.toThrow(
        "unknown node [node-9] -> did you mean [node-1]?",
      );
      await expect(cluster.fault("crash", { node: "primary:books/0" })).rejects.toThrow(
        "the fault [crash] found nothing to harm",
      );
    }),
  );

  test(
    "cuts the connections of a node that goes down in the middle, by a fault or otherwise",
    withCluster(async (cluster) => {
      const waits = "_cluster/health?wait_for_nodes=9&timeout=1h";
      const [first, second] = [
        fetch(`${cluster.urls[0]}/${waits}`),
        fetch(`${cluster.urls[1]}/${waits}`),
      ];
      const outcomes = Promise.allSettled([first, second]);
      await outstanding(cluster, 2);
      await cluster.crash("node-1");
      const heal = await cluster.fault("crash", { node: "node-2" });
      const whileDown = await Promise.allSettled([fetch(`${cluster.urls[1]}/`)]);
      await heal();
      await cluster.start("node-1");

      expect([...(await outcomes), ...whileDown]).toMatchObject(
        Array.from({ length: 3 }, () => ({
          status: "rejected",
          reason: { message: "fetch failed" },
        })),
      );
      await cluster.until(async () => (await health(cluster, "node-2")).number_of_nodes === 3);
      expect((await fetch(`${cluster.urls[1]}/`)).status).toBe(200);
    }),
  );

  test(
    "does not answer at the URL of a node that is paused",
    withCluster(async (cluster) => {
      const resume = await cluster.fault("pause", { node: "node-2" });
      const answer = fetch(`${cluster.urls[1]}/`);
      await outstanding(cluster, 1);
      const askedAtMs = cluster.nowMs;
      await cluster.until(() => cluster.nowMs > askedAtMs + 5000);
      await outstanding(cluster, 1);
      await resume();

      expect((await answer).status).toBe(200);
    }),
  );

  test(
    "is brought back to a snapshot: documents, settings and time",
    withCluster(async (cluster) => {
      await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
      await cluster.request("PUT", "/books/_doc/1", { body: { version: "kept" } });
      const image = await cluster.snapshot();
      const atMs = cluster.nowMs;

      for (let turn = 0; turn < 2; turn += 1) {
        await cluster.request("DELETE", "/books");
        await cluster.advance(60_000);
        await cluster.restore(image);
        const { body } = await cluster.request("GET", "/books/_doc/1");

        expect(body).toMatchObject({ found: true, _source: { version: "kept" } });
        expect(cluster.nowMs - atMs).toBeLessThan(120_000);
      }
    }),
  );

  test(
    "is not at rest while a node is down",
    withCluster(async (cluster) => {
      await cluster.crash("node-2");

      await expect(cluster.snapshot()).rejects.toThrow("the cluster does not come to rest");
    }),
  );
});

test("the same seed draws the same cluster", async () => {
  const ids = async (seed: number): Promise<unknown> => {
    const cluster = await createTestCluster({ nodes: 2, seed });
    const { body } = await cluster.request("GET", "/_nodes/_all/none");
    await cluster.close();
    return Object.keys((body as { nodes: object }).nodes);
  };

  expect(await ids(7)).toEqual(await ids(7));
  expect(await ids(7)).not.toEqual(await ids(8));
  await expect(createTestCluster({ seed: -1 })).rejects.toThrow("a seed must be a whole number");
});

describe("options that mean no cluster are refused", () => {
  test.each([0, -1, 1.5, Number.NaN, 101])("%s nodes", async (nodes) => {
    await expect(createTestCluster({ nodes })).rejects.toThrow(
      `[nodes] of a test cluster must be a whole number from 1 to 100, not [${nodes}]`,
    );
  });

  test.each([
    ["cluster.nosuch", "1", /unknown setting \[cluster\.nosuch\] please check that any required/],
    ["cluster.nme", "books", /unknown setting \[cluster\.nme\] did you mean \[cluster\.name\]\?/],
    ["orrery.strict", "yes", /Failed to parse value \[yes\] as only \[true\] or \[false\]/],
    ["index.number_of_shards", "3", /index level settings .* \[index\.number_of_shards\]/],
  ])("the setting %s: %s", async (key, value, sentence) => {
    await expect(createTestCluster({ settings: { [key]: value } })).rejects.toThrow(sentence);
  });
});

test("a request that is still waited for does not outlive its cluster", async () => {
  const cluster = await createTestCluster({ nodes: 1 });
  const waits = (): Promise<unknown>[] => {
    const uri = "/_cluster/health?wait_for_nodes=9&timeout=10000h";
    return [cluster.request("GET", uri, { timeoutMs: 1e12 }), fetch(`${cluster.urls[0]}${uri}`)];
  };
  const reset = Promise.allSettled(waits());
  await outstanding(cluster, 2);
  await cluster.reset();
  const closed = Promise.allSettled(waits());
  await outstanding(cluster, 2);
  await cluster.close();
  const stoppedAtMs = cluster.nowMs;
  // What drives time takes one turn of the machine after another.
  for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);

  expect(await reset).toMatchObject([
    { status: "rejected", reason: { message: "the cluster was brought back to a snapshot" } },
    { status: "rejected", reason: { message: "fetch failed" } },
  ]);
  expect(await closed).toMatchObject([
    { status: "rejected", reason: { message: "the cluster is closed" } },
    { status: "rejected", reason: { message: "fetch failed" } },
  ]);
  expect(cluster.nowMs).toBe(stoppedAtMs);
});

describe("a cluster in real time", () => {
  test(
    "goes on by itself, with the clock of the machine",
    withCluster(
      async (cluster) => {
        await cluster.request("PUT", "/books?wait_for_active_shards=all", { body: books });
        const atMs = cluster.nowMs;
        await expect.poll(() => cluster.nowMs - atMs, { interval: 1 }).toBeGreaterThan(50);
        await cluster.advance(20);

        expect(cluster.nowMs - atMs).toBeGreaterThan(70);
        expect((await health(cluster, "node-2")).status).toBe("green");
      },
      { time: "real" },
    ),
  );

  test("stands still when it is closed, and takes no other word for its time", async () => {
    const cluster = await createTestCluster({ nodes: 1, time: "real" });
    const waits = cluster.request("GET", "/_cluster/health?wait_for_nodes=9&timeout=1h");
    const closed = Promise.allSettled([waits]);
    await outstanding(cluster, 1);
    await cluster.close();
    const stoppedAtMs = cluster.nowMs;
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);

    expect(await closed).toMatchObject([{ reason: { message: "the cluster is closed" } }]);
    expect(cluster.nowMs).toBe(stoppedAtMs);
    // A program in JavaScript may give any value.
    const time = JSON.parse('"fast"') as "real";
    await expect(createTestCluster({ time })).rejects.toThrow("must be [virtual] or [real]");
  });
});

test(
  "the logs of the nodes begin with the test, tell what happened, and repeat nothing",
  withCluster(async (cluster) => {
    expect(clusterLogs(cluster)).toBe("");
    const heal = await cluster.fault("partition", { isolate: "node-3" });
    await cluster.advance(60_000);
    await heal();
    await cluster.crash("node-2");

    const lines = cluster.logs().map((line) => line.replace(/^\d+\.\d{3} s {2}/, ""));
    expect(lines[0]).toMatch(/^test {2}fault \[partition\] starts: /);
    expect(lines.at(-1)).toBe("node-2  loses power");
    expect(lines.filter((line) => line.includes("not discovered yet")).join("\n")).toMatch(
      /\(repeated, \d times\)$/,
    );
    expect(Math.max(...lines.map(({ length }) => length))).toBeLessThan(300);
  }),
);

test("a runner with a hook for failures reports also a test that never ends", async () => {
  let tell = (): void => undefined;
  let proceed = (): void => undefined;
  const told: string[] = [];
  const run: (context: object) => Promise<void> = withCluster(
    async (cluster) => {
      await cluster.crash("node-1");
      await new Promise<void>((resolve) => {
        proceed = resolve;
      });
    },
    { nodes: 1, seed: 12 },
  );
  const context = {
    onTestFailed: (hook: () => void): void => {
      tell = hook;
    },
  };
  const running = run(context);
  await expect.poll(() => tell.name, { interval: 1 }).toBe("tell");
  await expect.poll(() => proceed.name, { interval: 1 }).not.toBe("proceed");
  const write = vi.spyOn(process.stderr, "write").mockImplementation((text) => {
    told.push(String(text));
    return true;
  });
  try {
    tell();
    proceed();
    await running;
    tell();
  } finally {
    write.mockRestore();
  }

  expect(told[0]).toMatch(/ORRERY_SEED=12 replays it\n {2}\d\.\d+ s {2}node-1 {2}loses power\n$/);
  expect(told[1]).toBe(told[0]);
});

test("a test that fails tells the seed that replays it", () => {
  const index = join(import.meta.dirname, "../src/index.ts");
  const program = `
    import { after, test } from "node:test";
    import { closeClustersAfter, withCluster } from ${JSON.stringify(index)};
    closeClustersAfter({ afterAll: after });
    test("fails", withCluster(async (cluster) => {
      const { status } = await cluster.request("GET", "/_cluster/health");
      throw new Error("status " + status);
    }, { nodes: 1 }));
  `;

  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ["--conditions=source", "--input-type=module", "--eval", program],
    { encoding: "utf8", env: { ...process.env, ORRERY_SEED: "4711" } },
  );

  expect(stderr).toContain("orrery: the cluster had the seed 4711: ORRERY_SEED=4711 replays it\n");
  expect([status, stdout.includes("status 200")]).toEqual([1, true]);
});

test(
  "time moves forwards only, and by a number",
  withCluster(async (cluster) => {
    const before = cluster.nowMs;

    for (const ms of [Number.NaN, Infinity, -1])
      await expect(cluster.advance(ms)).rejects.toThrow(
        `time moves by a number of milliseconds from 0 on, not [${ms}]`,
      );
    expect(cluster.nowMs).toBe(before);
  }),
);

test.each(["", "abc", "-1", "1.5", "1e3"])("ORRERY_SEED=%s is refused as it was given", (seed) => {
  vi.stubEnv("ORRERY_SEED", seed);
  try {
    expect(() => createPool()).toThrow(
      `ORRERY_SEED must be a whole number from 0 on, not [${seed}]`,
    );
  } finally {
    vi.unstubAllEnvs();
  }
});

afterAll(endPools);
