/** Operations on many copies: who is asked, and how it is counted. */
import { indicesOptions, noClusterManagerBlock } from "@orrery/cluster-state";
import {
  actions,
  ReplicatedAdminResponse,
  ShardAdminRequest,
  ShardAdminResponse,
  wireJson,
  wireProblem,
} from "@orrery/protocol";
import { OperationError, type Problem } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import {
  clusterOf,
  createTestCluster,
  lost,
  nodeId,
  problemOf,
  withIndex,
  type Answer,
} from "./world.ts";

const request = { indices: ["books"], indicesOptions: indicesOptions.strictExpandOpen };
const state = withIndex(
  withIndex(clusterOf(3), "books", {
    copies: [
      [1, 2],
      [2, undefined],
    ],
  }),
  "other",
);

const answerAll: Answer = ({ to }) =>
  ShardAdminResponse.encode({ body: wireJson({ from: to }) }).finish();

test("every started copy is asked by its allocation id, and unassigned ones count in the total", async () => {
  const cluster = createTestCluster({ state, answer: answerAll });

  const answer = await cluster.outcome(cluster.coordinator.shardSegments(request));

  expect(answer).toMatchObject({ shards: { total: 4, successful: 3, failed: 0, failures: [] } });
  const asked = cluster.asked.map(({ to, action, payload }) => {
    const { shard, allocationId } = ShardAdminRequest.decode(payload);
    return [action, to, shard, allocationId];
  });
  expect(asked).toEqual([
    [actions.shardSegments, nodeId(1), 0, "books-0-on-1"],
    [actions.shardSegments, nodeId(2), 0, "books-0-on-2"],
    [actions.shardSegments, nodeId(2), 1, "books-1-on-2"],
  ]);
});

test("what copies answer is told with which copy it was", async () => {
  const cluster = createTestCluster({ state, answer: answerAll });

  expect(await cluster.outcome(cluster.coordinator.shardSegments(request))).toMatchObject({
    concreteIndices: ["books"],
    shards: { successful: 3, failed: 0 },
    answers: [
      { index: "books", shard: 0, primary: true, nodeId: nodeId(1), body: { from: nodeId(1) } },
      { index: "books", shard: 0, primary: false, nodeId: nodeId(2) },
      { index: "books", shard: 1, primary: true, nodeId: nodeId(2) },
    ],
  });
});

describe("a copy that fails", () => {
  const failingOn =
    (number: number, error: OperationError): Answer =>
    (asked) => {
      if (asked.to === nodeId(number)) throw error;
      return answerAll(asked);
    };

  test("is listed with its status and reason, and the others count", async () => {
    const full = new OperationError({ type: "disk_full", reason: "no space", status: 429 });
    const cluster = createTestCluster({ state, answer: failingOn(1, full) });

    const answer = await cluster.outcome(cluster.coordinator.shardSegments(request));

    expect(answer).toMatchObject({
      shards: {
        total: 4,
        successful: 2,
        failed: 1,
        failures: [
          {
            shard: 0,
            index: "books",
            status: "TOO_MANY_REQUESTS",
            reason: { type: "disk_full", reason: "no space" },
          },
        ],
      },
    });
  });

  test("because it is gone is not listed, and because its node cannot be reached is", async () => {
    const reason = "no such shard";
    const gone = new OperationError({ type: "shard_not_found_exception", reason, status: 404 });
    const outcomes = [gone, lost()].map(async (error) => {
      const cluster = createTestCluster({ state, answer: failingOn(1, error) });
      return cluster.outcome(cluster.coordinator.shardSegments(request));
    });

    expect(await Promise.all(outcomes)).toMatchObject([
      { shards: { total: 4, successful: 2, failed: 0, failures: [] } },
      {
        shards: {
          successful: 2,
          failed: 1,
          failures: [{ reason: { type: "node_disconnected_exception" } }],
        },
      },
    ]);
  });
});

describe("a refresh", () => {
  const told =
    (failures: readonly Problem[]): Answer =>
    () =>
      ReplicatedAdminResponse.encode({
        total: 2,
        successful: 2 - failures.length,
        failures: failures.map(wireProblem),
      }).finish();

  test("is asked of primaries alone, which count their copies", async () => {
    const cluster = createTestCluster({ state, answer: told([]) });

    const answer = await cluster.outcome(cluster.coordinator.refresh(request));

    expect(answer).toEqual({ shards: { total: 4, successful: 4, failed: 0, failures: [] } });
    expect(cluster.asked.map(({ to, action }) => [action, to])).toEqual([
      [actions.refreshShard, nodeId(1)],
      [actions.refreshShard, nodeId(2)],
    ]);
  });

  test("lists the copies that failed it", async () => {
    const problem = { type: "disk_full", reason: "no space", status: 429 };
    const cluster = createTestCluster({ state, answer: told([problem]) });

    const answer = await cluster.outcome(cluster.coordinator.refresh(request));

    expect(answer).toMatchObject({
      shards: { total: 4, successful: 2, failed: 2, failures: [{ shard: 0 }, { shard: 1 }] },
    });
  });

  test("that the primary fails counts all its copies as failed, and is listed once", async () => {
    const answer: Answer = () => {
      throw new OperationError({ type: "disk_full", reason: "no space", status: 429 });
    };
    const cluster = createTestCluster({ state, answer });

    const refreshed = await cluster.outcome(cluster.coordinator.refresh(request));

    expect(refreshed).toMatchObject({ shards: { successful: 0, failed: 4 } });
    expect(refreshed).toHaveProperty("shards.failures.length", 2);
  });
});

test("force merge may go to primaries alone", async () => {
  const cluster = createTestCluster({ state, answer: answerAll });

  await cluster.outcome(
    cluster.coordinator.forceMerge({
      ...request,
      maxNumSegments: 1,
      onlyExpungeDeletes: false,
      flush: true,
      primaryOnly: true,
    }),
  );

  expect(cluster.asked.map(({ to }) => to)).toEqual([nodeId(1), nodeId(2)]);
});

test("a node without an elected cluster manager says so, not that there is no index", async () => {
  const empty = clusterOf(3);
  const blocks = { ...empty.blocks, global: [noClusterManagerBlock("metadata_write")] };
  const cluster = createTestCluster({ state: { ...empty, blocks }, answer: answerAll });

  const outcome = await cluster.outcome(
    cluster.coordinator.forceMerge({
      ...request,
      maxNumSegments: 1,
      onlyExpungeDeletes: false,
      flush: true,
      primaryOnly: false,
    }),
  );

  expect(problemOf(outcome)).toMatchObject({ type: "cluster_block_exception", status: 503 });
});

test("an index that is not there asks nobody", async () => {
  const cluster = createTestCluster({ state, answer: answerAll });

  const outcome = await cluster.outcome(
    cluster.coordinator.refresh({ ...request, indices: ["missing"] }),
  );

  expect(problemOf(outcome).type).toBe("index_not_found_exception");
  expect(cluster.asked).toEqual([]);
});
