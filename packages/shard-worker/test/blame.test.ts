/** INV-ENGINE-2: a request that cannot be served fails itself; faults of engine and store fail the copy. */
import { DiskError } from "@orrery/ports";
import { actions, QueryPhaseResponse, ShardSearchRequest } from "@orrery/protocol";
import { createAnalysis } from "@orrery/analysis";
import { utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { engineOf } from "../src/copy/shard-copy.ts";
import { flush } from "../src/engine/flush.ts";
import { closeBatch, indexOnPrimary } from "../src/engine/operations.ts";
import type { ShardPlugin } from "../src/plugin.ts";
import { noCondition } from "../src/engine/types.ts";
import { createFixture, newEngine, put, read, reopen } from "./engine-fixture.ts";
import { createFakeCluster, INDEX, UUID, within, type FakeCluster } from "./fake-cluster.ts";

const shard = { shard: `${UUID}/0` };

const faulty: ShardPlugin = {
  name: "faulty",
  actions: {
    "test/bug": async () => {
      throw new TypeError("x is not a function");
    },
    "test/disk": async () => {
      throw new DiskError("io", "a", "Input/output error");
    },
    "test/old-commits": async (copy) => {
      const engine = engineOf(copy);
      engine.commits = [...engine.commits, ...engine.commits];
      engine.translog.trimBefore = () => {
        throw new DiskError("read-only", "a", "read-only file system");
      };
      copy.onGlobalCheckpoint();
      return new Uint8Array(0);
    },
  },
};

async function started(nodes: readonly string[] = ["n1"]): Promise<FakeCluster> {
  const cluster = createFakeCluster(nodes, "blame", [faulty]);
  cluster.createIndex({
    replicas: nodes.length - 1,
    mapping: { properties: { n: { type: "long" }, t: { type: "text" } } },
  });
  await cluster.settle(1000);
  cluster.allocate();
  await cluster.settle(1000);
  return cluster;
}

async function search(cluster: FakeCluster, body: string): Promise<QueryPhaseResponse> {
  const payload = ShardSearchRequest.encode({
    index: INDEX,
    indexUuid: UUID,
    shard: 0,
    allocationId: cluster.primary()?.allocationId ?? "",
    body: utf8Encode(body),
    nowMs: 0,
  }).finish();
  const request = cluster.endpoint.request("n1" as never, actions.queryPhase, payload, shard);
  return QueryPhaseResponse.decode(await within(cluster, request));
}

const index = (cluster: FakeCluster, id: string, source: string) =>
  within(cluster, cluster.bulk([{ operation: "index", id, source }]));

const unharmed = (cluster: FakeCluster): void => {
  expect(cluster.primary()).toMatchObject({ allocationId: "a1", state: "STARTED" });
  expect(cluster.state().metadata.indices.get(INDEX)?.primaryTerms).toEqual([1]);
};

describe("a request that meets a bug", () => {
  test("fails alone, and the log tells where", async () => {
    const cluster = await started();

    const asked = cluster.endpoint.request("n1" as never, "test/bug", new Uint8Array(0), shard);

    await expect(within(cluster, asked)).rejects.toMatchObject({ problem: { status: 500 } });
    unharmed(cluster);
    expect(cluster.log.join("\n")).toMatch(
      /\[books\]\[0\] unexpected failure .*TypeError: x is not/,
    );
    expect((await index(cluster, "1", '{"n":1}')).items[0]?.status).toBe(201);
  });

  test("fails the copy when it is a fault of the disk", async () => {
    const cluster = await started();

    const asked = cluster.endpoint.request("n1" as never, "test/disk", new Uint8Array(0), shard);

    await expect(within(cluster, asked)).rejects.toMatchObject({
      problem: { type: "i_o_exception" },
    });
    await cluster.settle(100);
    expect(cluster.primary()).toBeUndefined();
  });
});

test("a disk that fails when old commits are removed fails the copy, not the request that raised the checkpoint", async () => {
  const cluster = await started();

  const payload = new Uint8Array(0);
  const told = cluster.endpoint.request("n1" as never, "test/old-commits", payload, shard);

  await expect(within(cluster, told)).resolves.toHaveLength(0);
  await cluster.settle(100);
  expect(cluster.primary()).toBeUndefined();
  expect(cluster.log.join("\n")).toContain("read-only file system");
});

describe("what no copy fails for", () => {
  test.each(["query_string", "simple_query_string"])(
    "15,000 brackets in each other in a %s",
    async (kind) => {
      const cluster = await started();
      const text = `${"(".repeat(15_000)}x${")".repeat(15_000)}`;
      const body = JSON.stringify({ query: { [kind]: { query: text, fields: ["t"] } } });

      await expect(search(cluster, body)).rejects.toMatchObject({ problem: { status: 400 } });
      unharmed(cluster);
    },
  );

  test.each(['"1e400"', '"-1e400"', "1e999", "1e400", '"1e30"', '"Infinity"', '"NaN"'])(
    "%s for a long",
    async (value) => {
      const cluster = await started();

      const { items } = await index(cluster, "2", `{"n":${value}}`);

      expect(items[0]?.status).toBe(400);
      expect(items[0]?.problem?.reason).toContain("failed to parse field [n] of type [long]");
      unharmed(cluster);
    },
  );

  test("an update whose document cannot be read", async () => {
    const cluster = await started();
    const deep = `${'{"a":'.repeat(15_000)}1${"}".repeat(15_000)}`;
    await index(cluster, "1", '{"n":1}');

    const { items } = await within(
      cluster,
      cluster.bulk([
        { operation: "index", id: "2", source: '{"n":2}' },
        { operation: "update", id: "1", source: `{"doc":${deep}}` },
        { operation: "index", id: "3", source: '{"n":3}' },
      ]),
    );

    expect(items[0]?.status).toBe(201);
    expect(items[1]?.status).toBeGreaterThanOrEqual(400);
    expect(items[2]?.status).toBe(201);
    unharmed(cluster);
  });
});

describe("a document whose analysis meets a bug", () => {
  const field = {
    name: "t",
    type: "text",
    index: "positions",
    norms: true,
    docValues: false,
    points: false,
    analyzer: {
      ...createAnalysis({}).analyzer("standard"),
      visitBytes: () => {
        throw new RangeError("Maximum call stack size exceeded");
      },
    },
  } as const;

  test("is refused alone, and a no-op takes its number", async () => {
    const fixture = createFixture();
    const engine = await newEngine(fixture);
    put(engine, "1", "before");
    const source = utf8Encode("{}");

    const outcome = indexOnPrimary(engine, 1, {
      id: "2",
      routing: undefined,
      source,
      parsed: { source, fields: [{ field, value: "x" }], children: [] } as never,
      condition: noCondition,
      isNew: false,
    });

    expect(outcome).toMatchObject({ kind: "failed", problem: { status: 500 } });
    expect(fixture.failures).toEqual([]);
    expect(put(engine, "3", "after")).toMatchObject({ kind: "done", seqNo: 2 });
    closeBatch(engine);
    await flush(engine, { force: true, waitIfOngoing: true });
    const again = await reopen(fixture);
    expect(["1", "2", "3"].map((id) => read(again, id))).toEqual(["before", undefined, "after"]);
    expect(again.tracker.processedCheckpoint).toBe(2);
  });
});
