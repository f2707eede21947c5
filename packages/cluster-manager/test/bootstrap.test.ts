/** A cluster comes about. */
import { describe, expect, test } from "vitest";
import {
  createWorld,
  isFormed,
  startThree,
  threeNames,
  threeSettings,
  type Process,
} from "./world.ts";

describe("a cluster", () => {
  test("of one node is formed within 20 ms", async () => {
    const world = createWorld("one");
    const node = world.start("a", { "discovery.type": "single-node" });

    await world.until(() => isFormed(world, 1), 20);

    expect(node.manager.isElected).toBe(true);
    expect(node.manager.state().version).toBeGreaterThan(0);
    const elected = world.trace.find(({ event }) => event.kind === "cluster-manager-elected");
    expect(elected?.event).toMatchObject({ term: 1 });
  });

  test("of three nodes is formed within 100 ms", async () => {
    const world = createWorld("three");
    const processes = threeNames.map((name) => world.start(name, threeSettings()));

    await world.until(() => isFormed(world, 3), 100);

    expect(processes.map(({ manager }) => manager.isElected)).toEqual([true, false, false]);
  });

  test("is joined again by its first node after that lost its disk, and no second one is made", async () => {
    const world = createWorld("lost disk");
    const [a, b] = (await startThree(world)) as [Process, Process, Process];
    const clusterUuid = b.manager.state().metadata.clusterUuid;

    world.kill(a);
    world.loseDisk("a");
    await world.until(() => b.manager.state().nodes.size === 2, 1000);
    const again = world.start("a", {
      ...threeSettings(),
      "cluster.initial_cluster_manager_nodes": ["a"],
    });
    await world.until(() => isFormed(world, 3), 1000);

    expect(again.manager.state().metadata.clusterUuid).toBe(clusterUuid);
  });

  test("is formed although a seed address swallows what is sent to it", async () => {
    const world = createWorld("silent seed");
    const silent = world.start("b", { "discovery.seed_hosts": ["a:9300"] });
    world.partition([silent], "blackhole");
    const node = world.start("a", {
      "discovery.seed_hosts": ["b:9300"],
      "cluster.initial_cluster_manager_nodes": ["a"],
    });
    world.partition([node], "blackhole");

    await world.until(() => node.manager.isElected, 4000);

    expect(node.manager.state().nodes.size).toBe(1);
  });
});
