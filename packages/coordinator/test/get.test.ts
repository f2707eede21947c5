/** Reads of single documents: which copy is asked, in which order the others follow, and what is put together. */
import { GetShardRequest, GetShardResponse, wireProblem } from "@orrery/protocol";
import { OperationError, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { GetRequest } from "../src/types.ts";
import {
  clusterOf,
  createTestCluster,
  lost,
  nodeId,
  problemOf,
  withIndex,
  type Answer,
} from "./world.ts";

function getOf(id: string, rest: Partial<GetRequest> = {}): GetRequest {
  return {
    index: "books",
    id,
    routing: undefined,
    preference: undefined,
    realtime: true,
    refresh: false,
    storedFields: [],
    source: true,
    ...rest,
  };
}

const answerAll: Answer = ({ payload, to }) =>
  GetShardResponse.encode({
    items: GetShardRequest.decode(payload).items.map(({ id }) => ({
      found: true,
      version: 1,
      seqNo: 0,
      primaryTerm: 1,
      routing: "",
      hasSource: true,
      source: utf8Encode(`${id} from ${to}`),
      problem: id === "broken" ? wireProblem({ type: "x", reason: "y", status: 400 }) : null,
    })),
  }).finish();

const three = withIndex(clusterOf(3), "books", { copies: [[1, 2, 3]] });

async function askedFor(preference: string | undefined, failing = 0) {
  let left = failing;
  const cluster = createTestCluster({
    state: three,
    answer: (asked) => {
      left -= 1;
      if (left >= 0) throw lost();
      return answerAll(asked);
    },
  });
  const outcome = await cluster.outcome(
    cluster.coordinator.get(getOf("a", preference === undefined ? {} : { preference })),
  );
  return { order: cluster.asked.map(({ to }) => to), outcome };
}

describe("a copy that fails", () => {
  test("is followed by the next one, each asked once", async () => {
    const { order, outcome } = await askedFor(undefined, 2);

    expect(order.toSorted()).toEqual([nodeId(1), nodeId(2), nodeId(3)]);
    expect(outcome).toMatchObject({ found: true });
  });

  test("as all the others did leaves no copy to ask", async () => {
    const { order, outcome } = await askedFor(undefined, 9);

    expect(order).toHaveLength(3);
    expect(problemOf(outcome)).toMatchObject({
      type: "no_shard_available_action_exception",
      status: 503,
      causedBy: { type: "node_disconnected_exception" },
    });
  });

  test("with a problem that another copy would have, too, ends the request", async () => {
    const cluster = createTestCluster({
      state: three,
      answer: () => {
        throw new OperationError({ type: "illegal_argument_exception", reason: "no", status: 400 });
      },
    });

    const outcome = await cluster.outcome(cluster.coordinator.get(getOf("a")));

    expect(problemOf(outcome).type).toBe("illegal_argument_exception");
    expect(cluster.asked).toHaveLength(1);
  });
});

test("documents that are too many bytes for the answer fail each for itself", async () => {
  const cluster = createTestCluster({ state: three, answer: answerAll });
  const hold = (bytes: number): void => {
    if (bytes > 0) throw new OperationError({ type: "x", reason: "full", status: 429 });
  };

  const answers = await cluster.outcome(
    cluster.coordinator.multiGet([getOf("a"), getOf("b")], { hold }),
  );

  expect(answers).toEqual(
    ["a", "b"].map((id) => ({
      index: "books",
      id,
      problem: { type: "x", reason: "full", status: 429 },
    })),
  );
});

describe("preference", () => {
  test.each([
    ["_primary", [1]],
    ["_primary_first", [1, 2, 3]],
    ["_replica", [2, 3]],
    ["_replica_first", [2, 3, 1]],
    ["_local", [1, 2, 3]],
    ["_only_local", [1]],
    ["_only_nodes:node-3", [3]],
    ["_only_nodes:node-2,node-3", [2, 3]],
    ["_prefer_nodes:node-3", [3, 1, 2]],
    ["_shards:0|_primary", [1]],
  ])("%s asks in the order %j", async (preference, expected) => {
    expect((await askedFor(preference, 9)).order).toEqual(expected.map(nodeId));
  });

  test("of one's own asks the same copy each time, and not all texts the same one", async () => {
    const firsts = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => (await askedFor(`user-${i}`)).order[0]),
    );

    expect((await askedFor("user-3")).order[0]).toBe(firsts[3]);
    expect(new Set(firsts).size).toBe(3);
  });

  test("that does not exist is an illegal argument", async () => {
    expect(problemOf((await askedFor("_nonsense")).outcome)).toMatchObject({
      type: "illegal_argument_exception",
      reason: "no Preference for [_nonsense]",
    });
  });
});

describe("many documents", () => {
  test("are asked for by shard and answered in the order asked, each problem in its place", async () => {
    const state = withIndex(clusterOf(3), "books", { copies: [[1], [2], [3], [undefined]] });
    const cluster = createTestCluster({ state, answer: answerAll });
    const ids = Array.from({ length: 40 }, (_, i) => `id-${i}`);
    const requests = [
      getOf("broken"),
      getOf("x", { index: "missing" }),
      ...ids.map((id) => getOf(id)),
    ];

    const answers = await cluster.outcome(cluster.coordinator.multiGet(requests));

    if (answers instanceof Error) throw answers;
    expect(answers.map(({ id }) => id)).toEqual(requests.map(({ id }) => id));
    expect(answers[0]).toMatchObject({ problem: { type: "x" } });
    expect(answers[1]).toMatchObject({ problem: { type: "index_not_found_exception" } });
    const kinds = answers.slice(2).map((one) => ("problem" in one ? one.problem.type : "found"));
    expect(new Set(kinds)).toEqual(new Set(["found", "no_shard_available_action_exception"]));
    for (const answer of answers)
      if ("problem" in answer && answer.problem.status === 503)
        expect(answer.problem.reason).toContain(`[${answer.id}]`);
    expect(cluster.asked.length).toBeLessThanOrEqual(4);
  });
});

test("a closed index is not read", async () => {
  const metadata = three.metadata.indices.get("books");
  if (metadata === undefined) throw new Error("no index");
  const indices = new Map([["books", { ...metadata, state: "close" as const }]]);
  const state = { ...three, metadata: { ...three.metadata, indices } };
  const cluster = createTestCluster({ state, answer: answerAll });

  const outcome = await cluster.outcome(cluster.coordinator.get(getOf("a")));

  expect(problemOf(outcome).type).toBe("index_closed_exception");
});
