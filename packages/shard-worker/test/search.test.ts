/** Searching a shard copy: contexts, phases, keep-alives. */
import {
  actions,
  FetchPhaseRequest,
  FetchPhaseResponse,
  FreeContextRequest,
  FreeContextResponse,
  GetShardRequest,
  GetShardResponse,
  QueryPhaseResponse,
  ShardSearchRequest,
} from "@orrery/protocol";
import { decodeFetchResult, decodeQueryResult, encodePlain } from "@orrery/query";
import { emptyBytes, utf8Decode, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createFakeCluster, INDEX, UUID, within, type FakeCluster } from "./fake-cluster.ts";

const shard = { shard: `${UUID}/0` };

async function started(settings: Record<string, string> = {}): Promise<FakeCluster> {
  const cluster = createFakeCluster(["n1"]);
  cluster.createIndex({ replicas: 0, settings });
  await cluster.settle(1000);
  return cluster;
}

async function query(cluster: FakeCluster, options: Record<string, unknown> = {}) {
  const payload = ShardSearchRequest.encode({
    index: INDEX,
    indexUuid: UUID,
    shard: 0,
    allocationId: cluster.primary()?.allocationId ?? "",
    body: utf8Encode('{"query":{"match_all":{}}}'),
    nowMs: 0,
    ...options,
  }).finish();
  const bytes = await within(
    cluster,
    cluster.endpoint.request("n1" as never, actions.queryPhase, payload, shard),
  );
  const answer = QueryPhaseResponse.decode(bytes);
  return {
    answer,
    get result() {
      return decodeQueryResult(answer.result);
    },
  };
}

async function fetch(cluster: FakeCluster, contextId: string, docs: unknown): Promise<string[]> {
  const payload = FetchPhaseRequest.encode({
    indexUuid: UUID,
    shard: 0,
    contextId,
    body: utf8Encode("{}"),
    docs: encodePlain(docs as never),
    freeContext: true,
  }).finish();
  const bytes = await within(
    cluster,
    cluster.endpoint.request("n1" as never, actions.fetchPhase, payload, shard),
  );
  return sourcesOf(FetchPhaseResponse.decode(bytes).result);
}

function sourcesOf(fetched: Uint8Array): string[] {
  return decodeFetchResult(fetched).hits.map(({ source }) => utf8Decode(source ?? emptyBytes));
}

describe("a search", () => {
  test("fetches from the reader that its query phase saw, and frees it", async () => {
    const cluster = await started();
    await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "1", source: '{"a":1}' }], { refresh: "true" }),
    );
    const { answer, result } = await query(cluster, { keepContext: true });
    await within(cluster, cluster.bulk([{ operation: "delete", id: "1" }], { refresh: "true" }));

    const hits = await fetch(cluster, answer.contextId, result.topDocs);

    expect(hits).toEqual(['{"a":1}']);
    expect((await query(cluster)).result.totalHits).toEqual({ value: 0, relation: "eq" });
    await expect(fetch(cluster, answer.contextId, [])).rejects.toMatchObject({
      problem: {
        type: "search_context_missing_exception",
        status: 404,
        reason: "No search context found for id [1]",
      },
    });
  });

  test("keeps no reader open when it found nothing to fetch", async () => {
    const cluster = await started();
    const { answer: empty } = await query(cluster, { keepContext: true });
    const scroll = await query(cluster, { keepContext: true, isScroll: true });
    await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "1", source: "{}" }], { refresh: "true" }),
    );
    const body = utf8Encode('{"size":0}');
    const { answer: counted } = await query(cluster, { keepContext: true, body });

    expect([empty.contextId, counted.contextId]).toEqual(["", ""]);
    expect(scroll.answer.contextId).not.toBe("");
  });

  test("with nothing to merge fetches its page alone, not what comes before it", async () => {
    const cluster = await started();
    const items = ["1", "2", "3"].map((id) => ({
      operation: "index" as const,
      id,
      source: `{"n":${id}}`,
    }));
    await within(cluster, cluster.bulk(items, { refresh: "true" }));

    const body = utf8Encode('{"sort":["n"],"from":1,"size":1}');
    const { answer } = await query(cluster, { fetch: true, body });

    expect(sourcesOf(answer.fetched)).toEqual(['{"n":2}']);
  });

  test("loses its context when the keep-alive has passed", async () => {
    const cluster = await started();
    const { answer } = await query(cluster, { keepContext: true, keepAliveMs: 30_000 });

    await cluster.settle(125_000);

    await expect(fetch(cluster, answer.contextId, [])).rejects.toMatchObject({
      problem: { status: 404 },
    });
  });

  test("can free its context early", async () => {
    const cluster = await started();
    await within(
      cluster,
      cluster.bulk([{ operation: "index", id: "1", source: "{}" }], { refresh: "true" }),
    );
    const { answer } = await query(cluster, { keepContext: true });
    const payload = FreeContextRequest.encode({
      indexUuid: UUID,
      shard: 0,
      contextId: answer.contextId,
    }).finish();
    const free = () =>
      within(cluster, cluster.endpoint.request("n1" as never, actions.freeContext, payload, shard));

    expect(FreeContextResponse.decode(await free()).freed).toBe(true);
    expect(FreeContextResponse.decode(await free()).freed).toBe(false);
  });

  test("counts without collecting", async () => {
    const cluster = await started();
    const items = ["1", "2", "3"].map(
      (id) => ({ operation: "index", id, source: `{"a":${id}}` }) as const,
    );
    await within(cluster, cluster.bulk(items, { refresh: "true" }));

    const payload = { countOnly: true, body: utf8Encode('{"query":{"range":{"a":{"gte":2}}}}') };
    const { answer } = await query(cluster, payload);

    expect(answer.count).toBe(2);
  });
});

describe("refresh", () => {
  test("comes by itself within a second of a write", async () => {
    const cluster = await started();
    await query(cluster);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: "{}" }]));

    await cluster.settle(1100);

    expect((await query(cluster)).result.totalHits?.value).toBe(1);
    const stats = await within(cluster, cluster.admin(actions.shardStats, "n1"));
    expect(stats["search"]).toMatchObject({ search_idle_reactivate_count_total: 0 });
  });

  test("waits for a search when nobody searched for half a minute", async () => {
    const cluster = await started();
    await cluster.settle(31_000);
    await within(cluster, cluster.bulk([{ operation: "index", id: "1", source: "{}" }]));
    await cluster.settle(5000);
    const before = await within(cluster, cluster.admin(actions.shardStats, "n1"));

    const { result } = await query(cluster);

    expect(before["docs"]).toEqual({ count: 0, deleted: 0 });
    expect(result.totalHits?.value).toBe(1);
    const stats = await within(cluster, cluster.admin(actions.shardStats, "n1"));
    expect(stats["search"]).toMatchObject({ search_idle_reactivate_count_total: 1 });
  });

  test("a write that waits for it is answered when it is visible", async () => {
    const cluster = await started();
    await cluster.settle(31_000);

    const write = cluster.bulk([{ operation: "index", id: "1", source: "{}" }], {
      refresh: "wait_for",
    });
    const answer = await within(cluster, write, 3000);

    expect(answer.forcedRefresh).toBe(false);
    expect((await query(cluster)).result.totalHits?.value).toBe(1);
  });

  test("a write that forces it says so", async () => {
    const cluster = await started();

    const write = cluster.bulk([{ operation: "index", id: "1", source: "{}" }], {
      refresh: "true",
    });

    expect((await within(cluster, write)).items[0]?.forcedRefresh).toBe(true);
  });
});

test("documents of a multi-get take from the memory of the worker, and give it back", async () => {
  const cluster = await started();
  const source = JSON.stringify({ a: "x".repeat(2_000_000) });
  await within(cluster, cluster.bulk([{ operation: "index", id: "1", source }]));
  const get = async (count: number): Promise<number> => {
    const payload = GetShardRequest.encode({
      index: INDEX,
      indexUuid: UUID,
      shard: 0,
      allocationId: cluster.primary()?.allocationId ?? "",
      realtime: true,
      items: Array.from({ length: count }, () => ({ id: "1", source: {} })),
    }).finish();
    const bytes = await within(
      cluster,
      cluster.endpoint.request("n1" as never, actions.getShard, payload, shard),
    );
    return GetShardResponse.decode(bytes).items.filter(({ found }) => found).length;
  };

  await expect(get(400)).rejects.toMatchObject({
    problem: { type: "circuit_breaking_exception", status: 429 },
  });
  expect(await get(10)).toBe(10);
});
