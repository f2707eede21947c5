/** A whole node, started and stopped in the simulation. */
import { createSimulation, type Simulation } from "@orrery/simulator";
import { OperationError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { maxContentLengthOf, type NodeConfig } from "../src/index.ts";

function config(name: string, rest: Partial<NodeConfig> = {}): NodeConfig {
  return {
    name,
    clusterName: "orrery",
    httpAddress: `${name}:9200`,
    hostAddress: "127.0.0.1",
    hostName: name,
    ...rest,
    settings: {
      "discovery.seed_hosts": ["node-1", "node-2"],
      "cluster.initial_cluster_manager_nodes": ["node-1"],
      ...rest.settings,
    },
  };
}

/** Runs until the promise has ended. */
async function outcome<T>({ queue }: Simulation, promise: Promise<T>): Promise<T | Error> {
  let isOver = false;
  const ended = promise
    .catch((error: unknown) => error as Error)
    .finally(() => {
      isOver = true;
    });
  await queue.run(queue.nowMs + 60_000, () => isOver);
  if (!isOver) throw new Error("did not end within 60 s of virtual time");
  return ended;
}

function nodesSeenBy(simulation: Simulation, name: string): readonly string[] {
  const state = simulation.cluster(name)?.state();
  return [...(state?.nodes.values() ?? [])].map((node) => node.name).toSorted();
}

test("two nodes of one name for the cluster find each other", async () => {
  const simulation = createSimulation({ seed: 1 });
  const { queue } = simulation;
  await outcome(simulation, simulation.start(config("node-1")));
  await outcome(simulation, simulation.start(config("node-2")));

  await queue.run(queue.nowMs + 30_000, () => nodesSeenBy(simulation, "node-2").length === 2);

  expect(nodesSeenBy(simulation, "node-1")).toEqual(["node-1", "node-2"]);
  expect(nodesSeenBy(simulation, "node-2")).toEqual(["node-1", "node-2"]);
});

test("a node of another cluster does not join", async () => {
  const simulation = createSimulation({ seed: 1 });
  await outcome(simulation, simulation.start(config("node-1")));
  await outcome(simulation, simulation.start(config("node-2", { clusterName: "other" })));

  await simulation.queue.run(simulation.queue.nowMs + 30_000);

  expect(nodesSeenBy(simulation, "node-1")).toEqual(["node-1"]);
  expect(simulation.cluster("node-2")?.state().managerNodeId).toBeUndefined();
});

test.each(["stop", "crash"] as const)(
  "a node keeps its id through a %s and has another ephemeral id",
  async (how) => {
    const simulation = createSimulation({ seed: 1 });
    await outcome(simulation, simulation.start(config("node-1")));
    const before = simulation.cluster("node-1")?.localNode;

    if (how === "stop") await outcome(simulation, simulation.stop("node-1"));
    else simulation.crash("node-1");
    const between = simulation.cluster("node-1");
    await outcome(simulation, simulation.start(config("node-1")));
    const after = simulation.cluster("node-1")?.localNode;

    expect(between).toBeUndefined();
    expect(after?.id).toBe(before?.id);
    expect(after?.ephemeralId).not.toBe(before?.ephemeralId);
  },
);

test("a stopped node is known to have left before it is missed", async () => {
  const simulation = createSimulation({ seed: 1 });
  const { queue } = simulation;
  for (const name of ["node-1", "node-2"])
    await outcome(simulation, simulation.start(config(name)));
  await queue.run(queue.nowMs + 30_000, () => nodesSeenBy(simulation, "node-1").length === 2);

  await outcome(simulation, simulation.stop("node-2"));
  const stoppedAtMs = queue.nowMs;
  await queue.run(queue.nowMs + 30_000, () => nodesSeenBy(simulation, "node-1").length === 1);

  expect(nodesSeenBy(simulation, "node-1")).toEqual(["node-1"]);
  expect(queue.nowMs - stoppedAtMs).toBeLessThan(1000);
});

test.each([
  [
    "a time that is none",
    { "discovery.probe.connect_timeout": "soon" },
    "connect_timeout] with value [soon]",
  ],
  ["an unknown role", { "node.roles": "data,queen" }, "unknown role [queen]"],
])(
  "a setting with %s makes the start reject, and the address is free again",
  async (_, settings, words) => {
    const simulation = createSimulation({ seed: 1 });

    const refused = await outcome(simulation, simulation.start(config("node-1", { settings })));
    await outcome(simulation, simulation.start(config("node-1")));

    expect(refused).toBeInstanceOf(OperationError);
    expect((refused as OperationError).problem.reason).toContain(words);
    expect(simulation.cluster("node-1")).toBeDefined();
  },
);

test("the limit of HTTP bodies is what the settings say, and one that is no size keeps a node from starting", async () => {
  const limitOf = (text: string): number => maxContentLengthOf({ "http.max_content_length": text });
  const simulation = createSimulation({ seed: 1 });
  const started = simulation.start(
    config("node-1", { settings: { "http.max_content_length": "12 parsecs" } }),
  );

  const refused = await outcome(simulation, started);

  expect([maxContentLengthOf({}), limitOf("1kb"), limitOf("0")]).toEqual([104_857_600, 1024, 0]);
  expect(() => limitOf("3gb")).toThrow("must be <= [2147483647b]");
  expect(refused).toBeInstanceOf(OperationError);
  expect((refused as OperationError).problem.reason).toBe(
    "failed to parse setting [http.max_content_length] with value [12 parsecs] as a size in bytes: unit is missing or unrecognized",
  );
});
