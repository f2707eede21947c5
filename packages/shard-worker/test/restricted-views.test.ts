/** Restricted views of a copy: what each phase of a request sees, also while the copy changes. */
import {
  actions,
  CanMatchResponse,
  GetShardRequest,
  GetShardResponse,
  QueryPhaseResponse,
  ShardSearchRequest,
} from "@orrery/protocol";
import { decodeQueryResult } from "@orrery/query";
import { emptyBytes, utf8Decode, utf8Encode, type JsonObject } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { ShardPlugin } from "../src/plugin.ts";
import { createFakeCluster, INDEX, UUID, within, type FakeCluster } from "./fake-cluster.ts";

const shard = { shard: `${UUID}/0` };

/** Hides what its name says. */
function hiding(restriction: { documents?: JsonObject; hiddenFields?: string[] }): ShardPlugin {
  return { name: "hiding", actions: {}, restrict: () => restriction };
}

async function started(plugins: readonly ShardPlugin[]): Promise<FakeCluster> {
  const cluster = createFakeCluster(["n1"], "restricted", plugins);
  cluster.createIndex({
    replicas: 0,
    mapping: { properties: { n: { type: "long" }, open: { type: "boolean" } } },
  });
  await cluster.settle(1000);
  return cluster;
}

function documents(count: number, open: (n: number) => boolean = () => true) {
  return Array.from({ length: count }, (_, n) => ({
    operation: "index" as const,
    id: `${n}`,
    source: JSON.stringify({ n, open: open(n) }),
  }));
}

async function asked(cluster: FakeCluster, action: string, options: object): Promise<Uint8Array> {
  const payload = ShardSearchRequest.encode({
    ...{ index: INDEX, indexUuid: UUID, shard: 0, nowMs: 0 },
    allocationId: cluster.primary()?.allocationId ?? "",
    ...options,
  }).finish();
  return within(cluster, cluster.endpoint.request("n1" as never, action, payload, shard));
}

describe("can-match", () => {
  const body = utf8Encode('{"query":{"range":{"n":{"gte":8}}},"sort":["n"]}');

  test("tells bounds of a copy without hidden documents", async () => {
    const cluster = await started([]);
    await within(cluster, cluster.bulk(documents(10), { refresh: "true" }));

    const told = CanMatchResponse.decode(await asked(cluster, actions.canMatch, { body }));

    expect(told).toMatchObject({ matches: true, sortBounds: "[0,9]" });
  });

  test("tells no bounds of points, and of no query whether hidden documents have some that match", async () => {
    const cluster = await started([hiding({ documents: { range: { n: { lt: 5 } } } })]);
    await within(cluster, cluster.bulk(documents(10), { refresh: "true" }));
    const tell = async (gte: number) => {
      const text = `{"query":{"range":{"n":{"gte":${gte}}}},"sort":["n"]}`;
      const bytes = await asked(cluster, actions.canMatch, { body: utf8Encode(text) });
      return CanMatchResponse.decode(bytes);
    };

    for (const gte of [0, 8, 1000])
      expect(await tell(gte)).toMatchObject({ matches: true, sortBounds: "" });
  });

  test("tells no bounds of a hidden field", async () => {
    const cluster = await started([hiding({ hiddenFields: ["n"] })]);
    await within(cluster, cluster.bulk(documents(10), { refresh: "true" }));
    const sorted = utf8Encode('{"sort":[{"n":{"order":"asc","unmapped_type":"long"}}]}');

    const told = CanMatchResponse.decode(await asked(cluster, actions.canMatch, { body: sorted }));

    expect(told.sortBounds).toBe("");
  });
});

test("the largest and the smallest value are those of documents that may be seen", async () => {
  const cluster = await started([hiding({ documents: { range: { n: { gte: 3, lt: 6 } } } })]);
  await within(cluster, cluster.bulk(documents(10), { refresh: "true" }));
  const sort = async (order: string) => {
    const body = utf8Encode(`{"size":1,"sort":[{"n":"${order}"}]}`);
    const bytes = await asked(cluster, actions.queryPhase, { body });
    return decodeQueryResult(QueryPhaseResponse.decode(bytes).result);
  };

  expect(JSON.stringify((await sort("asc")).topDocs)).toContain("[3]");
  expect(JSON.stringify((await sort("desc")).topDocs)).toContain("[5]");
  expect((await sort("desc")).totalHits).toEqual({ value: 3, relation: "eq" });
});

describe("reads of many documents", () => {
  const get = async (cluster: FakeCluster, ids: readonly string[]) => {
    const payload = GetShardRequest.encode({
      ...{ index: INDEX, indexUuid: UUID, shard: 0 },
      allocationId: cluster.primary()?.allocationId ?? "",
      realtime: true,
      items: ids.map((id) => ({ id })),
    }).finish();
    const bytes = await cluster.endpoint.request("n1" as never, actions.getShard, payload, shard);
    const { items } = GetShardResponse.decode(bytes);
    return items.map(({ found, problem, source }) =>
      problem === null ? found && utf8Decode(source ?? emptyBytes) : problem,
    );
  };
  const ids = Array.from({ length: 40 }, (_, n) => `${n}`);

  test("hide each document that may not be seen", async () => {
    const cluster = await started([hiding({ documents: { term: { open: true } } })]);
    await within(
      cluster,
      cluster.bulk(
        documents(40, (n) => n % 2 === 0),
        { refresh: "true" },
      ),
    );

    const found = await within(cluster, get(cluster, ids));

    expect(found.map((one) => one !== false)).toEqual(ids.map((_, n) => n % 2 === 0));
  });

  test("hide a document that changes meanwhile: a view that has become old is not used", async () => {
    const cluster = await started([hiding({ documents: { term: { open: true } } })]);
    await within(cluster, cluster.bulk(documents(40), { refresh: "true" }));
    // Each document is read in a turn of its own.
    cluster.lookMs = 30;
    const reading = get(cluster, ids);
    const source = '{"open":false,"secret":"treasure"}';
    const item = { operation: "index" as const, id: "39", source };
    const writing = cluster.bulk([item], { refresh: "true" });

    const [found] = await within(cluster, Promise.all([reading, writing]));

    expect(found.slice(0, 10)).toEqual(ids.slice(0, 10).map((n) => `{"n":${n},"open":true}`));
    expect(found.at(-1)).toBe(false);
    expect(JSON.stringify(found)).not.toContain("treasure");
  });

  test("tell a restriction that is no query as the problem of each document", async () => {
    const cluster = await started([hiding({ documents: { nosuch: {} } })]);
    await within(cluster, cluster.bulk(documents(2), { refresh: "true" }));

    const found = await within(cluster, get(cluster, ["0", "1"]));

    const reason = expect.stringMatching(/^unexpected failure of plugin \[\w+\], the log/);
    const problem = { type: "exception", reason, status: 500 };
    expect(found).toMatchObject([problem, problem]);
  });
});
