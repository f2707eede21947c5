/** Reads follow the weights of zones, or stay near: who is asked how often, and who is asked only when the cluster fails open. */
import { coreRules, applyTask, type ClusterState, type Task } from "@orrery/cluster-state";
import { GetShardRequest, GetShardResponse } from "@orrery/protocol";
import { OperationError, utf8Encode, type NodeId } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { GetRequest } from "../src/types.ts";
import { clusterOf, createTestCluster, lost, nodeId, withIndex } from "./world.ts";

const zones = ["a", "b", "c"];

/** Three nodes, one in each zone; the shard's copies lie on these. */
function zoned(
  weights: Record<string, number>,
  copies: readonly number[] = [1, 2, 3],
): ClusterState {
  const weighed = after(aware(), {
    kind: "put-weighted-routing",
    attribute: "zone",
    weights,
    version: -1,
  });
  return withIndex(weighed, "books", { copies: [copies] });
}

/** Three nodes, one in each zone. */
function aware(): ClusterState {
  const bare = clusterOf(3);
  const nodes = new Map(
    [...bare.nodes].map(([id, node], i) => [id, { ...node, attributes: { zone: zones[i] ?? "" } }]),
  );
  return after(
    { ...bare, nodes },
    settings({ "cluster.routing.allocation.awareness.attributes": "zone" }),
  );
}

function settings(persistent: Record<string, string>): Task {
  return { kind: "update-cluster-settings", persistent, transient: {} };
}

function after(state: ClusterState, task: Task): ClusterState {
  const outcome = applyTask(state, task, coreRules);
  if (outcome.kind !== "updated") throw new Error(JSON.stringify(outcome));
  return outcome.state;
}

function getOf(preference?: string): GetRequest {
  const rest = {
    routing: undefined,
    realtime: true,
    refresh: false,
    storedFields: [],
    source: true,
  };
  return { index: "books", id: "a", preference, ...rest };
}

async function asked(
  state: ClusterState,
  given: {
    readonly fail?: () => Error;
    readonly times?: number;
    readonly preference?: string;
  } = {},
): Promise<{ readonly order: NodeId[]; readonly outcomes: unknown[]; readonly opened: number }> {
  const { fail, times = 1, preference } = given;
  const cluster = createTestCluster({
    state,
    answer({ payload }) {
      if (fail !== undefined) throw fail();
      const items = GetShardRequest.decode(payload).items.map(() => ({
        found: true,
        version: 1,
        seqNo: 0,
        primaryTerm: 1,
        routing: "",
        hasSource: true,
        source: utf8Encode("{}"),
      }));
      return GetShardResponse.encode({ items }).finish();
    },
  });
  const outcomes: unknown[] = [];
  for (let i = 0; i < times; i += 1) {
    outcomes.push(await cluster.outcome(cluster.coordinator.get(getOf(preference))));
  }
  const opened = cluster.node.failOpenCount();
  return { order: cluster.asked.map(({ to }) => to), outcomes, opened };
}

/** Which nodes are asked first in many reads, half of them with a preference of their own. */
async function askedFirst(state: ClusterState): Promise<ReadonlySet<NodeId>> {
  const { order } = await asked(state, { times: 10 });
  const first = new Set(order);
  for (let i = 0; i < 10; i += 1) {
    for (const id of (await asked(state, { preference: `user-${i}` })).order) first.add(id);
  }
  return first;
}

const refusesItself = (): Error =>
  new OperationError({ type: "rejected", reason: "busy", status: 429, isRetryable: true });

describe("a read", () => {
  test("goes to zones as often as their weights say, and never to one without", async () => {
    const { order } = await asked(zoned({ a: 3, b: 1, c: 0 }), { times: 400 });

    const to = (number: number): number => order.filter((id) => id === nodeId(number)).length;
    expect(to(3)).toBe(0);
    expect(to(1) / to(2)).toBeGreaterThan(2);
    expect(to(1) / to(2)).toBeLessThan(4.5);
  });

  test("comes to a zone without weight last, when the others fail", async () => {
    const { order, opened } = await asked(zoned({ a: 0, b: 1, c: 1 }), { fail: lost });

    expect(order.slice(0, 2).toSorted()).toEqual([nodeId(2), nodeId(3)]);
    expect(order[2]).toBe(nodeId(1));
    expect(opened).toBe(1);
  });

  test("does not come there when the others refused the request itself", async () => {
    const { order } = await asked(zoned({ a: 0, b: 1, c: 1 }), { fail: refusesItself });

    expect(order.toSorted()).toEqual([nodeId(2), nodeId(3)]);
  });

  test("does come there when the shard has lost copies", async () => {
    const state = withIndex(zoned({ a: 0, b: 1, c: 1 }), "books2", { copies: [[1, 2, undefined]] });
    const cluster = createTestCluster({
      state,
      answer() {
        throw refusesItself();
      },
    });

    await cluster.outcome(cluster.coordinator.get({ ...getOf(), index: "books2" }));

    expect(cluster.asked.map(({ to }) => to)).toEqual([nodeId(2), nodeId(1)]);
  });

  test("never comes there when the cluster does not fail open", async () => {
    const closed = after(
      zoned({ a: 0, b: 1, c: 1 }),
      settings({ "cluster.routing.weighted.fail_open": "false" }),
    );
    const only = after(
      zoned({ a: 0, b: 1, c: 1 }, [1]),
      settings({ "cluster.routing.weighted.fail_open": "false" }),
    );

    expect((await asked(closed, { fail: lost })).order).toHaveLength(2);
    expect(String((await asked(only)).outcomes[0])).toMatch(/No shard available for/);
  });

  test("of a shard whose only copy has no weight is answered while the cluster may fail open, and not counted", async () => {
    const { order, opened } = await asked(zoned({ a: 0, b: 1, c: 1 }, [1]));

    expect(order).toEqual([nodeId(1)]);
    expect(opened).toBe(0);
  });

  test("follows no weights that are to be ignored", async () => {
    const ignored = after(
      zoned({ a: 0, b: 1, c: 1 }),
      settings({ "cluster.routing.ignore_weighted_routing": "true" }),
    );
    const { order } = await asked(ignored, { times: 100 });

    expect(order).toContain(nodeId(1));
  });

  test("may not choose its nodes while weights are strict", async () => {
    const strict = zoned({ a: 0, b: 1, c: 1 });
    const loose = after(strict, settings({ "cluster.routing.weighted.strict": "false" }));

    for (const preference of ["_only_nodes:node-1", "_prefer_nodes:node-1"]) {
      const refused = await asked(strict, { preference });
      const allowed = await asked(loose, { preference });
      expect(refused.outcomes[0]).toMatchObject({
        problem: {
          type: "preference_based_search_not_allowed_exception",
          reason:
            "Preference type based routing not allowed with strict weighted shard routing enabled",
          status: 403,
        },
      });
      expect(allowed.order).toEqual([nodeId(1)]);
    }
  });

  test("with a preference of its own keeps to one copy, of those with weight while weights are strict", async () => {
    const strict = zoned({ a: 0, b: 1, c: 1 });
    const words = ["u1", "u2", "u3", "u4", "u5", "u6"];
    const orders = await Promise.all(
      words.map((preference) => asked(strict, { preference, times: 5 })),
    );

    for (const { order } of orders) expect(new Set(order).size).toBe(1);
    expect(orders.flatMap(({ order }) => order)).not.toContain(nodeId(1));
  });
});

describe("where awareness attributes are not ignored, a read", () => {
  const following = settings({ "cluster.search.ignore_awareness_attributes": "false" });
  const near = after(withIndex(aware(), "books", { copies: [[2, 1, 3]] }), following);

  test("goes to the coordinating node's zone first, with a preference of its own too", async () => {
    const { order } = await asked(near, { fail: lost });

    expect(order).toHaveLength(3);
    expect([...(await askedFirst(near))]).toEqual([nodeId(1)]);
  });

  test("goes anywhere when no copy is in that zone, and while they are ignored", async () => {
    const far = after(withIndex(aware(), "books", { copies: [[2, 3]] }), following);
    const ignored = withIndex(aware(), "books", { copies: [[2, 1, 3]] });

    expect((await askedFirst(far)).size).toBe(2);
    expect((await askedFirst(ignored)).size).toBe(3);
  });

  test("follows weights, where there are any", async () => {
    const weighed = after(zoned({ a: 0, b: 1, c: 1 }), following);
    const loose = after(weighed, settings({ "cluster.routing.weighted.strict": "false" }));

    expect(await askedFirst(weighed)).not.toContain(nodeId(1));
    expect((await asked(loose, { preference: "u" })).order).toEqual([nodeId(1)]);
  });
});
