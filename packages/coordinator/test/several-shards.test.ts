/** Requests of a search for several shards of one node: what goes together, and what ends alone. */
import { shardsNamed } from "@orrery/ports";
import { actions, ShardResults } from "@orrery/protocol";
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createRequests, createTestCluster, nodeId, type Asked } from "./world.ts";
import { request, run, scores, shardsWith, spread } from "./scripted-shards.ts";

function rowOf({ to, action, options }: Asked): string {
  const shards = shardsNamed(options.shard ?? "").map((name) => name.slice(name.indexOf("/") + 1));
  return `${to} ${action.replace("indices:data/read/search", "")} ${shards.join(",")}`;
}

test("each phase asks all shards of a node in one request", async () => {
  const { cluster, found } = run(spread(3), shardsWith(scores), {
    preFilterShardSize: 1,
    body: { size: 3 },
  });

  expect((await found).hits.map(({ id }) => id)).toEqual(["0-1", "1-0", "2-0"]);
  expect(cluster.sent.map(rowOf)).toEqual([
    "node-1 [can_match][n] 0,1,2",
    "node-1 [phase/query][n] 0,1,2",
    "node-1 [phase/fetch/id][n] 0,1,2",
  ]);
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
