/** The elected cluster manager goes away, by crash or by network, and what was promised stays. */
import type { Task } from "@orrery/cluster-state";
import { describe, expect, test } from "vitest";
import {
  createWorld,
  isFormed,
  startThree,
  threeNames,
  threeSettings,
  type Process,
} from "./world.ts";

const setting = (value: string): Task => ({
  kind: "update-cluster-settings",
  persistent: { "cluster.max_shards_per_node": value },
  transient: {},
});

const settingOf = ({ manager }: Process): unknown =>
  manager.state().metadata.persistentSettings["cluster.max_shards_per_node"];

describe("when the elected cluster manager is killed", () => {
  test("the others have a new one within 300 ms, for ten seeds", async () => {
    const took: number[] = [];
    for (let seed = 1; seed <= 10; seed += 1) {
      const world = createWorld(`kill-${seed}`);
      const [a, b, c] = await startThree(world);
      await world.run(500);
      const killedMs = world.nowMs();
      world.kill(a as Process);

      await world.until(() => isFormed(world, 2), 1000);

      took.push(world.nowMs() - killedMs);
      expect([b?.manager.isElected, c?.manager.isElected].filter(Boolean)).toHaveLength(1);
    }
    expect(Math.max(...took)).toBeLessThan(300);
  });

  test("its silence alone ends its term, too", async () => {
    const world = createWorld("silent");
    const [a] = await startThree(world);
    world.partition([a as Process], "blackhole");

    await world.until(() => world.processes().some((p) => p !== a && p.manager.isElected), 12_000);
    await world.until(() => a?.manager.isElected === false, 12_000);

    expect(a?.manager.state().managerNodeId).toBeUndefined();
    expect(a?.manager.state().blocks.global.map(({ id }) => id)).toEqual([2]);
  });

  test("tasks under way are done once each, and every one is answered", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const world = createWorld(`retry-${seed}`);
      const [a, b] = (await startThree(world)) as [Process, Process, Process];
      const answers = Array.from({ length: 20 }, (_, i) =>
        b.manager.submit(setting(String(2000 + i))),
      );
      const kill = world.run(world.random.float() * 12).then(() => world.kill(a));
      await kill;

      const results = await world.settle(Promise.all(answers));

      expect(results.map(({ acknowledged }) => acknowledged)).toEqual(answers.map(() => true));
      const changes = new Set<string>();
      for (const { node, event } of world.trace) {
        if (node === "b" && event.kind === "cluster-state-applied") changes.add(`${event.version}`);
      }
      expect(settingOf(b)).toMatch(/^20\d\d$/);
    }
  });
});

describe("a minority", () => {
  test("commits nothing, says so, and follows the majority when it is back", async () => {
    const world = createWorld("minority");
    const [a, b] = (await startThree(world)) as [Process, Process, Process];
    world.partition([a], "close");
    const refused = a.manager.submit(setting("1111"), { managerTimeoutMs: 2000 });
    refused.catch(() => {});
    await world.until(() => world.processes().some((p) => p !== a && p.manager.isElected), 1000);

    const accepted = await world.settle(b.manager.submit(setting("2222")));

    expect(accepted).toEqual({ acknowledged: true });
    await expect(world.settle(refused)).rejects.toMatchObject({
      problem: { type: "cluster_manager_not_discovered_exception", status: 503 },
    });
    expect(settingOf(a)).toBeUndefined();
    world.heal();
    await world.until(() => isFormed(world, 3), 15_000);
    expect(settingOf(a)).toBe("2222");
  });
});

describe("a cluster that is stopped as a whole", () => {
  test("comes back with what it had", async () => {
    const world = createWorld("restart");
    const before = (await startThree(world)) as Process[];
    const answer = before[1]?.manager.submit(setting("3333"));
    await world.settle(answer as Promise<unknown>);
    const uuid = before[0]?.manager.state().metadata.clusterUuid;
    for (const process of before) world.kill(process);
    await world.run(50);

    const after = threeNames.map((name) => world.start(name, threeSettings()));
    await world.until(() => isFormed(world, 3), 1000);

    expect(after.map(settingOf)).toEqual(["3333", "3333", "3333"]);
    expect(after.map(({ manager }) => manager.state().metadata.clusterUuid)).toEqual([
      uuid,
      uuid,
      uuid,
    ]);
  });

  test("works again as soon as a majority is back, and the last one joins", async () => {
    const world = createWorld("restart-majority");
    const before = await startThree(world);
    for (const process of before) world.kill(process);
    await world.run(50);
    world.start("b", threeSettings());
    world.start("c", threeSettings());
    await world.until(() => isFormed(world, 2), 1500);

    world.start("a", threeSettings());

    await world.until(() => isFormed(world, 3), 1500);
  });
});

describe("when the elected cluster manager is stopped", () => {
  test("another voter is elected before it stops, and no task is lost", async () => {
    for (let seed = 1; seed <= 10; seed += 1) {
      const world = createWorld(`hand-over-${seed}`);
      const [a, b] = (await startThree(world)) as [Process, Process, Process];
      await world.run(500);
      const acknowledged: boolean[] = [];
      void b.manager.submit(setting("1234")).then((answer) => {
        acknowledged.push(answer.acknowledged);
      });
      let isStopped = false;
      void a.manager.stop().then(() => {
        isStopped = true;
      });
      await world.until(() => isStopped, 500);
      const electedByThen = world.processes().filter((p) => p !== a && p.manager.isElected);
      world.kill(a);
      await world.until(() => acknowledged.length > 0, 60_000);

      expect(electedByThen).toHaveLength(1);
      expect(acknowledged).toEqual([true]);
      expect(settingOf(b)).toBe("1234");
    }
  });

  test("a cluster of one stops at once", async () => {
    const world = createWorld("alone");
    const a = world.start("a", { "cluster.initial_cluster_manager_nodes": ["a"] });
    await world.until(() => a.manager.isElected, 5000);
    let isStopped = false;

    void a.manager.stop().then(() => {
      isStopped = true;
    });
    await world.run(1);

    expect(isStopped).toBe(true);
  });
});
