/** Requests of a search for several shards of one node: what goes together, and what ends alone. */
import { shardsNamed } from "@orrery/ports";
import { actions, ShardResults, wireProblem } from "@orrery/protocol";
import { encodePage, encodeQueryResult } from "@orrery/query";
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import {
  clusterOf,
  createRequests,
  createTestCluster,
  nodeId,
  withIndex,
  type Asked,
} from "./world.ts";
import { request, run, scores, shardsWith, spread } from "./scripted-shards.ts";

function rowOf({ to, action, options }: Asked): string {
  const shards = shardsNamed(options.shard ?? "").map((name) => name.slice(name.indexOf("/") + 1));
  return `${to} ${action.replace("indices:data/read/search", "")} ${shards.join(",")}`;
}

test("each phase asks all shards of a node in one request", async () => {
  // On the second node is one shard more: one message cannot ask them all.
  const copies = [[1], [1], [1], [2]];
  const state = withIndex(clusterOf(2), "books", { copies });
  const { cluster, found } = run(state, shardsWith(scores), {
    preFilterShardSize: 1,
    body: { size: 3 },
  });

  expect((await found).hits.map(({ id }) => id)).toEqual(["0-1", "1-0", "2-0"]);
  expect(cluster.sent.map(rowOf).filter((row) => row.startsWith("node-1"))).toEqual([
    "node-1 [can_match][n] 0,1,2",
    "node-1 [phase/query][n] 0,1,2",
    "node-1 [phase/fetch/id][n] 0,1,2",
  ]);
});

test("the can-match phase of a search on one node is a part of its query phase", async () => {
  const { cluster, found } = run(spread(3), shardsWith([[], [4], [3, 2]]), {
    preFilterShardSize: 1,
  });

  expect((await found).shards).toEqual({ total: 3, successful: 3, skipped: 1, failed: 0 });
  expect(cluster.sent.map(rowOf)).toEqual([
    "node-1 [phase/query][n] 0,1,2",
    "node-1 [phase/fetch/id][n] 1,2",
  ]);
});

test("a search that one worker has carried out is asked nothing more", async () => {
  const hit = { score: 7, source: undefined, sort: undefined, details: undefined };
  const refused = { type: "x", reason: "y", status: 500 };
  const whole = {
    results: [
      encodeQueryResult({
        totalHits: { value: 5, relation: "eq" },
        maxScore: 7,
        topDocs: [],
        aggregations: undefined,
        suggest: undefined,
        profile: undefined,
        timedOut: false,
        terminatedEarly: undefined,
      }),
    ],
    hits: encodePage([
      { ...hit, index: "books", id: "a" },
      { ...hit, index: "films", id: "b" },
    ]),
    failures: [{ part: 2, problem: wireProblem(refused) }],
    serviceTimeNs: [1000, 0, 1000],
  };
  const cluster = createTestCluster({
    state: spread(3, 2),
    answer: () => ShardResults.encode({ whole }).finish(),
  });
  const { transport } = cluster.deps;
  const answered: typeof transport.request = async (to, action, payload, options) => {
    await transport.request(to, action, payload, options).catch(() => undefined);
    return ShardResults.encode({ whole }).finish();
  };
  const { coordinator } = createRequests({
    ...cluster.deps,
    transport: { ...transport, request: answered },
  });

  const found = await cluster.outcome(coordinator.search(request));

  expect(found).toMatchObject({
    totalHits: { value: 5, relation: "eq" },
    maxScore: 7,
    hits: [
      { index: "books", id: "a", score: 7 },
      { index: "films", id: "b", score: 7 },
    ],
    shards: {
      ...{ total: 3, successful: 2, skipped: 1, failed: 1 },
      failures: [{ shard: 2, index: "books", reason: { type: "x" } }],
    },
  });
  expect(cluster.sent.map(rowOf)).toEqual(["node-1 [phase/query][n] 0,1,2"]);
});

test("a shard that fails among several is asked for on its next copy, alone", async () => {
  const { cluster, found } = run(
    spread(3, 2),
    shardsWith(scores, ({ to, action, options }) => {
      if (
        action === actions.queryPhase &&
        to === nodeId(1) &&
        options.shard?.endsWith("/1") === true
      )
        throw new OperationError({ type: "x", reason: "y", status: 500 });
    }),
  );

  expect((await found).shards).toEqual({ total: 3, successful: 3, skipped: 0, failed: 0 });
  expect(cluster.sent.slice(0, 2).map(rowOf)).toEqual([
    "node-1 [phase/query][n] 0,1,2",
    "node-2 [phase/query] 1",
  ]);
});

test("shards without a result in the answer are asked for on their next copies, together", async () => {
  const cluster = createTestCluster({ state: spread(3, 2), answer: shardsWith(scores) });
  const { transport } = cluster.deps;
  const shortened: typeof transport.request = async (to, action, payload, options) => {
    const answer = await transport.request(to, action, payload, options);
    if (to !== nodeId(1) || action !== actions.queryShards) return answer;
    const { results } = ShardResults.decode(answer);
    return ShardResults.encode({ results: results.slice(0, 1) }).finish();
  };
  const { coordinator } = createRequests({
    ...cluster.deps,
    transport: { ...transport, request: shortened },
  });

  const found = await cluster.outcome(coordinator.search(request));

  expect(found).toMatchObject({ shards: { total: 3, successful: 3, failed: 0 } });
  expect(cluster.sent.slice(0, 2).map(rowOf)).toEqual([
    "node-1 [phase/query][n] 0,1,2",
    "node-2 [phase/query][n] 1,2",
  ]);
});

test("no more shards of a node go together than may be under way there", async () => {
  const { cluster, found } = run(spread(7), shardsWith([]), { maxConcurrentShardRequests: 3 });
  await found;

  expect(cluster.sent.slice(0, 3).map(rowOf)).toEqual([
    "node-1 [phase/query][n] 0,1,2",
    "node-1 [phase/query][n] 3,4,5",
    "node-1 [phase/query] 6",
  ]);
});

test("no more shards go together than a frame can name", async () => {
  const { cluster, found } = run(spread(70), shardsWith([]), { maxConcurrentShardRequests: 100 });
  await found;

  const queries = cluster.sent.filter(({ action }) => action === actions.queryShards);
  expect(queries.map(({ options }) => shardsNamed(options.shard ?? "").length)).toEqual([64, 6]);
});
