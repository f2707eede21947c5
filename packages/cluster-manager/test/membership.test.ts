/** Who is in, who votes, and who is refused. */
import { describe, expect, test } from "vitest";
import type { Task } from "@orrery/cluster-state";
import { actions } from "@orrery/protocol";
import { createWorld, isFormed, startThree, threeSettings, type Process } from "./world.ts";

const voterNames = (process: Process): string[] => {
  const { nodes, metadata } = process.manager.state();
  return metadata.coordination.votingConfiguration
    .map((id) => nodes.get(id)?.name ?? id)
    .toSorted();
};

const setting = (value: string): Task => ({
  kind: "update-cluster-settings",
  persistent: { "cluster.max_shards_per_node": value },
  transient: {},
});

describe("a node that joins", () => {
  test("is let in, and votes only when the number of voters stays odd", async () => {
    const world = createWorld("fourth");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();

    world.start("d", { "discovery.seed_hosts": seeds });
    await world.until(() => isFormed(world, 4), 1000);
    await world.run(200);
    expect(voterNames(a)).toEqual(["a", "b", "c"]);

    world.start("e", { "discovery.seed_hosts": seeds });
    await world.until(() => isFormed(world, 5), 1000);
    await world.run(200);
    expect(voterNames(a)).toEqual(["a", "b", "c", "d", "e"]);
  });

  test("without the cluster_manager role never votes", async () => {
    const world = createWorld("data-only");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();
    world.start("d", { "discovery.seed_hosts": seeds }, ["data"]);
    world.start("e", { "discovery.seed_hosts": seeds }, ["data"]);

    await world.until(() => isFormed(world, 5), 1000);
    await world.run(500);

    expect(voterNames(a)).toEqual(["a", "b", "c"]);
  });

  test("is let in although it is seconds behind a log that goes on", async () => {
    const world = createWorld("behind");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();
    world.slowStore("d", 3000);
    world.start("d", { "discovery.seed_hosts": seeds }, ["data"]);

    for (let i = 0; i < 50; i += 1) {
      void a.manager.submit(setting(String(2000 + i)));
      await world.run(500);
    }

    expect([...a.manager.state().nodes.values()].map(({ name }) => name)).toContain("d");
  });

  test("is sent the log again when the first of it is lost on the way", async () => {
    const world = createWorld("lost-snapshot");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();
    world.loseNext("d", actions.consensusSnapshot);

    world.start("d", { "discovery.seed_hosts": seeds }, ["data"]);
    await world.until(() => isFormed(world, 4), 5000);

    expect(a.manager.state().nodes.size).toBe(4);
  });

  test("under a name that is taken is refused, and told why", async () => {
    const world = createWorld("namesake");
    const [a] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();

    const late = world.start("d", { "node.name": "b", "discovery.seed_hosts": seeds });
    await world.run(1000);

    expect(late.refusals[0]).toMatch(
      /^illegal_argument_exception: can't add node \{b\}.*, found existing node \{b\}.* with the same name$/,
    );
    expect(a.manager.state().nodes.size).toBe(3);
    expect(late.manager.state().nodes.size).toBe(1);
  });

  test("again after a crash takes the place of the process it was", async () => {
    const world = createWorld("again");
    const [, b] = (await startThree(world)) as [Process, Process, Process];
    world.kill(b);
    await world.until(() => isFormed(world, 2), 1000);

    const reborn = world.start("b", threeSettings());
    await world.until(() => isFormed(world, 3), 1000);

    expect(reborn.node.id).toBe(b.node.id);
    expect(reborn.manager.state().nodes.get(b.node.id)?.ephemeralId).toBe(reborn.node.ephemeralId);
  });
});

test("a node that cannot keep the state any more is taken out with the next check, and does not ask to come back", async () => {
  const world = createWorld("store");
  const [a, , c] = (await startThree(world)) as [Process, Process, Process];

  let joins = 0;
  a.endpoint.handle(actions.join, () => {
    joins += 1;
    throw new Error("nobody was to join");
  });
  world.failStore("c");
  void a.manager.submit(setting("1111"));
  await world.until(() => !a.manager.state().nodes.has(c.node.id), 3000);
  await world.run(10_000);

  expect([...a.manager.state().nodes.values()].map(({ name }) => name)).toEqual(["a", "b"]);
  expect(joins).toBe(0);
});

describe("voters", () => {
  test("shrink from five to three when two nodes leave, not further", async () => {
    const world = createWorld("shrink");
    const [a, b] = (await startThree(world)) as [Process, Process, Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();
    const d = world.start("d", { "discovery.seed_hosts": seeds });
    const e = world.start("e", { "discovery.seed_hosts": seeds });
    await world.until(() => isFormed(world, 5) && voterNames(a).length === 5, 2000);
    world.kill(d);
    world.kill(e);
    await world.until(() => voterNames(a).length === 3, 2000);
    expect(voterNames(a)).toEqual(["a", "b", "c"]);
    await world.run(100);

    world.kill(b);
    await world.until(() => isFormed(world, 2), 2000);
    await world.run(500);

    expect(a.manager.state().metadata.coordination.votingConfiguration).toHaveLength(3);
  });

  test("do not shrink where the elected node is configured so", async () => {
    const world = createWorld("no-shrink");
    const own = { "cluster.auto_shrink_voting_configuration": "false" };
    const [a] = (await startThree(world, own)) as [Process];
    const { "discovery.seed_hosts": seeds = [] } = threeSettings();
    const [d, e] = ["d", "e"].map((name) =>
      world.start(name, { ...own, "discovery.seed_hosts": seeds }),
    ) as [Process, Process];
    await world.until(() => isFormed(world, 5) && voterNames(a).length === 5, 2000);

    world.kill(d);
    world.kill(e);
    await world.until(() => isFormed(world, 3), 2000);
    await world.run(500);

    expect(a.manager.state().metadata.coordination.votingConfiguration).toHaveLength(5);
  });

  test("are excluded up to the number the elected node is configured with", async () => {
    const world = createWorld("most-exclusions");
    const [a] = (await startThree(world, { "cluster.max_voting_config_exclusions": "1" })) as [
      Process,
    ];
    const exclusions = ["x", "y"].map((nodeName) => ({ nodeId: "_absent_", nodeName }));
    const exclude = (count: number): Promise<unknown> =>
      world.settle(
        a.manager.submit({
          kind: "add-voting-config-exclusions",
          exclusions: exclusions.slice(0, count),
        }),
      );

    await expect(exclude(2)).rejects.toThrow(
      /would exceed the maximum of \[1\] set by \[cluster.max_voting_config_exclusions\]/,
    );
    await exclude(1);
    const { votingConfigExclusions } = a.manager.state().metadata.coordination;
    expect(votingConfigExclusions).toHaveLength(1);
  });

  test("that are excluded lose their vote, and the elected one hands over first", async () => {
    const world = createWorld("excluded");
    const [a, b] = (await startThree(world)) as [Process, Process, Process];
    const exclusions = [{ nodeId: a.node.id, nodeName: "a" }];

    await world.settle(b.manager.submit({ kind: "add-voting-config-exclusions", exclusions }));
    await world.until(() => !a.manager.isElected && !voterNames(b).includes("a"), 3000);
    await world.until(() => isFormed(world, 3), 3000);

    expect(a.manager.state().managerNodeId).not.toBe(a.node.id);
    expect(voterNames(b)).not.toContain("a");
  });
});
