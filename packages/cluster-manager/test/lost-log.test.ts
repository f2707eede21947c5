/** What a node lost of its log it does not vote with, and what it cannot apply it stops at; both are told, and both can be healed. */
import type { Task } from "@orrery/cluster-state";
import { describe, expect, test } from "vitest";
import { skippedValues } from "../src/quarantine.ts";
import {
  createWorld,
  isFormed,
  startThree,
  threeNames,
  threeSettings,
  type Process,
  type World,
} from "./world.ts";

const setting = (value: string): Task => ({
  kind: "update-cluster-settings",
  persistent: { "cluster.max_shards_per_node": value },
  transient: {},
});

const settingOf = ({ manager }: Process): unknown =>
  manager.state().metadata.persistentSettings["cluster.max_shards_per_node"];

const raftIdOf = ({ manager, node }: Process): number | undefined =>
  manager.state().metadata.coordination.raftIds.get(node.id);

function start(world: World, name: string): Process {
  return world.start(name, threeSettings());
}

/** A setting that only a and b have acknowledged; then everybody is down. */
async function acknowledgedByTwo(world: World): Promise<void> {
  const [a, b, c] = (await startThree(world)) as [Process, Process, Process];
  world.kill(c);
  await world.until(() => isFormed(world, 2), 1000);
  const { acknowledged } = await world.settle(b.manager.submit(setting("1234")));
  expect(acknowledged).toBe(true);
  world.kill(a);
  world.kill(b);
}

describe("a node that lost some of what it acknowledged", () => {
  test("elects nobody: with one that never had it, it is no majority", async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const world = createWorld(`lost-${seed}`);
      await acknowledgedByTwo(world);
      world.loseLog("b");
      const [b, c] = [start(world, "b"), start(world, "c")];

      await world.run(30_000);

      expect([world.elected(), b.manager.state().managerNodeId]).toEqual([undefined, undefined]);
      expect(c.manager.state().blocks.global.map(({ id }) => id)).toContain(2);
    }
  });

  test("is let in anew by a majority of the others, as another member of Raft, and votes again", async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const world = createWorld(`healed-${seed}`);
      await acknowledgedByTwo(world);
      world.loseLog("b");
      const b = start(world, "b");
      start(world, "c");
      await world.run(5000);
      const a = start(world, "a");

      await world.until(() => isFormed(world, 3), 20_000);
      await world.run(1000);

      expect(world.processes().map(settingOf)).toEqual(["1234", "1234", "1234"]);
      expect(raftIdOf(b)).toBeGreaterThan(3);
      expect(a.manager.votingConfigurations()).toEqual({
        current: world
          .processes()
          .map(({ node }) => node.id)
          .toSorted(),
        former: [],
      });
    }
  });

  test("keeps its node id and its new Raft id through the next restart", async () => {
    const world = createWorld("healed-for-good");
    await acknowledgedByTwo(world);
    world.loseLog("b");
    const b = threeNames.map((name) => start(world, name))[1] as Process;
    await world.until(() => isFormed(world, 3), 20_000);
    await world.run(1000);
    const raftId = raftIdOf(b);
    for (const process of world.processes()) world.kill(process);

    const again = threeNames.map((name) => start(world, name))[1] as Process;
    await world.until(() => isFormed(world, 3), 20_000);

    expect([again.node.id, raftIdOf(again), settingOf(again)]).toEqual([b.node.id, raftId, "1234"]);
  });

  test("makes no new cluster, even when it is the first one of all", async () => {
    const world = createWorld("lost-first");
    await startThree(world);
    for (const process of world.processes()) world.kill(process);
    world.loseLog("a");

    const a = start(world, "a");
    world.loseDisk("b");
    start(world, "b");
    await world.run(20_000);

    expect(world.elected()).toBe(undefined);
    expect(a.manager.state().metadata.clusterUuid).toBe("_na_");
  });

  test("waits while two of three lost something: what is left may not be all", async () => {
    const world = createWorld("two-lost");
    await acknowledgedByTwo(world);
    world.loseLog("a");
    world.loseLog("b");
    for (const name of threeNames) start(world, name);

    await world.run(30_000);

    expect(world.elected()).toBe(undefined);
  });
});

describe("a committed entry that cannot be applied", () => {
  /** The entry of a setting, on the disk of c, is no longer one that anybody could apply. */
  async function spoiled(world: World): Promise<{ index: number; term: number }> {
    const [a, b, c] = (await startThree(world)) as [Process, Process, Process];
    await world.settle(b.manager.submit(setting("1234")));
    await world.run(100);
    const last = world.trace.findLast(
      ({ node, event }) => node === "c" && event.kind === "log-entry-applied",
    )?.event;
    if (last?.kind !== "log-entry-applied") throw new Error("nothing was applied");
    await world.settle(a.manager.submit(setting("2345")));
    world.kill(c);
    world.spoil("c", last.index, Uint8Array.of(255, 255));
    await world.until(() => isFormed(world, 2), 1000);
    return last;
  }

  test("keeps that node out, not down; the others go on, and it is the same after a restart", async () => {
    const world = createWorld("quarantine");
    const { index } = await spoiled(world);
    for (let life = 0; life < 3; life += 1) {
      const c = start(world, "c");
      await world.run(10_000);

      const told = world.trace.filter(
        ({ event }) => event.kind === "log-entry-quarantined" && event.index === index,
      );
      expect(told).toHaveLength(life + 1);
      expect(c.manager.isElected).toBe(false);
      expect(c.manager.state().blocks.global.map(({ id }) => id)).toContain(2);
      expect(world.elected()?.manager.state().nodes.size).toBe(2);
      world.kill(c);
    }
  });

  test("is passed over when an operator says so", async () => {
    const world = createWorld("skipped");
    const { index, term } = await spoiled(world);
    world.kill(start(world, "c"));
    const c = start(world, "c");
    await world.run(5000);
    world.kill(c);
    world.store("c", { values: skippedValues({ values: new Map() } as never, { index, term }) });

    const again = start(world, "c");
    await world.until(() => isFormed(world, 3), 10_000);

    expect(settingOf(again)).toBe("2345");
  });

  test("is gone when the node gives its log up, and holds it anew", async () => {
    const world = createWorld("given-up");
    await spoiled(world);
    const c = start(world, "c");
    await world.run(5000);
    world.kill(c);
    world.loseLog("c");

    const again = start(world, "c");
    await world.until(() => isFormed(world, 3), 20_000);

    expect(settingOf(again)).toBe("2345");
  });
});
