/** Searches over scripted shards: who is asked in which phase, how answers come together, what failures make of them. */
import {
  actions,
  FetchPhaseRequest,
  FreeContextRequest,
  ShardSearchRequest,
} from "@orrery/protocol";
import { OperationError, utf8Decode, utf8Encode } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import type { SearchRequest } from "../src/types.ts";
import {
  clusterOf,
  createTestCluster,
  lost,
  nodeId,
  problemOf,
  withIndex,
  type Answer,
  type Asked,
  createRequests,
} from "./world.ts";
import { request, run, scores, shardsWith, spread } from "./scripted-shards.ts";

describe("a search over several shards", () => {
  test("has the best hits of all of them, in order, and fetches no others", async () => {
    const { found, phases } = run(spread(3), shardsWith(scores), { body: { size: 3 } });

    const { hits, totalHits, shards } = await found;

    expect(hits.map(({ id }) => id)).toEqual(["0-1", "1-0", "2-0"]);
    expect(totalHits).toEqual({ value: 5, relation: "eq" });
    expect(shards).toEqual({ total: 3, successful: 3, skipped: 0, failed: 0 });
    expect(phases(actions.fetchPhase)).toHaveLength(3);
  });

  test("frees the readers of shards that have no hit on the page", async () => {
    const { cluster, found, phases } = run(spread(3), shardsWith(scores), { body: { size: 1 } });
    await found;
    await cluster.outcome(cluster.deps.stateWhen(() => false, 10));

    const freed = phases(actions.freeContext).map(
      ({ payload }) => FreeContextRequest.decode(payload).contextId,
    );

    expect(phases(actions.fetchPhase)).toHaveLength(1);
    expect(freed.toSorted()).toEqual(["context-1", "context-2"]);
  });

  test("fails whole, and frees every reader, when its hits are too many bytes", async () => {
    const held: number[] = [];
    const hold = (bytes: number): void => {
      held.push(bytes);
      if (held.length > 2) throw new OperationError({ type: "x", reason: "full", status: 429 });
    };
    const { cluster, outcome, phases } = run(spread(3), shardsWith(scores), { hold });

    expect(problemOf(await outcome).status).toBe(429);
    await cluster.outcome(cluster.deps.stateWhen(() => false, 10));

    // The first call asks whether the node is full already, before any fetch.
    expect([held[0], (held[1] ?? 0) > 0]).toEqual([0, true]);
    const freed = phases(actions.freeContext).map(
      ({ payload }) => FreeContextRequest.decode(payload).contextId,
    );
    expect(new Set(freed)).toEqual(new Set(["context-0", "context-1", "context-2"]));
  });

  test("of one shard counts what the query phase fetched", async () => {
    const hold = (): void => {
      throw new OperationError({ type: "x", reason: "full", status: 429 });
    };
    const { outcome } = run(spread(1), shardsWith(scores), { hold });

    expect(problemOf(await outcome).status).toBe(429);
  });

  test("of which one shard is left fetches in the query phase", async () => {
    const { found, phases } = run(spread(1), shardsWith(scores));

    expect((await found).hits.map(({ id }) => id)).toEqual(["0-1", "0-0"]);
    expect([phases(actions.queryPhase).length, phases(actions.fetchPhase).length]).toEqual([1, 0]);
  });

  test("asks only the shards of its routing", async () => {
    const { found, phases } = run(spread(5), shardsWith([]), { routing: "a" });
    await found;

    expect(phases(actions.queryPhase)).toHaveLength(1);
  });

  test("skips shards that say they have no match, when it was told to ask", async () => {
    const { found, phases } = run(spread(3), shardsWith([[], [4], [1]]), { preFilterShardSize: 1 });

    const { shards } = await found;

    expect(phases(actions.canMatch)).toHaveLength(3);
    expect(phases(actions.queryPhase)).toHaveLength(2);
    expect(shards).toEqual({ total: 3, successful: 3, skipped: 1, failed: 0 });
  });

  test("has no more than so many requests a node under way", async () => {
    let running = 0;
    let most = 0;
    const cluster = createTestCluster({
      state: spread(20),
      answer: async (asked) => {
        if (asked.action !== actions.queryPhase) return shardsWith([])(asked);
        running += 1;
        most = Math.max(most, running);
        await cluster.deps.stateWhen(() => false, 5);
        running -= 1;
        return shardsWith([])(asked);
      },
    });

    await cluster.outcome(
      cluster.coordinator.search({ ...request, maxConcurrentShardRequests: 3 }),
    );

    expect(most).toBe(3);
  });
});

describe("a copy that fails", () => {
  const failOn = (number: number, error: OperationError) => (asked: Asked) => {
    if (asked.action === actions.queryPhase && asked.to === nodeId(number)) throw error;
  };

  test("is followed by the next copy, and the answer does not show it", async () => {
    const { found, phases } = run(spread(3, 2), shardsWith(scores, failOn(1, lost())));

    expect((await found).shards).toEqual({ total: 3, successful: 3, skipped: 0, failed: 0 });
    expect(phases(actions.queryPhase)).toHaveLength(6);
    expect(phases(actions.fetchPhase).every(({ to }) => to === nodeId(2))).toBe(true);
  });

  test("alone has its shard counted and listed as failed, unless it is gone", async () => {
    const state = withIndex(clusterOf(3), "books", { copies: [[1], [2], [3]] });
    const broken = new OperationError({ type: "parse_exception", reason: "no", status: 400 });
    const moved = new OperationError({
      type: "shard_not_found_exception",
      reason: "no such shard",
      status: 404,
    });

    const gone = await run(state, shardsWith(scores, failOn(2, moved))).found;
    const unreachable = await run(state, shardsWith(scores, failOn(2, lost()))).found;
    const refused = await run(state, shardsWith(scores, failOn(2, broken))).found;

    expect(gone.shards).toEqual({ total: 3, successful: 2, skipped: 0, failed: 0 });
    expect(unreachable.shards).toMatchObject({
      failed: 1,
      failures: [{ shard: 1, reason: { type: "node_disconnected_exception" } }],
    });
    expect(refused.shards).toMatchObject({
      failed: 1,
      failures: [
        { shard: 1, index: "books", node: nodeId(2), reason: { type: "parse_exception" } },
      ],
    });
    expect(gone.hits.map(({ id }) => id)).toEqual(["0-1", "2-0", "2-1", "0-0"]);
  });

  test("as every other did fails the search with the worst of their statuses", async () => {
    const { outcome } = run(
      spread(2),
      shardsWith(scores, () => {
        throw new OperationError({ type: "parse_exception", reason: "no", status: 400 });
      }),
    );

    expect(problemOf(await outcome)).toMatchObject({
      type: "search_phase_execution_exception",
      reason: "all shards failed",
      status: 400,
      metadata: { phase: "query", grouped: true, failed_shards: [{ index: "books" }] },
      causedBy: { type: "parse_exception" },
    });
  });

  test("when partial results are not wanted fails the search and frees what the others keep", async () => {
    const state = withIndex(clusterOf(3), "books", { copies: [[1], [2], [3]] });
    const broken = new OperationError({ type: "parse_exception", reason: "no", status: 400 });
    const { cluster, outcome, phases } = run(state, shardsWith(scores, failOn(2, broken)), {
      allowPartialSearchResults: false,
    });

    expect(problemOf(await outcome)).toMatchObject({
      type: "search_phase_execution_exception",
      reason: "Partial shards failure",
    });
    await cluster.outcome(cluster.deps.stateWhen(() => false, 10));
    expect(phases(actions.freeContext)).toHaveLength(2);
  });

  const fetchFailsOn = (shards: readonly number[]): Answer =>
    shardsWith(scores, ({ action, payload }) => {
      if (action !== actions.fetchPhase) return;
      if (!shards.includes(FetchPhaseRequest.decode(payload).shard)) return;
      const problem = { type: "rejected_execution_exception", reason: "full", status: 429 };
      throw new OperationError(problem);
    });

  const freedBy = (payloads: readonly { readonly payload: Uint8Array }[]): Set<string> =>
    new Set(payloads.map(({ payload }) => FreeContextRequest.decode(payload).contextId));

  test("in the fetch phase loses its hits, not the search, and keeps nothing open", async () => {
    const { cluster, found, phases } = run(spread(3), fetchFailsOn([1]));

    const { hits, shards } = await found;
    await cluster.outcome(cluster.deps.stateWhen(() => false, 10));

    expect(hits.map(({ id }) => id)).toEqual(["0-1", "2-0", "2-1", "0-0"]);
    expect(shards).toMatchObject({ total: 3, successful: 2, failed: 1 });
    expect(freedBy(phases(actions.freeContext))).toEqual(new Set(["context-1"]));
  });

  test("in the fetch phase fails a search that wants all hits", async () => {
    const { outcome } = run(spread(3), fetchFailsOn([1]), { allowPartialSearchResults: false });

    expect(problemOf(await outcome)).toMatchObject({
      type: "search_phase_execution_exception",
      reason: "Partial shards failure",
      status: 429,
      metadata: { phase: "fetch" },
    });
  });

  test("in the fetch phase as every other did fails the search", async () => {
    const { outcome } = run(spread(3), fetchFailsOn([0, 1, 2]));

    expect(problemOf(await outcome)).toMatchObject({
      reason: "all shards failed",
      status: 429,
      metadata: { phase: "fetch" },
    });
  });
});

test("shards without any copy refuse a search that wants all of them, without asking the others", async () => {
  const state = withIndex(clusterOf(1), "books", { copies: [[1], [undefined]] });
  const { cluster, outcome } = run(state, shardsWith(scores), { allowPartialSearchResults: false });

  expect(problemOf(await outcome)).toMatchObject({
    type: "search_phase_execution_exception",
    status: 503,
    causedBy: { reason: expect.stringContaining("missing shards [[books][1]]") },
  });
  expect(cluster.asked).toEqual([]);
});

test("a client that goes away ends the search, and what shards keep open is freed", async () => {
  let cancel = (): void => undefined;
  const cluster = createTestCluster({
    state: withIndex(clusterOf(2), "books", { copies: [[1], [2]] }),
    answer: async (asked) => {
      if (asked.action !== actions.queryPhase || asked.to !== nodeId(2))
        return shardsWith(scores)(asked);
      return new Promise((_, reject) => {
        asked.options.cancellation?.onCancel((reason) =>
          reject(new OperationError({ type: "task_cancelled_exception", reason, status: 400 })),
        );
      });
    },
  });
  cluster.after(100, () => cancel());

  const outcome = await cluster.outcome(
    cluster.coordinator.search({
      ...request,
      onCancel: (callback) => {
        cancel = callback;
      },
    }),
  );
  await cluster.outcome(cluster.deps.stateWhen(() => false, 10));

  expect(problemOf(outcome).type).toBe("task_cancelled_exception");
  const freed = cluster.asked.filter(({ action }) => action === actions.freeContext);
  expect(freed.map(({ to }) => to)).toEqual([nodeId(1)]);
});

test("a search that ends in time leaves no timer behind", async () => {
  const cluster = createTestCluster({ state: spread(2), answer: shardsWith([[1], [2]]) });
  let timers = 0;
  const { clock } = cluster.deps;
  const { coordinator } = createRequests({
    ...cluster.deps,
    clock: {
      ...clock,
      setTimer: (delayMs, callback) => {
        timers += 1;
        const cancel = clock.setTimer(delayMs, callback);
        return () => {
          timers -= 1;
          cancel();
        };
      },
    },
  });

  await cluster.outcome(coordinator.search({ ...request, cancelAfterMs: 60_000 }));
  await cluster.outcome(coordinator.count({ ...request, cancelAfterMs: 60_000 }));

  expect(timers).toBe(0);
});

test("shards get the body as it came, unless something was put over it", async () => {
  const cluster = createTestCluster({ state: spread(2), answer: shardsWith([[1], [2]]) });
  const { body } = request;
  const sent = { body, bytes: utf8Encode('{ "query" : {"match_all":{}} }') };
  const bodiesFor = async (one: SearchRequest): Promise<readonly string[]> => {
    cluster.asked.length = 0;
    await cluster.outcome(cluster.coordinator.search(one));
    return cluster.asked
      .filter(({ action }) => action === actions.queryPhase)
      .map(({ payload }) => utf8Decode(ShardSearchRequest.decode(payload).body));
  };

  const asItCame = await bodiesFor({ ...request, sent });
  const changed = await bodiesFor({ ...request, sent, body: { ...body, size: 3 } });

  expect(new Set(asItCame)).toEqual(new Set(['{ "query" : {"match_all":{}} }']));
  expect(new Set(changed)).toEqual(new Set(['{"query":{"match_all":{}},"size":3}']));
});

test("what is known of a node is forgotten when it has left the cluster", async () => {
  const cluster = createTestCluster({
    state: withIndex(clusterOf(2), "books", { copies: [[1], [2]] }),
    answer: shardsWith([[1], [2]]),
  });
  const { coordinator, node } = cluster;
  await cluster.outcome(coordinator.search(request));

  const both = Object.keys(node.searchedNodes());
  node.nodesChanged(new Map([[nodeId(1), undefined]]));

  expect(both).toEqual([nodeId(1), nodeId(2)]);
  expect(Object.keys(node.searchedNodes())).toEqual([nodeId(1)]);
});

test("a count is the sum over the shards", async () => {
  const cluster = createTestCluster({ state: spread(3), answer: shardsWith(scores) });

  const outcome = await cluster.outcome(cluster.coordinator.count(request));

  expect(outcome).toMatchObject({ count: 5, terminatedEarly: undefined });
});

test("adaptive selection asks the copy that answered fastest once all are known", async () => {
  const slow = nodeId(2);
  const cluster = createTestCluster({
    state: spread(1, 3),
    answer: async (asked) => {
      if (asked.to === slow) await cluster.deps.stateWhen(() => false, 500);
      return shardsWith([[1]])(asked);
    },
  });
  for (let i = 0; i < 30; i += 1)
    await cluster.outcome(cluster.coordinator.search({ ...request, preference: undefined }));

  const asked = cluster.asked.map(({ to }) => to);

  expect(new Set(asked.slice(0, 3))).toEqual(new Set([nodeId(1), slow, nodeId(3)]));
  expect(asked.slice(3)).not.toContain(slow);
});

test("more ranges than buckets are allowed are refused before a shard is asked", async () => {
  const cluster = createTestCluster({ state: spread(2), answer: shardsWith([[1], [2]]) });
  const ranges = Array.from({ length: 65_536 }, (_, i) => ({ from: i }));
  const body = { size: 0, aggs: { r: { range: { field: "n", ranges } } } };

  const outcome = await cluster.outcome(cluster.coordinator.search({ ...request, body }));

  expect(problemOf(outcome)).toMatchObject({
    type: "search_phase_execution_exception",
    reason: "",
    status: 503,
    metadata: { phase: "fetch", failed_shards: [] },
    causedBy: { type: "too_many_buckets_exception", metadata: { max_buckets: 65_535 } },
  });
  expect(cluster.asked).toEqual([]);
});
