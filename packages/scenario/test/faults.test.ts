/** Each fault does its harm while it lasts, and none after its end. */
import { describe, expect, test } from "vitest";
import { whatIsMissing } from "../src/checkers/converges-to-green.ts";
import type { Fault } from "../src/faults/fault.ts";
import { faults, inject } from "../src/faults/table.ts";
import { newClient, type World } from "../src/world.ts";
import { startTestWorld } from "./world.ts";

/** One of each kind: a new kind does not compile without an example. */
const examples: { readonly [Kind in Fault["kind"]]: Extract<Fault, { readonly kind: Kind }> } = {
  crash: { kind: "crash", node: "elected-cluster-manager" },
  partition: { kind: "partition", isolate: "node-3" },
  "degrade-network": {
    kind: "degrade-network",
    delayMs: 50,
    lossPerMille: 5,
    duplicatePerMille: 50,
    reorderPerMille: 50,
  },
};

test("there is an example of every fault", () => {
  expect(Object.keys(examples).toSorted()).toEqual(Object.keys(faults).toSorted());
});

describe.each(Object.values(examples))("$kind", (fault) => {
  test("ends: the cluster is whole again some time after", async () => {
    const { world, tell, until, events } = await startTestWorld(3);
    const during = events.length;
    await tell(async () => {
      const end = inject(fault, world);
      await world.sleep(5000);
      end();
      await until(() => whatIsMissing(world) === undefined);
      // What a fault leaves behind may show only later.
      await world.sleep(60_000);
    });

    expect(whatIsMissing(world)).toBeUndefined();
    expect(events.length).toBeGreaterThan(during);
    expect(await tell(() => indexOne(world))).toBe(201);
  });
});

test("a crashed cluster manager is down while the fault lasts and another one is elected", async () => {
  const { world, tell, until, simulation } = await startTestWorld(1);
  const [victim = ""] = world.select("elected-cluster-manager");

  await tell(async () => {
    const end = inject(examples.crash, world);
    const isUp = simulation.isUp(victim);
    await until(() => !["", victim].includes(world.select("elected-cluster-manager")[0] ?? ""));
    end();
    expect(isUp).toBe(false);
  });

  expect(simulation.isUp(victim)).toBe(true);
});

test("two crashes of one node that overlap start it again once", async () => {
  const { world, tell, until, simulation } = await startTestWorld(1);
  const fault: Fault = { kind: "crash", node: "node-2" };

  await tell(async () => {
    const endFirst = inject(fault, world);
    const endSecond = inject(fault, world);
    endSecond();
    expect(simulation.isUp("node-2")).toBe(false);
    endFirst();
    endFirst();
    await until(() => whatIsMissing(world) === undefined);
  });

  expect(world.running()).toHaveLength(3);
});

test("a node that is still starting can be crashed", async () => {
  const { world, tell, until, simulation } = await startTestWorld(1);

  await tell(async () => {
    world.crash("node-2");
    world.start("node-2");
    const wasRunning = simulation.cluster("node-2") !== undefined;
    const end = inject({ kind: "crash", node: "node-2" }, world);
    await world.sleep(1000);
    expect([wasRunning, simulation.isUp("node-2"), world.running().length]).toEqual([
      false,
      false,
      2,
    ]);
    end();
    await until(() => whatIsMissing(world) === undefined);
  });

  expect(world.running()).toHaveLength(3);
});

test("an isolated node is missed by the others, and sees no cluster manager", async () => {
  const { world, tell, until, simulation } = await startTestWorld(2);
  const [victim = ""] = world.select("any-but-elected-cluster-manager");
  const other = world.nodes.find((node) => node !== victim) ?? "";

  await tell(async () => {
    const end = inject({ kind: "partition", isolate: victim }, world);
    await until(() => simulation.cluster(other)?.state().nodes.size === 2);
    await until(() => simulation.cluster(victim)?.state().managerNodeId === undefined);
    end();
    await until(() => whatIsMissing(world) === undefined);
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
    world.crash("node-2");
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
