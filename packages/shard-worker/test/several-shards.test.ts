/** Requests for several shards of one worker: each part is answered, or fails, alone. */
import { createCancellation, type RequestName, type RequestOptions } from "@orrery/ports";
import {
  actions,
  FetchPhaseRequests,
  FetchPhaseResponse,
  FreeContextRequest,
  FreeContextResponse,
  QueryPhaseResponse,
  readWireProblem,
  ShardResults,
  ShardSearchRequests,
  type ShardSearchPart,
} from "@orrery/protocol";
import { decodeFetchResult, decodePage, decodeQueryResult, encodePlain } from "@orrery/query";
import { emptyBytes, utf8Encode } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createFakeCluster, INDEX, UUID, within, type FakeCluster } from "./fake-cluster.ts";

const body = utf8Encode('{"query":{"match_all":{}}}');

async function started(): Promise<FakeCluster> {
  const cluster = createFakeCluster(["n1"]);
  cluster.createIndex({ replicas: 0 });
  await cluster.settle(1000);
  const item = { operation: "index", id: "1", source: "{}" } as const;
  await within(cluster, cluster.bulk([item], { refresh: "true" }));
  return cluster;
}

async function ask(
  cluster: FakeCluster,
  action: string,
  payload: Uint8Array,
  how?: RequestOptions,
) {
  const shard = `${UUID}/0`;
  const asked = cluster.endpoint.request("n1" as never, action, payload, { ...how, shard });
  const { results } = ShardResults.decode(await within(cluster, asked));
  return results.map(({ answer, problem }) =>
    problem === null ? answer : readWireProblem(problem),
  );
}

function queries(
  cluster: FakeCluster,
  parts: readonly Partial<ShardSearchPart>[],
  partOf: RequestName | null = null,
): Uint8Array {
  const allocationId = cluster.primary()?.allocationId ?? "";
  const whole = { index: INDEX, indexUuid: UUID, shard: 0, allocationId, keepContext: true };
  return ShardSearchRequests.encode({
    shared: { body },
    parts: parts.map((part) => ({ ...whole, ...part })),
    partOf,
  }).finish();
}

test("a shard that is not here, a copy that is another and a context that is gone fail their parts alone", async () => {
  const cluster = await started();
  const parts = [{ shard: 1 }, {}, { allocationId: "another" }, { contextId: "gone:1" }];

  const results = await ask(cluster, actions.queryShards, queries(cluster, parts));

  expect(results[0]).toMatchObject({ type: "shard_not_found_exception" });
  const found = QueryPhaseResponse.decode(results[1] as Uint8Array);
  expect(decodeQueryResult(found.result).totalHits).toEqual({ value: 1, relation: "eq" });
  expect(results[2]).toMatchObject({ type: "shard_not_found_exception" });
  expect(results[3]).toMatchObject({ type: "search_context_missing_exception" });
});

test("hits of several contexts are fetched together, and a context that is gone fails alone", async () => {
  const cluster = await started();
  const results = await ask(cluster, actions.queryShards, queries(cluster, [{}, {}]));
  const [first, second] = results.map((result) => QueryPhaseResponse.decode(result as Uint8Array));
  const docs = encodePlain(decodeQueryResult(first?.result ?? emptyBytes).topDocs as never);
  const whole = { indexUuid: UUID, shard: 0, docs, freeContext: true };
  const contexts = [first?.contextId ?? "", "gone:1", second?.contextId ?? ""];
  const payload = FetchPhaseRequests.encode({
    body,
    parts: contexts.map((contextId) => ({ ...whole, contextId })),
  }).finish();

  const fetched = await ask(cluster, actions.fetchShards, payload);

  const idsOf = (result: unknown) =>
    decodeFetchResult(FetchPhaseResponse.decode(result as Uint8Array).result).hits.map(
      ({ id }) => id,
    );
  expect([idsOf(fetched[0]), idsOf(fetched[2])]).toEqual([["1"], ["1"]]);
  expect(fetched[1]).toMatchObject({ type: "search_context_missing_exception" });
});

test.each([
  ["", null],
  // Its cancellation by that name may come before it.
  [" of a request that was spread", { from: "n1", endpoint: 0, correlationId: 4711 }],
])("an answer that nobody reads leaves no context of any part%s open", async (_what, partOf) => {
  const cluster = await started();
  const cancellation = createCancellation();
  const asked = ask(cluster, actions.queryShards, queries(cluster, [{}, {}], partOf), {
    cancellation,
  });
  cancellation.cancel("the client is gone");
  await asked.catch(() => undefined);
  const [next] = await ask(cluster, actions.queryShards, queries(cluster, [{}]));
  const { contextId } = QueryPhaseResponse.decode(next as Uint8Array);
  const [session, last] = contextId.split(":");

  const freed = await Promise.all(
    [1, 2].map((before) => free(cluster, `${session}:${Number(last) - before}`)),
  );

  expect(freed).toEqual([false, false]);
  expect(await free(cluster, contextId)).toBe(true);
});

test("a whole search is answered at once and opens no context", async () => {
  const cluster = await started();

  const { whole, results } = await askWhole(cluster, [{}, { shardIndex: 1 }]);

  expect(results).toEqual([]);
  const [result] = whole?.results ?? [];
  expect(decodeQueryResult(result ?? emptyBytes).totalHits).toEqual({ value: 2, relation: "eq" });
  expect(decodePage(whole?.hits ?? emptyBytes).map(({ id }) => id)).toEqual(["1", "1"]);
  expect(await lastContext(cluster)).toBe(1);
});

test("a whole search of which a shard fails is answered shard by shard, in contexts", async () => {
  const cluster = await started();

  const { whole, results } = await askWhole(cluster, [{ shard: 1 }, {}]);

  expect(whole).toBeNull();
  expect(results[0]?.problem).toMatchObject({ type: "shard_not_found_exception" });
  const { contextId } = QueryPhaseResponse.decode(results[1]?.answer ?? emptyBytes);
  expect(await free(cluster, contextId)).toBe(true);
});

test("contexts of a whole search that fails and is not read are freed", async () => {
  const cluster = await started();
  const cancellation = createCancellation();
  const asked = askWhole(cluster, [{ shard: 1 }, {}], { cancellation });
  cancellation.cancel("the client is gone");
  await asked.catch(() => undefined);
  const [next] = await ask(cluster, actions.queryShards, queries(cluster, [{}]));
  const { contextId } = QueryPhaseResponse.decode(next as Uint8Array);
  const [session, last] = contextId.split(":");

  expect(await free(cluster, `${session}:${Number(last) - 1}`)).toBe(false);
});

async function askWhole(
  cluster: FakeCluster,
  parts: readonly Partial<ShardSearchPart>[],
  how?: RequestOptions,
) {
  const message = ShardSearchRequests.decode(queries(cluster, parts));
  const payload = ShardSearchRequests.encode({ ...message, whole: true }).finish();
  const sent = { ...how, shard: `${UUID}/0` };
  const asked = cluster.endpoint.request("n1" as never, actions.queryShards, payload, sent);
  return ShardResults.decode(await within(cluster, asked));
}

/** The number of a context that is opened now: one more than there were. */
async function lastContext(cluster: FakeCluster): Promise<number> {
  const [next] = await ask(cluster, actions.queryShards, queries(cluster, [{}]));
  const { contextId } = QueryPhaseResponse.decode(next as Uint8Array);
  return Number(contextId.split(":")[1]);
}

async function free(cluster: FakeCluster, contextId: string): Promise<boolean> {
  const payload = FreeContextRequest.encode({ indexUuid: UUID, shard: 0, contextId }).finish();
  const shard = { shard: `${UUID}/0` };
  const asked = cluster.endpoint.request("n1" as never, actions.freeContext, payload, shard);
  return FreeContextResponse.decode(await within(cluster, asked)).freed;
}
