/** The plugin of this folder through changes of the elected cluster manager, in the simulation. */
import { customOf } from "@orrery/cluster-state";
import { composeProduct, coreProduct, type Cluster, type Plugin, type Product } from "@orrery/node";
import { dispatch } from "@orrery/rest";
import { createSimulation } from "@orrery/simulator";
import { isJsonObject, utf8Decode, type Json, type JsonObject } from "@orrery/stdx";
import { afterEach, describe, expect, test } from "vitest";
import { rollCall } from "./plugin.ts";

const names = ["a", "b", "c"];
let end = (): void => undefined;

afterEach(() => end());

interface World {
  start(name: string): Promise<void>;
  crash(name: string): void;
  /** Runs virtual time until the claim holds. */
  until(claim: () => boolean): Promise<void>;
  cluster(name: string): Cluster | undefined;
  /** The node that knows itself to be elected. */
  manager(): string | undefined;
  get(node: string, uri: string): Promise<{ readonly status: number; readonly body: JsonObject }>;
}

async function formed(product: Product): Promise<World> {
  const simulation = createSimulation({ seed: 11, product });
  end = () => simulation.end();
  const { queue } = simulation;
  const until = async (claim: () => boolean): Promise<void> => {
    await queue.run(queue.nowMs + 120_000, claim);
    if (!claim()) throw new Error("it did not come true within two minutes");
  };
  const up = (): readonly Cluster[] => names.flatMap((name) => simulation.cluster(name) ?? []);
  const world: World = {
    until,
    cluster: (name) => simulation.cluster(name),
    crash: (name) => simulation.crash(name),
    manager: () =>
      up().find((one) => one.state().managerNodeId === one.localNode.id)?.localNode.name,
    start: (name) =>
      simulation.start({
        name,
        clusterName: "test",
        httpAddress: `${name}:9200`,
        hostAddress: "127.0.0.1",
        hostName: name,
        settings: { "discovery.seed_hosts": names, "cluster.initial_cluster_manager_nodes": names },
      }),
    async get(node, uri) {
      const cluster = simulation.cluster(node);
      if (cluster === undefined) throw new Error(`[${node}] is down`);
      let isOver = false;
      const over = (): void => void (isOver = true);
      const body = new Uint8Array(0);
      const answering = dispatch({ method: "GET", uri, headers: {}, body }, cluster);
      answering.then(over, over);
      await until(() => isOver);
      const answer = await answering;
      const text = answer.body.map(utf8Decode).join("");
      return { status: answer.status, body: objectIn(JSON.parse(text) as Json) };
    },
  };
  for (const name of names) void world.start(name);
  await until(() => up().length === 3 && up().every(({ state }) => state().nodes.size === 3));
  return world;
}

function objectIn(json: Json | undefined): JsonObject {
  return isJsonObject(json) ? json : {};
}

/** The section of each node that answers, by the node's name. */
function sections({ nodes }: JsonObject): Readonly<Record<string, JsonObject>> {
  return Object.fromEntries(
    Object.values(objectIn(nodes)).map((node) => {
      const { name, roll_call: section } = objectIn(node);
      return [String(name), objectIn(section)];
    }),
  );
}

describe("a service of a term", () => {
  test("runs on the elected cluster manager only, ends with its term, and begins on the next one", async () => {
    const world = await formed(composeProduct([rollCall]));
    const rolls = async (node: string) =>
      sections((await world.get(node, "/_nodes/roll_call")).body);
    const counts = async (node: string) =>
      sections((await world.get(node, "/_nodes/stats/roll_call")).body);
    const first = world.manager() ?? "";
    const [other = "", third = ""] = names.filter((name) => name !== first);
    const isWritten = (node: string, roll: string) => () => {
      const state = world.cluster(node)?.state();
      return state !== undefined && objectIn(customOf(state, "roll_call"))["names"] === roll;
    };
    await world.until(() => names.every((name) => isWritten(name, "a,b,c")()));

    const before = await counts(other);
    const { term: firstTerm = 0 } = before[first] ?? {};
    expect(before[first]).toMatchObject({ begun: 1, ended: 0 });
    expect(before[first]?.["changes"]).toBeGreaterThan(0);
    expect(before[other]).toEqual({ begun: 0, ended: 0, calls: 0, changes: 0 });
    expect(before[third]).toEqual({ begun: 0, ended: 0, calls: 0, changes: 0 });
    expect((await rolls(other))[third]).toEqual({ names: "a,b,c", term: firstTerm });

    world.crash(first);
    const left = [other, third].toSorted().join(",");
    await world.until(() => [other, third].every((name) => isWritten(name, left)()));

    const second = world.manager() ?? "";
    const after = await counts(other);
    const { term: secondTerm = 0 } = after[second] ?? {};
    expect(Number(secondTerm)).toBeGreaterThan(Number(firstTerm));
    expect(after[second]).toMatchObject({ begun: 1, ended: 0 });
    expect(after[second === other ? third : other]).toMatchObject({ begun: 0, calls: 0 });
    expect((await rolls(other))[third]).toEqual({ names: left, term: secondTerm });

    // The node of the first term is a follower now, as a new process: what it kept is gone with the old one.
    await world.start(first);
    await world.until(() => names.every((name) => isWritten(name, "a,b,c")()));
    expect((await counts(first))[first]).toEqual({ begun: 0, ended: 0, calls: 0, changes: 0 });
    expect((await rolls(first))[first]).toEqual({ names: "a,b,c", term: secondTerm });
  });

  test("ends on a cluster manager that lives on without a majority", async () => {
    const world = await formed(composeProduct([rollCall]));
    const manager = world.manager() ?? "";
    for (const name of names) if (name !== manager) world.crash(name);

    await world.until(() => world.cluster(manager)?.state().managerNodeId === undefined);

    const { body } = await world.get(manager, "/_nodes/_local/stats/roll_call");
    expect(sections(body)[manager]).toMatchObject({ begun: 1, ended: 1 });
    expect(sections(body)[manager]).not.toHaveProperty("term");
  });
});

describe("sections of nodes", () => {
  test("stand behind those of the core, and are asked for by their names", async () => {
    const world = await formed(composeProduct([rollCall]));
    const membersOf = async (uri: string): Promise<readonly string[]> =>
      Object.keys(objectIn(Object.values(objectIn((await world.get("a", uri)).body["nodes"]))[0]));

    const all = await membersOf("/_nodes/stats");
    expect(all.slice(-3)).toEqual(["remote_store", "roll_call", "native_memory"]);
    expect(await membersOf("/_nodes/stats/os")).not.toContain("roll_call");
    expect(await membersOf("/_nodes/stats/os,roll_call")).toContain("roll_call");
    expect(await membersOf("/_nodes")).toContain("roll_call");
    expect(await membersOf("/_nodes/os")).not.toContain("roll_call");
    expect(await membersOf("/_nodes/_all/roll_call")).toContain("roll_call");
  });

  test("are unknown without their plugin", async () => {
    const world = await formed(coreProduct);

    expect(await world.get("a", "/_nodes/stats/roll_call")).toMatchObject({
      status: 400,
      body: {
        error: {
          reason: "request [/_nodes/stats/roll_call] contains unrecognized metric: [roll_call]",
        },
      },
    });
  });

  test("that cannot be read are the failure of their node", async () => {
    const broken: Plugin = {
      ...rollCall,
      statsSections: [{ name: "roll_call", read: () => Promise.reject(new Error("lost")) }],
    };
    const world = await formed(composeProduct([broken]));

    const { status, body } = await world.get("a", "/_nodes/stats/roll_call");

    expect(status).toBe(200);
    expect(body["_nodes"]).toMatchObject({ total: 3, successful: 0, failed: 3 });
  });

  test("of one name are refused when the product is composed", () => {
    const named = (name: string): Plugin => ({
      ...rollCall,
      name: `plugin of ${name}`,
      reducers: {},
      statsSections: [{ name, read: () => ({}) }],
      infoSections: [],
    });

    expect(() => composeProduct([named("jvm")])).toThrow(
      "two sections of nodes have the name [jvm]",
    );
    expect(() => composeProduct([named("roles")])).toThrow("[roles]");
    expect(() => composeProduct([rollCall, named("roll_call")])).toThrow("[roll_call]");
  });
});
