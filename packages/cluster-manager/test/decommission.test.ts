/** Taking a zone out: who votes, who stays, what becomes of it when a manager goes in the middle. */
import { decommissionOf, type ClusterState, type NodeRole } from "@orrery/cluster-state";
import { forSeedsAsync } from "@orrery/seeds";
import { describe, expect, test } from "vitest";
import type { DecommissionRequest } from "../src/index.ts";
import { createWorld, isFormed, type Process, type World } from "./world.ts";

const names = ["a1", "a2", "b1", "b2", "c1", "c2"];

interface Zoned {
  readonly world: World;
  readonly processes: Process[];
}

const zoned: Record<string, string> = {
  "cluster.routing.allocation.awareness.attributes": "zone",
  "cluster.routing.allocation.awareness.force.zone.values": "a,b,c",
};

/** Two nodes in each of three zones, all of them cluster-manager-eligible, and no weight on the zone that goes. */
async function zones(
  seed: string,
  rolesOf: (name: string) => NodeRole[] = bothRoles,
): Promise<Zoned> {
  const world = createWorld(seed);
  const processes = names.map((name) => world.start(name, settingsOf(name), rolesOf(name)));
  await world.until(() => isFormed(world, names.length), 10_000);
  await world.run(2000);
  return { world, processes };
}

function bothRoles(): NodeRole[] {
  return ["cluster_manager", "data"];
}

function settingsOf(name: string): Record<string, string | string[]> {
  return {
    ...zoned,
    "node.attr.zone": name.slice(0, 1),
    "discovery.seed_hosts": names.map((other) => `${other}:9300`),
    "cluster.initial_cluster_manager_nodes": ["a1", "b1", "c1"],
  };
}

function zoneOf({ node }: Process): string {
  return node.attributes["zone"] ?? "";
}

async function weigh({ world, processes }: Zoned, zone: string): Promise<void> {
  const weights = Object.fromEntries(["a", "b", "c"].map((name) => [name, name === zone ? 0 : 1]));
  const [first] = processes;
  if (first === undefined) throw new Error("no process");
  await world.settle(
    first.manager.submit({ kind: "put-weighted-routing", attribute: "zone", weights, version: -1 }),
  );
}

function request(value: string, rest: Partial<DecommissionRequest> = {}): DecommissionRequest {
  return {
    attribute: "zone",
    value,
    requestId: `request-${value}`,
    delayMs: 1000,
    weighsAway: false,
    managerTimeoutMs: 30_000,
    ...rest,
  };
}

function elected(world: World): Process {
  const process = world.elected();
  if (process === undefined) throw new Error("nobody is elected");
  return process;
}

function statusOf(process: Process): string | undefined {
  return decommissionOf(process.manager.state())?.status;
}

function votersIn(state: ClusterState, zone: string): number {
  return state.metadata.coordination.votingConfiguration.filter(
    (id) => state.nodes.get(id)?.attributes["zone"] === zone,
  ).length;
}

function outside(processes: readonly Process[], zone: string): Process {
  const found = processes.find((process) => process.isAlive && zoneOf(process) !== zone);
  if (found === undefined) throw new Error("no node outside of the zone");
  return found;
}

function transitions(world: World, process: Process): string[] {
  return world.trace.flatMap(({ node, event }) =>
    node === process.name && event.kind === "decommission-status-changed" ? [event.status] : [],
  );
}

describe("a decommission", () => {
  test("INV-DECOMMISSION-1: of the elected cluster manager's zone hands over, drains, removes the nodes and succeeds", async () => {
    await forSeedsAsync(6, async (_, seed) => {
      const cluster = await zones(`own-zone-${seed}`);
      const { world, processes } = cluster;
      const zone = zoneOf(elected(world));
      await weigh(cluster, zone);
      const asked = outside(processes, zone);

      await world.settle(asked.manager.decommission(request(zone)), 200_000);
      const state = asked.manager.state();
      expect(votersIn(state, zone)).toBe(0);
      expect(zoneOf(elected(world))).not.toBe(zone);
      await world.until(() => statusOf(asked) === "successful", 30_000);

      expect(asked.manager.state().nodes.size).toBe(4);
      expect(asked.manager.state().metadata.coordination.votingConfigExclusions).toEqual([]);
      expect(transitions(world, asked)).toEqual(["init", "draining", "in_progress", "successful"]);
    });
  }, 60_000);

  test("keeps its nodes out until the zone is recommissioned, then lets them in", async () => {
    const cluster = await zones("recommission");
    const { world, processes } = cluster;
    const zone = zoneOf(elected(world)) === "c" ? "b" : "c";
    await weigh(cluster, zone);
    const asked = outside(processes, zone);
    await world.settle(asked.manager.decommission(request(zone, { delayMs: 0 })), 200_000);
    await world.until(() => statusOf(asked) === "successful", 30_000);
    const removed = processes.filter((process) => zoneOf(process) === zone);

    await world.run(300_000);
    expect(asked.manager.state().nodes.size).toBe(4);
    expect(removed.map(({ manager }) => manager.state().managerNodeId)).toEqual([
      undefined,
      undefined,
    ]);
    expect(removed.map(statusOf)).toEqual(["in_progress", "in_progress"]);
    expect(removed[0]?.refusals.at(-1)).toMatch(/^node_decommissioned_exception: node \[\{/);

    await world.settle(asked.manager.submit({ kind: "delete-decommission-state" }));
    await world.until(() => isFormed(world, names.length), 125_000);
    expect(transitions(world, asked).at(-1)).toBe("none");
  }, 60_000);

  test("asks a node of the zone to look for its peers only now and then", async () => {
    const cluster = await zones("pauses");
    const { world, processes } = cluster;
    await weigh(cluster, "c");
    const asked = outside(processes, "c");
    await world.settle(asked.manager.decommission(request("c", { delayMs: 0 })), 200_000);
    await world.until(() => statusOf(asked) === "successful", 30_000);
    const node = processes.find((process) => zoneOf(process) === "c");
    const before = node?.refusals.length ?? 0;

    await world.run(600_000);
    expect((node?.refusals.length ?? 0) - before).toBeLessThanOrEqual(6);
    expect((node?.refusals.length ?? 0) - before).toBeGreaterThanOrEqual(4);
  }, 60_000);

  test("fails after two minutes when nobody else could be elected, and everybody stays", async () => {
    const rolesOf = (name: string): NodeRole[] =>
      name.startsWith("a") ? ["cluster_manager", "data"] : ["data"];
    const world = createWorld("only-zone");
    const processes = names.map((name) =>
      world.start(
        name,
        { ...settingsOf(name), "cluster.initial_cluster_manager_nodes": ["a1", "a2"] },
        rolesOf(name),
      ),
    );
    await world.until(() => isFormed(world, names.length), 10_000);
    await weigh({ world, processes }, "a");
    const asked = outside(processes, "a");

    const failure = await world.settle(asked.manager.decommission(request("a")), 200_000).then(
      () => "acknowledged",
      (error: unknown) => error,
    );

    expect(failure).toMatchObject({
      problem: {
        type: "timeout_exception",
        reason: expect.stringMatching(
          /^timed out \[120s\] while removing to-be-decommissioned cluster manager eligible nodes \[\{a1\}.*\] from voting config$/,
        ),
        status: 500,
      },
    });
    await world.run(1000);
    expect(statusOf(asked)).toBe("failed");
    expect(asked.manager.state().nodes.size).toBe(6);
    expect(asked.manager.state().metadata.coordination.votingConfigExclusions).toEqual([]);
    expect(transitions(world, asked)).toEqual(["init", "failed"]);
  }, 60_000);

  test("stays where it is when the elected cluster manager dies while the zone drains", async () => {
    await forSeedsAsync(6, async (_, seed) => {
      const cluster = await zones(`manager-dies-${seed}`);
      const { world, processes } = cluster;
      const zone = zoneOf(elected(world)) === "c" ? "b" : "c";
      await weigh(cluster, zone);
      const asked = outside(processes, zone);
      await world.settle(asked.manager.decommission(request(zone, { delayMs: 20_000 })), 200_000);
      await world.until(() => statusOf(asked) === "draining", 5000);
      await world.run(world.random.int(0, 15_000));

      world.kill(elected(world));
      const witness = outside(processes, zone);
      await world.until(() => world.elected() !== undefined, 60_000);
      await world.run(300_000);

      expect(statusOf(witness)).toBe("draining");
      expect(votersIn(witness.manager.state(), zone)).toBe(0);
      await world.settle(witness.manager.submit({ kind: "delete-decommission-state" }));
      expect(witness.manager.state().metadata.coordination.votingConfigExclusions).toEqual([]);
    });
  }, 120_000);

  test("goes on when a node of the zone dies while it drains", async () => {
    await forSeedsAsync(4, async (_, seed) => {
      const cluster = await zones(`node-dies-${seed}`);
      const { world, processes } = cluster;
      const zone = zoneOf(elected(world)) === "c" ? "b" : "c";
      await weigh(cluster, zone);
      const asked = outside(processes, zone);
      await world.settle(asked.manager.decommission(request(zone, { delayMs: 20_000 })), 200_000);
      await world.run(world.random.int(0, 15_000));
      const victim = processes.find((process) => zoneOf(process) === zone);
      if (victim !== undefined) world.kill(victim);

      await world.until(() => statusOf(asked) === "successful", 200_000);
      expect(asked.manager.state().nodes.size).toBe(4);
    });
  }, 60_000);

  test("INV-DECOMMISSION-2: is ended by a recommission while it drains: its timer moves no later one", async () => {
    const cluster = await zones("timer");
    const { world, processes } = cluster;
    await weigh(cluster, "c");
    const asked = outside(processes, "c");
    await world.settle(asked.manager.decommission(request("c", { delayMs: 60_000 })), 200_000);
    await world.until(() => statusOf(asked) === "draining", 5000);
    await world.settle(asked.manager.submit({ kind: "delete-decommission-state" }));
    const second = request("c", { delayMs: 0, requestId: "second" });
    await world.settle(asked.manager.decommission(second), 200_000);
    await world.until(() => statusOf(asked) === "successful", 30_000);

    await world.run(120_000);
    expect(statusOf(asked)).toBe("successful");
  }, 60_000);

  test("throws nobody out when a recommission lands as the drain ends", async () => {
    await forSeedsAsync(12, async (_, seed) => {
      const cluster = await zones(`drain-ends-${seed}`);
      const { world, processes } = cluster;
      const zone = zoneOf(elected(world)) === "c" ? "b" : "c";
      await weigh(cluster, zone);
      const manager = elected(world);
      await world.settle(manager.manager.decommission(request(zone, { delayMs: 1000 })), 200_000);
      await world.until(() => statusOf(manager) === "draining", 5000);
      let fewest = names.length;
      manager.manager.onApplied(({ nodes }) => (fewest = Math.min(fewest, nodes.size)));

      await world.run(1000 - world.random.float() * 4);
      await world.settle(manager.manager.submit({ kind: "delete-decommission-state" }));
      await world.run(2000);

      const path = transitions(world, outside(processes, zone));
      if (!path.includes("in_progress")) expect(fewest).toBe(names.length);
    });
  }, 60_000);

  test("is accepted once of many that are asked for at the same time", async () => {
    await forSeedsAsync(4, async (_, seed) => {
      const cluster = await zones(`concurrent-${seed}`);
      const { world, processes } = cluster;
      await weigh(cluster, "c");
      const outcomes = processes
        .slice(0, 4)
        .map((process, i) =>
          process.manager
            .decommission(request("c", { requestId: `request-${i}`, delayMs: 1000 }))
            .then(() => "acknowledged", String),
        );

      const all = await world.settle(Promise.all(outcomes), 200_000);
      expect(all.filter((outcome) => outcome === "acknowledged")).toHaveLength(1);
      expect(
        all.filter((outcome) => /same request is already in status/.test(outcome)),
      ).toHaveLength(3);
    });
  }, 60_000);

  test("is answered and goes on although its elected cluster manager dies before the answer", async () => {
    await forSeedsAsync(10, async (_, seed) => {
      const cluster = await zones(`before-the-answer-${seed}`);
      const { world, processes } = cluster;
      const zone = zoneOf(elected(world)) === "c" ? "b" : "c";
      await weigh(cluster, zone);
      const first = elected(world);
      const asked = processes.find((process) => process !== first && zoneOf(process) !== zone);
      if (asked === undefined) throw new Error("nobody to ask");
      const outcome = asked.manager
        .decommission(request(zone, { delayMs: 0 }))
        .then(() => "acknowledged", String);
      await world.run(world.random.float() * 12);
      world.kill(first);

      expect(await world.settle(outcome, 200_000)).toBe("acknowledged");
      await world.run(60_000);
      const path = transitions(world, asked);
      expect(["init,in_progress,successful", "init,in_progress"]).toContain(path.join());
      expect(votersIn(asked.manager.state(), zone)).toBe(0);
    });
  }, 120_000);

  test("hands over in a cluster of two", async () => {
    const world = createWorld("two");
    const pair = ["a1", "c1"];
    const processes = pair.map((name) =>
      world.start(name, {
        ...zoned,
        "node.attr.zone": name.slice(0, 1),
        "discovery.seed_hosts": pair.map((other) => `${other}:9300`),
        "cluster.initial_cluster_manager_nodes": ["c1"],
      }),
    );
    await world.until(() => isFormed(world, 2), 10_000);
    await weigh({ world, processes }, "c");
    const [stays, goes] = processes;
    if (stays === undefined || goes === undefined) throw new Error("no processes");
    expect(elected(world)).toBe(goes);

    await world.settle(goes.manager.decommission(request("c", { delayMs: 0 })), 200_000);
    await world.until(() => statusOf(stays) === "successful", 30_000);

    expect(elected(world)).toBe(stays);
    expect(stays.manager.state().nodes.size).toBe(1);
  }, 60_000);
});
