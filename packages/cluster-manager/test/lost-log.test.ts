/** What a node lost of its log it does not vote with, and what it cannot apply it stops at; both are told, and both can be healed. */
import type { Task } from "@orrery/cluster-state";
import { describe, expect, test } from "vitest";
import { skippedValues, type Position } from "../src/quarantine.ts";
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

  test("is told when its store was put back to an older one, and holds the log anew", async () => {
    for (let seed = 1; seed <= 5; seed += 1) {
      const world = createWorld(`put-back-${seed}`);
      const processes = (await startThree(world)) as [Process, Process, Process];
      const manager = world.elected() as Process;
      const c = processes.find((process) => process !== manager) as Process;
      const putBack = world.backUp(c.name);
      for (const value of ["1111", "2222"])
        await world.settle(manager.manager.submit(setting(value)));
      await world.run(1000);
      const before = raftIdOf(c);
      world.kill(c);
      putBack();
      await world.until(() => isFormed(world, 2), 5000);

      const again = start(world, c.name);
      await world.until(() => isFormed(world, 3), 20_000);
      await world.run(1000);

      expect(raftIdOf(again)).toBeGreaterThan(before ?? 0);
      expect(settingOf(again)).toBe("2222");
      expect(again.manager.votingConfigurations().current).toHaveLength(3);
    }
  });

  test("keeps its Raft id when its process stops and starts, again and again", async () => {
    const world = createWorld("not-put-back");
    await startThree(world);
    for (let life = 0; life < 6; life += 1) {
      const manager = world.elected() as Process;
      const other = world.processes().find((process) => process !== manager) as Process;
      const before = raftIdOf(other);
      await world.settle(manager.manager.submit(setting(`${1000 + life}`)));
      world.kill(other);
      if (life % 2 === 0) await world.until(() => isFormed(world, 2), 5000);
      const again = start(world, other.name);
      await world.until(() => isFormed(world, 3), 20_000);
      expect(raftIdOf(again)).toBe(before);
    }
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

  /** The operator has these nodes, which are down, pass over the entry. */
  function skip(world: World, names: readonly string[], { index, term }: Position): void {
    for (const name of names)
      world.store(name, { values: skippedValues({ values: new Map() } as never, { index, term }) });
  }

  async function allDown(world: World): Promise<Position> {
    const { index, term } = await spoiled(world);
    for (const process of world.processes()) world.kill(process);
    for (const name of ["a", "b"]) world.spoil(name, index, Uint8Array.of(255, 255));
    return { index, term };
  }

  test("is passed over when an operator says so on every node, also by those that come later", async () => {
    const world = createWorld("skipped");
    const position = await allDown(world);
    skip(world, threeNames, position);

    for (const name of threeNames) start(world, name);
    await world.until(() => isFormed(world, 3), 20_000);
    const d = start(world, "d");
    await world.until(() => isFormed(world, 4), 20_000);

    expect([...world.processes(), d].map(settingOf)).toEqual(Array(5).fill("2345"));
  });

  test("keeps a node out that passed over what the others did not, and says which entry that is", async () => {
    const world = createWorld("skipped-alone");
    const position = await spoiled(world);
    skip(world, ["c"], position);

    const c = start(world, "c");
    await world.run(10_000);

    expect(world.elected()?.manager.state().nodes.size).toBe(2);
    expect(c.refusals.join("\n")).toContain(
      `did not pass over the same entries of the cluster state's log: they differ in [${position.index} of term ${position.term}]`,
    );
  });

  test("keeps a node out that did not pass over what the others did", async () => {
    const world = createWorld("skipped-by-others");
    const [a] = (await startThree(world)) as [Process];
    await world.settle(a.manager.submit(setting("1234")));
    await world.settle(a.manager.submit(setting("2345")));
    await world.run(1000);
    const { event } = world.trace.findLast(
      ({ event: { kind } }) => kind === "log-entry-applied",
    ) as { event: Position };
    for (const process of world.processes()) world.kill(process);
    skip(world, ["a", "b"], { index: event.index, term: event.term });
    for (const name of ["a", "b"]) start(world, name);
    await world.until(() => isFormed(world, 2), 20_000);

    const c = start(world, "c");
    await world.run(20_000);

    expect(c.refusals.join("\n")).toContain("they differ in");
    expect(world.elected()?.manager.state().nodes.size).toBe(2);
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
