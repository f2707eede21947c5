/** What whoever submits a task is told, and when. */
import type { Task } from "@orrery/cluster-state";
import type { AllocationId, IndexUuid } from "@orrery/stdx";
import { describe, expect, test } from "vitest";
import { createWorld, startThree, threeSettings, type Process } from "./world.ts";

const setting = (value: string): Task => ({
  kind: "update-cluster-settings",
  persistent: { "cluster.max_shards_per_node": value },
  transient: {},
});

const settingOf = ({ manager }: Process): unknown =>
  manager.state().metadata.persistentSettings["cluster.max_shards_per_node"];

describe("a submitted task", () => {
  test("is acknowledged when every node has applied it", async () => {
    const world = createWorld("ack");
    const processes = await startThree(world);

    const answer = await world.settle((processes[2] as Process).manager.submit(setting("1234")));

    expect(answer).toEqual({ acknowledged: true });
    expect(processes.map(settingOf)).toEqual(["1234", "1234", "1234"]);
  });

  test("is done but not acknowledged when a node does not apply it in time", async () => {
    const world = createWorld("no-ack");
    const [a, b, c] = (await startThree(world)) as [Process, Process, Process];
    world.partition([c], "blackhole");
    const startMs = world.nowMs();

    const answer = await world.settle(b.manager.submit(setting("1235"), { ackTimeoutMs: 700 }));

    expect(answer).toEqual({ acknowledged: false });
    expect(world.nowMs() - startMs).toBeGreaterThanOrEqual(700);
    expect([a, b, c].map(settingOf)).toEqual(["1235", "1235", undefined]);
  });

  test("that the reducer refuses is refused with its problem, and makes no version", async () => {
    const world = createWorld("refused");
    const [a, b] = (await startThree(world)) as [Process, Process, Process];
    const { version } = a.manager.state();

    const answer = b.manager.submit({
      kind: "delete-index",
      index: "missing",
      uuid: "x" as IndexUuid,
      nowMs: 1,
    });

    await expect(world.settle(answer)).rejects.toMatchObject({
      problem: { type: "index_not_found_exception", status: 404 },
    });
    expect(a.manager.state().version).toBe(version);
  });

  test("is refused with 503 when there is no cluster manager to be found in time", async () => {
    const world = createWorld("nobody");
    const lonely = world.start("a", threeSettings());

    const answer = lonely.manager.submit(setting("1"), { managerTimeoutMs: 300 });

    await expect(world.settle(answer)).rejects.toMatchObject({
      problem: { type: "cluster_manager_not_discovered_exception", reason: null, status: 503 },
    });
    expect(world.nowMs()).toBe(300);
  });

  test("of many at once is applied in the order of its arrival, one version each", async () => {
    const world = createWorld("many");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const before = a.manager.state().version;
    const seen: unknown[] = [];
    a.manager.onApplied((state) =>
      seen.push(state.metadata.persistentSettings["cluster.max_shards_per_node"]),
    );
    const values = Array.from({ length: 30 }, (_, i) => String(3000 + i));

    await world.settle(Promise.all(values.map((value) => a.manager.submit(setting(value)))));

    expect(seen).toEqual(values);
    expect(a.manager.state().version).toBe(before + values.length);
  });
});

describe("a read of the manager's state", () => {
  test("holds what was acknowledged before through another node", async () => {
    const world = createWorld("read");
    const [a, b, c] = (await startThree(world)) as [Process, Process, Process];
    world.partition([c], "blackhole");
    await world.settle(a.manager.submit(setting("77"), { ackTimeoutMs: 0 }));
    world.heal();

    const state = await world.settle(c.manager.managerState(30_000));

    expect(state.metadata.persistentSettings["cluster.max_shards_per_node"]).toBe("77");
    expect(settingOf(b)).toBe("77");
  });

  test("fails on a cluster manager that a majority does not hear any more", async () => {
    const world = createWorld("stale-read");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    world.partition([a], "blackhole");

    const read = a.manager.managerState(2000);

    await expect(world.settle(read)).rejects.toMatchObject({
      problem: { type: "cluster_manager_not_discovered_exception" },
    });
  });
});

test("a report about a copy that does not exist is answered and changes nothing", async () => {
  const world = createWorld("reports");
  const [a, b] = (await startThree(world)) as [Process, Process, Process];
  const { actions, ShardFailedRequest } = await import("@orrery/protocol");
  const { version } = a.manager.state();
  const report = ShardFailedRequest.encode({
    index: "none",
    indexUuid: "u",
    shard: 0,
    allocationId: "a" as AllocationId,
    primaryTerm: 1,
    markAsStale: true,
    message: "gone",
  }).finish();

  const answer = await world.settle(b.endpoint.request(a.node.id, actions.shardFailed, report));

  expect(answer).toHaveLength(0);
  expect(a.manager.state().version).toBe(version);
});
