/** Each fault takes effect while it lasts, and not after its end. */
import { describe, expect, test } from "vitest";
import type { Fault, FaultKind, FaultOf } from "../src/faults/fault.ts";
import { faultKinds, inject } from "../src/faults/table.ts";
import { newClient, type World } from "../src/world.ts";
import { parseScenario } from "../src/index.ts";
import { startTestWorld, testScenario, type TestWorld } from "./world.ts";

interface Example<Kind extends FaultKind> {
  readonly fault: FaultOf<Kind>;
  /** Three when it is not said. */
  readonly nodes?: number;
  /** What shows the fault besides writes of documents. */
  readonly before?: (cluster: TestWorld) => Promise<void>;
  readonly during?: (cluster: TestWorld) => Promise<void>;
}

const node = "node-2";
const blobs = ({ simulation }: TestWorld) =>
  simulation.blobs
    .stores(
      () => true,
      () => undefined,
    )
    .open({ type: "fs", location: "/backups" });
const writeBlob = (cluster: TestWorld): Promise<void> =>
  blobs(cluster).write("index-0", new Uint8Array([1, 2, 3]));
const readBlob = async (cluster: TestWorld): Promise<void> => {
  await blobs(cluster)
    .read("index-0")
    .catch(() => undefined);
};
const repository = { location: "/backups", path: "" };
const inRepository = { before: writeBlob, during: readBlob };
/** Some files are new and not synced yet. */
const beginFlush = async ({ world }: TestWorld): Promise<void> => {
  for (const uri of ["/books/_doc", "/books/_flush"]) {
    const request = { method: "POST", uri, body: uri.endsWith("doc") ? "{}" : "", timeoutMs: 5000 };
    void world.request(newClient("flush"), "node-1", request);
    await world.sleep(10);
  }
};
const restartReplica = async ({ world }: TestWorld): Promise<void> => {
  const [victim = ""] = await world.select("replica:books/0");
  await world.crash(victim);
  await world.start(victim);
};

/** One of each kind: a new kind does not compile without an example. */
const examples: { readonly [Kind in FaultKind]: Example<Kind> } = {
  crash: { fault: { kind: "crash", node: "elected-cluster-manager" } },
  restart: { fault: { kind: "restart", node } },
  kill: { fault: { kind: "kill", node: "primary:books/0" } },
  stop: { fault: { kind: "stop", node } },
  pause: { fault: { kind: "pause", node: "elected-cluster-manager" } },
  "slow-cpu": { fault: { kind: "slow-cpu", node: "all", byMs: 2 } },
  "thread-pause": { fault: { kind: "thread-pause", node: "primary:books/0", thread: 1 } },
  "thread-slow": { fault: { kind: "thread-slow", node: "all", thread: 1, byMs: 2 } },
  "short-turns": { fault: { kind: "short-turns", node: "all", thread: 1, byMs: 2 } },
  "worker-death": { fault: { kind: "worker-death", node: "replica:books/0", thread: 1 } },
  "add-node": { fault: { kind: "add-node", zone: "b" } },
  "remove-node": { fault: { kind: "remove-node", node: "any-but-elected-cluster-manager" } },
  "lose-data": { fault: { kind: "lose-data", node: "replica:books/0" } },
  "clock-skew": { fault: { kind: "clock-skew", node: "all", byMs: -300_000, driftPerMillion: 0 } },
  "clock-jump": { fault: { kind: "clock-jump", node: "all", byMs: 3_600_000 } },
  "clock-strobe": { fault: { kind: "clock-strobe", node: "all", byMs: -300_000, periodMs: 100 } },
  partition: { fault: { kind: "partition", isolate: "node-3" } },
  "partition-halves": { fault: { kind: "partition-halves" } },
  "majority-ring": { fault: { kind: "majority-ring" }, nodes: 5 },
  bridge: { fault: { kind: "bridge", node: "any" } },
  "one-way": { fault: { kind: "one-way", node, loses: "received" } },
  delay: { fault: { kind: "delay", lowMs: 0, highMs: 50 } },
  loss: { fault: { kind: "loss", perMille: 5 } },
  duplication: { fault: { kind: "duplication", perMille: 50 } },
  reordering: { fault: { kind: "reordering", perMille: 50 } },
  throttling: { fault: { kind: "throttling", bytesPerSecond: 10_000 } },
  "connection-reset": { fault: { kind: "connection-reset", perMille: 5 } },
  "half-open": { fault: { kind: "half-open", perMille: 5, hears: "neither" } },
  "drop-messages": {
    fault: { kind: "drop-messages", actions: ["indices:data/write/bulk*"], perMille: 1000 },
  },
  "disk-full": { fault: { kind: "disk-full", node: "all" } },
  "read-only-disk": { fault: { kind: "read-only-disk", node: "replica:books/0" } },
  "disk-slow": { fault: { kind: "disk-slow", node: "all", byMs: 300 } },
  "sync-failure": {
    fault: { kind: "sync-failure", node: "replica:books/0", path: "", perMille: 500 },
  },
  "pages-lost": { fault: { kind: "pages-lost", node: "replica:books/0", path: "", perMille: 500 } },
  "lost-writes": { fault: { kind: "lost-writes", node: "replica:books/0", path: "" } },
  "store-failure": { fault: { kind: "store-failure", node: "any-but-elected-cluster-manager" } },
  "store-rot": { fault: { kind: "store-rot", node: "elected-cluster-manager", bits: 1 } },
  "torn-write": { fault: { kind: "torn-write", node: "primary:books/0", path: "" } },
  "bit-rot": { fault: { kind: "bit-rot", node: "replica:books/0", path: "", bits: 3 } },
  "misdirected-write": {
    fault: { kind: "misdirected-write", node: "replica:books/0", path: "", blocks: 3 },
  },
  "read-error": {
    fault: { kind: "read-error", node: "replica:books/0", path: "", perMille: 1000 },
    during: restartReplica,
  },
  "lost-directory-entry": {
    fault: { kind: "lost-directory-entry", node: "primary:books/0" },
    before: beginFlush,
  },
  "repository-slow": {
    fault: { kind: "repository-slow", ...repository, byMs: 50 },
    ...inRepository,
  },
  "repository-failure": {
    fault: { kind: "repository-failure", ...repository, perMille: 1000 },
    ...inRepository,
  },
  "repository-full": {
    fault: { kind: "repository-full", ...repository },
    during: (cluster) => writeBlob(cluster).catch(() => undefined),
  },
  "repository-missing": { fault: { kind: "repository-missing", ...repository }, ...inRepository },
  "repository-corruption": {
    fault: { kind: "repository-corruption", ...repository, bits: 1 },
    ...inRepository,
  },
  "manager-overload": { fault: { kind: "manager-overload", perSecond: 100 } },
  "rejected-tasks": {
    fault: { kind: "rejected-tasks", actions: ["indices:data/write/*"], perMille: 300 },
  },
  "lease-expiry": { fault: { kind: "lease-expiry", index: "books", byMs: 46_800_000 } },
  "keep-alive-expiry": {
    fault: { kind: "keep-alive-expiry", of: "nodes", node, perMille: 1000 },
  },
};

test("there is an example of every fault, and more than thirty-two kinds", () => {
  expect(Object.keys(examples).toSorted()).toEqual(faultKinds.toSorted());
  expect(faultKinds.length).toBeGreaterThan(32);
});

describe.each(faultKinds)("%s", (kind) => {
  test("shows in its receipt, and the cluster is whole again some time after its end", async () => {
    const { fault, nodes = 3, before, during } = examples[kind];
    const plan = parseScenario("test.yaml", testScenario.replace("nodes: 3", `nodes: ${nodes}`));
    const cluster = await startTestWorld(3, plan);
    const { world, tell, until, isWhole } = cluster;
    let hits = 0;
    await tell(async () => {
      await before?.(cluster);
      const injected = await inject(fault, world);
      const writing = write(world, 50);
      await world.sleep(2500);
      await during?.(cluster);
      await world.sleep(2500);
      hits = await injected.hits();
      await injected.end();
      await writing;
      await until(isWhole);
      // What a fault leaves behind may show only later.
      await world.sleep(60_000);
      expect([kind, await isWhole()]).toEqual([kind, true]);
      expect(await indexOne(world)).toBe(201);
    });

    expect(hits).toBeGreaterThan(0);
  });
});

/** Documents, one after the other, through all nodes in turn; what becomes of them does not matter here. */
async function write(world: World, documents: number): Promise<void> {
  const client = newClient("writer");
  for (let number = 0; number < documents; number += 1) {
    const nodes = world.nodes();
    await world.request(client, nodes[number % nodes.length] ?? "", {
      method: "POST",
      uri: "/books/_doc",
      body: JSON.stringify({ value: number, text: "some words to be kept ".repeat(20) }),
      timeoutMs: 200,
    });
    await world.sleep(50);
  }
}

test("a crashed cluster manager is down while the fault lasts and another one is elected", async () => {
  const { world, tell, until, simulation } = await startTestWorld(1);
  const [victim = ""] = await world.select("elected-cluster-manager");

  await tell(async () => {
    const { end } = await inject(examples.crash.fault, world);
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

test("contexts of scrolls and points in time end when nobody can go on with them", async () => {
  const { world, tell } = await startTestWorld(4);
  const fault: Fault = { kind: "keep-alive-expiry", of: "searches", perMille: 1000 };
  await tell(async () => {
    const holders = new Set(
      [await world.select("primary:books/0"), await world.select("replica:books/0")].flat(),
    );
    const asked = world.nodes().find((name) => !holders.has(name)) ?? "";
    const ask = async (uri: string, body: unknown = {}) => {
      const request = { method: "POST", uri, body: JSON.stringify(body), timeoutMs: 30_000 };
      const answer = await world.request(newClient("reader"), asked, request);
      return { status: answer?.status, text: JSON.stringify(answer?.body) };
    };
    const idOf = ({ text }: { readonly text: string }) =>
      /"(?:_scroll|pit)_id":"([^"]+)"/.exec(text)?.[1];
    const scroll_id = idOf(await ask("/books/_search?scroll=1m", { size: 1 }));
    const id = idOf(await ask("/books/_search/point_in_time?keep_alive=1m"));
    const goOn = async () => [
      (await ask("/_search/scroll", { scroll: "1m", scroll_id })).status,
      (await ask("/_search", { pit: { id, keep_alive: "1m" } })).status,
    ];
    expect(await goOn()).toEqual([200, 200]);

    const { hits, end } = await inject(fault, world);
    for (let minute = 0; minute < 3; minute += 1) {
      expect(await goOn()).toEqual([429, 429]);
      await world.sleep(60_000);
    }
    await end();

    expect(await hits()).toBeGreaterThan(5);
    expect(await goOn()).toEqual([404, 404]);
    expect((await ask("/books/_search")).status).toBe(200);
  });
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
  const other = world.nodes().find((name) => name !== victim) ?? "";

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
