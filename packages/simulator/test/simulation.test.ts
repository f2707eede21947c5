/** A simulated cluster of real node programs: incarnations begin and end, and a run is a function of its seed. */
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import type { NodeConfig } from "@orrery/node";
import { AssertionError } from "@orrery/stdx";
import { expect, test } from "vitest";
import { createSimulation, type RecordedEvent, type Simulation } from "../src/index.ts";

const names = ["node-1", "node-2", "node-3"];

function config(name: string): NodeConfig {
  return {
    name,
    clusterName: "orrery",
    httpAddress: `${name}:9200`,
    hostAddress: "127.0.0.1",
    hostName: name,
    settings: {
      "discovery.seed_hosts": names,
      "cluster.initial_cluster_manager_nodes": ["node-1"],
    },
  };
}

interface Run {
  readonly simulation: Simulation;
  readonly events: RecordedEvent[];
  run(ms: number, until?: () => boolean): Promise<void>;
}

/** Three nodes that have found each other. */
async function cluster(seed: number): Promise<Run> {
  const events: RecordedEvent[] = [];
  const simulation = createSimulation({ seed, onEvent: (event) => void events.push(event) });
  const { queue } = simulation;
  const run = (ms: number, until?: () => boolean): Promise<void> =>
    queue.run(queue.nowMs + ms, until);
  const starting = Promise.all(names.map((name) => simulation.start(config(name))));
  await run(60_000, () => names.every((name) => sizeSeenBy(simulation, name) === 3));
  await starting;
  return { simulation, events, run };
}

function sizeSeenBy(simulation: Simulation, name: string): number {
  const state = simulation.cluster(name)?.state();
  return state?.managerNodeId === undefined ? 0 : state.nodes.size;
}

test("the same seed gives the same events in any run of the process, another seed others", async () => {
  const hashOf = async (seed: number): Promise<string> => {
    const { simulation, run } = await cluster(seed);
    simulation.crash("node-2");
    await run(5000);
    return simulation.recorder.hash;
  };

  const first = await hashOf(1);
  const other = await hashOf(2);

  expect(await hashOf(1)).toBe(first);
  expect(other).not.toBe(first);
});

test("nothing of a crashed incarnation happens any more", async () => {
  const { simulation, events, run } = await cluster(1);
  simulation.crash("node-2");
  const crashed = events.length;
  await run(30_000);

  const later = events.slice(crashed);
  const kinds = later.filter(({ node }) => node === "node-2").map(({ kind }) => kind);

  expect(events[crashed - 1]).toMatchObject({ kind: "node-crashed", node: "node-2" });
  // What others sent to it was dropped where it would have arrived.
  expect(kinds.filter((kind) => kind !== "message-dropped")).toEqual([]);
  expect(later.some((event) => event.kind === "message-sent" && event.from === "node-2")).toBe(
    false,
  );
  expect(later.length).toBeGreaterThan(10);
});

/** What never comes of itself. */
const endless = new Promise<never>(() => undefined);

test("a node is up from the start of its start until its end, and can be waited for", async () => {
  const { simulation, run } = await cluster(1);
  const down: string[] = [];
  void simulation.untilDown("node-2", endless).then(() => down.push("crash"));
  simulation.crash("node-2");
  const afterCrash = [simulation.isUp("node-2"), simulation.cluster("node-2") === undefined];

  const starting = simulation.start(config("node-2"));
  const whileStarting = [simulation.isUp("node-2"), simulation.cluster("node-2") === undefined];
  await run(10_000, () => simulation.cluster("node-2") !== undefined);
  await starting;
  void simulation.untilDown("node-2", endless).then(() => down.push("stop"));
  const stopping = simulation.stop("node-2");
  await run(10_000, () => !simulation.isUp("node-2"));
  await stopping;

  expect([afterCrash, whileStarting]).toEqual([
    [false, true],
    [true, true],
  ]);
  expect(down).toEqual(["crash", "stop"]);
  expect(await simulation.untilDown("node-1", Promise.resolve("served"))).toBe("served");
  await expect(simulation.untilDown("node-1", Promise.reject(new Error("broken")))).rejects.toThrow(
    "broken",
  );
});

test("nothing of what was served is kept while the node lives on", async () => {
  setFlagsFromString("--expose-gc");
  const collect = runInNewContext("gc") as () => void;
  const { simulation } = await cluster(1);
  const serve = async (): Promise<WeakRef<object>> => {
    const answer = { status: 200 };
    await simulation.untilDown("node-1", Promise.resolve(answer));
    return new WeakRef(answer);
  };
  const answers = await Promise.all(Array.from({ length: 10 }, serve));

  await new Promise((resolve) => setImmediate(resolve));
  collect();

  expect(answers.filter((answer) => answer.deref() !== undefined)).toEqual([]);
});

test("crashing a node that is down changes nothing", async () => {
  const { simulation, events } = await cluster(1);
  simulation.crash("node-2");
  const before = events.length;

  simulation.crash("node-2");

  expect(events).toHaveLength(before);
});

test("starting a node that runs is a programmer error", async () => {
  const { simulation } = await cluster(1);

  await expect(simulation.start(config("node-1"))).rejects.toThrow(AssertionError);
});

test("a cluster goes on when its elected cluster manager crashes, and takes it back", async () => {
  const { simulation, run } = await cluster(3);
  const state = simulation.cluster("node-1")?.state();
  const elected = state?.nodes.get(state.managerNodeId ?? ("" as never))?.name ?? "";
  const others = names.filter((name) => name !== elected);
  // Until all of them have a vote.
  await run(1000);

  simulation.crash(elected);
  await run(60_000, () => others.every((name) => sizeSeenBy(simulation, name) === 2));
  const without = others.map((name) => sizeSeenBy(simulation, name));
  const starting = simulation.start(config(elected));
  await run(60_000, () => names.every((name) => sizeSeenBy(simulation, name) === 3));
  await starting;

  expect(without).toEqual([2, 2]);
  expect(names.map((name) => sizeSeenBy(simulation, name))).toEqual([3, 3, 3]);
});

test("nothing happens after the end", async () => {
  const { simulation, events, run } = await cluster(1);
  simulation.end();
  await run(100);
  const before = events.length;

  await run(60_000);

  expect(events.slice(before).filter(({ kind }) => kind !== "message-dropped")).toEqual([]);
});
