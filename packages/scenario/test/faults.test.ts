/** Each fault does its harm while it lasts, and none after its end. */
import { describe, expect, test } from "vitest";
import type { Fault, FaultKind, FaultOf } from "../src/faults/fault.ts";
import { faults, inject } from "../src/faults/table.ts";
import { newClient, type World } from "../src/world.ts";
import { startTestWorld } from "./world.ts";

/** One of each kind: a new kind does not compile without an example. */
const examples: { readonly [Kind in FaultKind]: FaultOf<Kind> } = {
  crash: { kind: "crash", node: "elected-cluster-manager" },
  partition: { kind: "partition", isolate: "node-3" },
  delay: { kind: "delay", lowMs: 0, highMs: 50 },
  loss: { kind: "loss", perMille: 5 },
  duplication: { kind: "duplication", perMille: 50 },
  reordering: { kind: "reordering", perMille: 50 },
};

test("there is an example of every fault", () => {
  expect(Object.keys(examples).toSorted()).toEqual(Object.keys(faults).toSorted());
});

describe.each(Object.values(examples))("$kind", (fault) => {
  test("ends: the cluster is whole again some time after", async () => {
    const { world, tell, until, isWhole } = await startTestWorld(3);
    await tell(async () => {
      const injected = await inject(fault, world);
      await world.sleep(5000);
      expect(await injected.hits()).toBeGreaterThan(0);
      await injected.end();
      await until(isWhole);
      // What a fault leaves behind may show only later.
      await world.sleep(60_000);
    });

    expect(await isWhole()).toBe(true);
    expect(await tell(() => indexOne(world))).toBe(201);
  });
});

test("a crashed cluster manager is down while the fault lasts and another one is elected", async () => {
  const { world, tell, until, simulation } = await startTestWorld(1);
  const [victim = ""] = await world.select("elected-cluster-manager");

  await tell(async () => {
    const { end } = await inject(examples.crash, world);
    const isUp = simulation.isUp(victim);
    await until(async () => {
      const [elected = ""] = await world.select("elected-cluster-manager");
      return !["", victim].includes(elected);
    });
    await end();
    expect(isUp).toBe(false);
  });

  expect(simulation.isUp(victim)).toBe(true);
});

test("two crashes of one node that overlap start it again once", async () => {
  const { world, tell, until, isWhole, simulation } = await startTestWorld(1);
  const fault: Fault = { kind: "crash", node: "node-2" };

  await tell(async () => {
    const { end: endFirst } = await inject(fault, world);
    const { end: endSecond } = await inject(fault, world);
    await endSecond();
    expect(simulation.isUp("node-2")).toBe(false);
    await endFirst();
    await endFirst();
    await until(isWhole);
  });

  expect(world.running()).toHaveLength(3);
});

test("a node that is still starting can be crashed", async () => {
  const { world, tell, until, isWhole, simulation } = await startTestWorld(1);

  await tell(async () => {
    await world.crash("node-2");
    await world.start("node-2");
    const wasRunning = simulation.cluster("node-2") !== undefined;
    const { end } = await inject({ kind: "crash", node: "node-2" }, world);
    await world.sleep(1000);
    expect([wasRunning, simulation.isUp("node-2"), world.running().length]).toEqual([
      false,
      false,
      2,
    ]);
    await end();
    await until(isWhole);
  });

  expect(world.running()).toHaveLength(3);
});

test("an isolated node is missed by the others, and sees no cluster manager", async () => {
  const { world, tell, until, isWhole, simulation } = await startTestWorld(2);
  const [victim = ""] = await world.select("any-but-elected-cluster-manager");
  const other = world.nodes().find((node) => node !== victim) ?? "";

  await tell(async () => {
    const { end } = await inject({ kind: "partition", isolate: victim }, world);
    await until(() => simulation.cluster(other)?.state().nodes.size === 2);
    await until(() => simulation.cluster(victim)?.state().managerNodeId === undefined);
    await end();
    await until(isWhole);
  });
});

test("a client of a node that crashes learns that nobody knows what became of its request", async () => {
  const { world, tell, simulation } = await startTestWorld(2);
  const startedMs = simulation.queue.nowMs;

  const answer = await tell(async () => {
    const asked = world.request(newClient("test"), "node-2", {
      method: "GET",
      uri: "/_cluster/health?wait_for_nodes=9&timeout=30s",
      timeoutMs: 60_000,
    });
    await world.sleep(100);
    await world.crash("node-2");
    return asked;
  });

  expect(answer).toBeUndefined();
  expect(simulation.queue.nowMs - startedMs).toBeLessThan(1000);
});

async function indexOne(world: World): Promise<number | undefined> {
  const answer = await world.request(newClient("after"), "node-1", {
    method: "PUT",
    uri: "/books/_doc/after",
    body: '{"value":1}',
    timeoutMs: 30_000,
  });
  return answer?.status;
}
