/**
 * Each kind of fault as a specification: which rules it applies to which nodes or links, which nodes it takes down, and
 * what its end undoes. What a rule does is specified by the tests of the simulator and of `packages/faults`.
 */
import type { Links, Rule } from "@orrery/ports";
import { describe, expect, test } from "vitest";
import { parseScenario } from "../src/index.ts";
import type { Fault } from "../src/faults/fault.ts";
import { inject } from "../src/faults/table.ts";
import { newClient, type World } from "../src/world.ts";
import { createTestWorld, startTestWorld, testScenario, type TestWorld } from "./world.ts";

interface Observed {
  readonly targets: readonly string[];
  readonly rules: readonly Rule[];
  /** Names of nodes, after the fault. */
  readonly nodes: readonly string[];
  /** What happened to nodes and rules, in order, until the fault was injected, and by its end. */
  readonly begins: readonly string[];
  readonly ends: readonly string[];
}

/** The nodes are up, and have not formed a cluster. */
async function nodesUp(count: number): Promise<TestWorld> {
  const plan = parseScenario("test.yaml", testScenario.replace("nodes: 3", `nodes: ${count}`));
  const made = createTestWorld(1, plan);
  await made.tell(async () => {
    for (const node of made.world.nodes()) await made.world.start(node);
  });
  return made;
}

/** Injects a fault and ends it. The world is real; what the fault asks of it is noted. */
async function observe(fault: Fault, count = 3, cluster?: TestWorld): Promise<Observed> {
  const { world, tell } = cluster ?? (await nodesUp(count));
  const notes: string[] = [];
  const rules: Rule[] = [];
  const noted: World = {
    ...world,
    start: (node) => (notes.push(`start ${node}`), world.start(node)),
    stop: (node) => (notes.push(`stop ${node}`), world.stop(node)),
    crash: (node, unsynced = "drawn") => {
      notes.push(`crash ${node}, unsynced writes ${unsynced}`);
      return world.crash(node, unsynced);
    },
    wipe: (node) => (notes.push(`wipe ${node}`), world.wipe(node)),
    applyRule: async (rule) => {
      notes.push(rule.kind);
      rules.push(rule);
      const { hits, end } = await world.applyRule(rule);
      return { hits, end: () => (notes.push(`no ${rule.kind}`), end()) };
    },
  };
  return tell(async () => {
    const { targets, end } = await inject(fault, noted);
    const begins = notes.splice(0);
    await end();
    return { targets, rules, nodes: world.nodes(), begins, ends: notes };
  });
}

const rulesOf = async (fault: Fault): Promise<readonly Rule[]> => (await observe(fault)).rules;

const node = "node-2";
const all = ["node-1", "node-2", "node-3"];
const everywhere: Links = { from: all, to: all, both: false };

/** Pairs of nodes that cuts leave connected. */
function connected(nodes: readonly string[], rules: readonly Rule[]): readonly string[] {
  const cut = new Set<string>();
  for (const rule of rules) {
    if (rule.kind !== "cut") throw new Error(rule.kind);
    for (const from of rule.links.from) {
      for (const to of rule.links.to) cut.add(`${from} ${to}`).add(`${to} ${from}`);
    }
    expect(rule.links.both).toBe(true);
  }
  return nodes.flatMap((one) =>
    nodes.flatMap((other) => (one < other && !cut.has(`${one} ${other}`) ? `${one} ${other}` : [])),
  );
}

describe("crash", () => {
  test("cuts the power of a node: what survives of unsynced writes is drawn; the end starts it again", async () => {
    expect(await observe({ kind: "crash", node })).toMatchObject({
      targets: [node],
      begins: ["crash node-2, unsynced writes drawn"],
      ends: ["start node-2"],
    });
  });

  test("passes over a node that is down already, and leaves it down", async () => {
    const cluster = await nodesUp(3);
    await cluster.tell(() => cluster.world.crash(node));

    const { targets, ends } = await observe({ kind: "crash", node: "all" }, 3, cluster);

    expect(targets).toEqual(["node-1", "node-3"]);
    expect(ends).toEqual(["start node-1", "start node-3"]);
    expect(cluster.world.isUp(node)).toBe(false);
  });
});

describe("kill", () => {
  test("cuts the power of a node: no unsynced write survives; the end starts it again", async () => {
    expect(await observe({ kind: "kill", node })).toMatchObject({
      begins: ["crash node-2, unsynced writes lost"],
      ends: ["start node-2"],
    });
  });
});

describe("stop", () => {
  test("stops a node in an orderly way; the end starts it again", async () => {
    expect(await observe({ kind: "stop", node })).toMatchObject({
      begins: ["stop node-2"],
      ends: ["start node-2"],
    });
  });
});

describe("restart", () => {
  test("cuts the power of a node and starts it again at once: its end has nothing to do", async () => {
    expect(await observe({ kind: "restart", node })).toMatchObject({
      begins: ["crash node-2, unsynced writes drawn", "start node-2"],
      ends: [],
    });
  });
});

describe("lose-data", () => {
  test("removes the data of a node that is down; the end starts it with an empty disk", async () => {
    expect(await observe({ kind: "lose-data", node })).toMatchObject({
      begins: ["crash node-2, unsynced writes drawn", "wipe node-2"],
      ends: ["start node-2"],
    });
  });
});

describe("add-node", () => {
  test("starts a node of a free name, which stays", async () => {
    const { nodes, begins, ends } = await observe({ kind: "add-node" });
    const added = nodes.find((name) => !all.includes(name));

    expect(nodes).toHaveLength(4);
    expect(begins).toEqual([`start ${added}`]);
    expect(ends).toEqual([]);
  });

  test("starts it under the name, in the zone and with the roles that are asked for", async () => {
    const cluster = await nodesUp(3);
    const added = { name: "extra", zone: "b", roles: ["data"] };

    await observe({ kind: "add-node", ...added }, 3, cluster);

    const { world, tell } = cluster;
    expect(await tell(() => world.select("zone:b"))).toEqual(["extra"]);
    expect(await tell(() => world.select("role:data"))).toContain("extra");
  });
});

describe("remove-node", () => {
  test("takes a node away for good", async () => {
    expect(await observe({ kind: "remove-node", node })).toMatchObject({
      nodes: ["node-1", "node-3"],
      begins: ["crash node-2, unsynced writes drawn"],
      ends: [],
    });
  });
});

describe("pause", () => {
  test("stops each selected node until its end", async () => {
    expect(await observe({ kind: "pause", node: "all" })).toMatchObject({
      targets: all,
      rules: all.map((name) => ({ kind: "pause", node: name })),
      ends: ["no pause", "no pause", "no pause"],
    });
  });
});

describe("slow-cpu", () => {
  test("delays all that a node does by the time", async () => {
    expect(await rulesOf({ kind: "slow-cpu", node, byMs: 7 })).toEqual([
      { kind: "slow", node, delayMs: 7 },
    ]);
  });
});

describe("thread-pause", () => {
  test("stops one thread of a node", async () => {
    expect(await rulesOf({ kind: "thread-pause", node, thread: 0 })).toEqual([
      { kind: "thread-pause", node, thread: 0 },
    ]);
  });
});

describe("thread-slow", () => {
  test("delays all that one thread of a node does", async () => {
    expect(await rulesOf({ kind: "thread-slow", node, thread: 1, byMs: 7 })).toEqual([
      { kind: "thread-slow", node, thread: 1, delayMs: 7 },
    ]);
  });
});

describe("short-turns", () => {
  test("makes a thread rest between short turns of long work", async () => {
    expect(await rulesOf({ kind: "short-turns", node, thread: 1, byMs: 7 })).toEqual([
      { kind: "short-turns", node, thread: 1, restMs: 7 },
    ]);
  });
});

describe("worker-death", () => {
  test("ends a shard worker; its node lives on", async () => {
    const cluster = await nodesUp(3);

    const { rules } = await observe({ kind: "worker-death", node, thread: 1 }, 3, cluster);

    expect(rules).toEqual([{ kind: "worker-death", node, thread: 1 }]);
    expect(cluster.world.isUp(node)).toBe(true);
  });
});

describe("clock-skew", () => {
  test("puts the wall clock of a node off by an offset and a drift until its end", async () => {
    const skew = { kind: "clock-skew", node, byMs: -5000, driftPerMillion: 100 } as const;

    expect(await observe(skew)).toMatchObject({
      rules: [{ kind: "clock-skew", node, offsetMs: -5000, driftPerMillion: 100 }],
      ends: ["no clock-skew"],
    });
  });
});

describe("clock-jump", () => {
  test("makes the wall clock of a node jump", async () => {
    expect(await rulesOf({ kind: "clock-jump", node, byMs: -3_600_000 })).toEqual([
      { kind: "clock-jump", node, offsetMs: -3_600_000 },
    ]);
  });
});

describe("clock-strobe", () => {
  test("makes the wall clock of a node jump to and fro in the period", async () => {
    const strobe = { kind: "clock-strobe", node, byMs: 2000, periodMs: 100 } as const;

    expect(await rulesOf(strobe)).toEqual([
      { kind: "clock-strobe", node, offsetMs: 2000, periodMs: 100 },
    ]);
  });
});

describe("partition", () => {
  test("cuts the selected nodes off from all others, in both directions", async () => {
    const { rules, targets } = await observe({ kind: "partition", isolate: "node-1,node-2" });

    expect(connected(all, rules)).toEqual(["node-1 node-2"]);
    expect(targets).toEqual(["node-1", "node-2"]);
  });
});

describe("partition-halves", () => {
  test("leaves two halves of five nodes, one of two and one of three", async () => {
    const { rules, nodes } = await observe({ kind: "partition-halves" }, 5);

    // One pair in the half of two, three pairs in the half of three.
    expect(connected(nodes, rules)).toHaveLength(1 + 3);
    expect(rules).toHaveLength(1);
  });
});

describe("majority-ring", () => {
  test("connects each of five nodes with two others, each with different ones", async () => {
    const { rules, nodes } = await observe({ kind: "majority-ring" }, 5);
    const pairs = connected(nodes, rules);
    const majorities = nodes.map((name) =>
      nodes.filter((other) => other === name || pairs.includes([name, other].toSorted().join(" "))),
    );

    expect(majorities.map(({ length }) => length)).toEqual([3, 3, 3, 3, 3]);
    expect(new Set(majorities.map((names) => names.join(" "))).size).toBe(5);
  });
});

describe("bridge", () => {
  test("connects two halves by one node only", async () => {
    const { rules, nodes } = await observe({ kind: "bridge", node }, 5);
    const pairs = connected(nodes, rules);

    // One pair in each half of two, and the node between them with all four others.
    expect(pairs).toHaveLength(1 + 1 + 4);
    expect(pairs.filter((pair) => pair.includes(node))).toHaveLength(4);
  });
});

describe("one-way", () => {
  test("loses what a node sends, or what it receives, and not the other direction", async () => {
    const others = ["node-1", "node-3"];

    expect(await rulesOf({ kind: "one-way", node, loses: "sent" })).toEqual([
      { kind: "cut", links: { from: [node], to: others, both: false } },
    ]);
    expect(await rulesOf({ kind: "one-way", node, loses: "received" })).toEqual([
      { kind: "cut", links: { from: others, to: [node], both: false } },
    ]);
  });
});

describe("delay", () => {
  test("delays frames on all links by a drawn time", async () => {
    expect(await observe({ kind: "delay", lowMs: 1, highMs: 9 })).toMatchObject({
      targets: ["all"],
      rules: [{ kind: "delay", links: everywhere, lowMs: 1, highMs: 9 }],
      ends: ["no delay"],
    });
  });
});

describe("loss", () => {
  test("loses a share of the frames of all links", async () => {
    expect(await rulesOf({ kind: "loss", perMille: 5 })).toEqual([
      { kind: "lose", links: everywhere, perMille: 5 },
    ]);
  });

  test.each<[string, object, Links]>([
    ["that a node sends or receives", { node }, { from: [node], to: all, both: true }],
    ["that a node sends", { sender: node }, { from: [node], to: all, both: false }],
    ["that a node receives", { receiver: node }, { from: all, to: [node], both: false }],
    [
      "from one node to another",
      { sender: "node-1", receiver: node },
      { from: ["node-1"], to: [node], both: false },
    ],
  ])("loses only frames %s, where the links are chosen", async (_, choice, links) => {
    expect(await rulesOf({ kind: "loss", perMille: 5, ...choice })).toEqual([
      { kind: "lose", links, perMille: 5 },
    ]);
  });
});

describe("duplication", () => {
  test("doubles a share of the one-way frames", async () => {
    expect(await rulesOf({ kind: "duplication", perMille: 50 })).toEqual([
      { kind: "duplicate", links: everywhere, perMille: 50 },
    ]);
  });
});

describe("reordering", () => {
  test("lets a share of the one-way frames be overtaken", async () => {
    expect(await rulesOf({ kind: "reordering", perMille: 50 })).toEqual([
      { kind: "reorder", links: everywhere, perMille: 50 },
    ]);
  });
});

describe("throttling", () => {
  test("limits the bytes in a second of each connection", async () => {
    expect(await rulesOf({ kind: "throttling", bytesPerSecond: 1000, node })).toEqual([
      {
        kind: "throttle",
        links: { from: [node], to: all, both: true },
        bytesPerSecond: 1000,
      },
    ]);
  });
});

describe("connection-reset", () => {
  test("breaks the connection of a share of the frames, and notifies both ends", async () => {
    expect(await rulesOf({ kind: "connection-reset", perMille: 5 })).toEqual([
      { kind: "reset", links: everywhere, perMille: 5 },
    ]);
  });
});

describe("half-open", () => {
  test("breaks connections unnoticed, or noticed by the sender alone", async () => {
    expect(await rulesOf({ kind: "half-open", perMille: 5, hears: "neither" })).toEqual([
      { kind: "half-open", links: everywhere, perMille: 5 },
    ]);
    expect(await rulesOf({ kind: "half-open", perMille: 5, hears: "sender" })).toEqual([
      { kind: "half-reset", links: everywhere, perMille: 5 },
    ]);
  });
});

describe("drop-messages", () => {
  test("drops messages of the actions, and keeps their connections", async () => {
    const actions = ["indices:data/write/*"];

    expect(await rulesOf({ kind: "drop-messages", actions, perMille: 100 })).toEqual([
      { kind: "drop", links: everywhere, actions, perMille: 100 },
    ]);
  });
});

describe("rejected-tasks", () => {
  test("rejects requests of the actions with 429, as a full queue does", async () => {
    const actions = ["indices:data/write/*"];

    expect(await rulesOf({ kind: "rejected-tasks", actions, perMille: 300 })).toEqual([
      { kind: "reject", links: everywhere, actions, perMille: 300 },
    ]);
  });
});

describe("keep-alive-expiry", () => {
  test("drops health checks of nodes, and rejects requests of searches", async () => {
    const expiry = { kind: "keep-alive-expiry", perMille: 1000 } as const;

    expect(await rulesOf({ ...expiry, of: "nodes" })).toEqual([
      {
        kind: "drop",
        links: everywhere,
        actions: ["internal:coordination/fault_detection/*"],
        perMille: 1000,
      },
    ]);
    expect(await rulesOf({ ...expiry, of: "searches" })).toEqual([
      {
        kind: "reject",
        links: everywhere,
        actions: ["indices:data/read/search*"],
        perMille: 1000,
      },
    ]);
  });
});

const file = { node, path: "translog" };

describe("disk-full", () => {
  test("refuses the writes of a disk", async () => {
    expect(await observe({ kind: "disk-full", node })).toMatchObject({
      rules: [{ kind: "disk-full", node }],
      ends: ["no disk-full"],
    });
  });

  test("has copies allocated again at its end that failed too often meanwhile", async () => {
    const cluster = await startTestWorld();
    const asked = cluster.events.length;

    await observe({ kind: "disk-full", node }, 3, cluster);

    const operations = cluster.events
      .slice(asked)
      .flatMap((event) => (event.kind === "client-request" ? event.operation : []));
    expect(operations).toEqual(["POST /_cluster/reroute?retry_failed=true"]);
  });
});

describe("read-only-disk", () => {
  test("refuses every change of a disk, which can be read", async () => {
    expect(await rulesOf({ kind: "read-only-disk", node })).toEqual([{ kind: "read-only", node }]);
  });
});

describe("disk-slow", () => {
  test("delays the syncs of a disk and the writes of the node's store", async () => {
    expect(await rulesOf({ kind: "disk-slow", node, byMs: 300 })).toEqual([
      { kind: "disk-slow", node, delayMs: 300 },
      { kind: "store-slow", node, delayMs: 300 },
    ]);
  });
});

describe("sync-failure", () => {
  test("fails a share of the syncs of the selected files", async () => {
    expect(await rulesOf({ kind: "sync-failure", ...file, perMille: 500 })).toEqual([
      { kind: "sync-fails", ...file, perMille: 500 },
    ]);
  });
});

describe("pages-lost", () => {
  test("fails a sync once, and lets later ones succeed without effect", async () => {
    expect(await rulesOf({ kind: "pages-lost", ...file, perMille: 500 })).toEqual([
      { kind: "pages-lost", ...file, perMille: 500 },
    ]);
  });
});

describe("lost-writes", () => {
  test("acknowledges syncs that do nothing, and cuts the power at its end, which loses the writes", async () => {
    expect(await observe({ kind: "lost-writes", ...file })).toMatchObject({
      rules: [{ kind: "sync-lies", ...file }],
      begins: ["sync-lies"],
      ends: ["crash node-2, unsynced writes lost", "no sync-lies", "start node-2"],
    });
  });
});

describe("store-failure", () => {
  test("fails the writes of the node's store; the end restarts the node", async () => {
    expect(await observe({ kind: "store-failure", node })).toMatchObject({
      rules: [{ kind: "store-fails", node }],
      ends: ["no store-fails", "crash node-2, unsynced writes drawn", "start node-2"],
    });
  });
});

describe("store-rot", () => {
  test("flips bits of the node's store before it goes down, so that its next start reads them", async () => {
    expect(await observe({ kind: "store-rot", node, bits: 3 })).toMatchObject({
      rules: [{ kind: "store-rot", node, bits: 3 }],
      begins: ["store-rot", "crash node-2, unsynced writes drawn"],
      ends: ["no store-rot", "start node-2"],
    });
  });
});

describe("torn-write", () => {
  test("cuts the power in the middle of a write", async () => {
    expect(await observe({ kind: "torn-write", ...file })).toMatchObject({
      rules: [{ kind: "torn-write", ...file }],
      begins: ["torn-write", "crash node-2, unsynced writes drawn"],
      ends: ["no torn-write", "start node-2"],
    });
  });
});

describe("bit-rot", () => {
  test("flips bits of the selected files of a running node", async () => {
    expect(await observe({ kind: "bit-rot", ...file, bits: 3 })).toMatchObject({
      rules: [{ kind: "bit-rot", ...file, bits: 3 }],
      begins: ["bit-rot"],
    });
  });
});

describe("misdirected-write", () => {
  test("moves blocks of the selected files over others", async () => {
    expect(await rulesOf({ kind: "misdirected-write", ...file, blocks: 3 })).toEqual([
      { kind: "misdirected-write", ...file, blocks: 3 },
    ]);
  });
});

describe("read-error", () => {
  test("fails a share of the reads of the selected files", async () => {
    expect(await rulesOf({ kind: "read-error", ...file, perMille: 1000 })).toEqual([
      { kind: "read-error", ...file, perMille: 1000 },
    ]);
  });
});

describe("lost-directory-entry", () => {
  test("provokes new files by a flush, and cuts the power before their names are durable", async () => {
    const cluster = await startTestWorld();
    const asked = cluster.events.length;

    const { begins, ends } = await observe({ kind: "lost-directory-entry", node }, 3, cluster);

    const operations = cluster.events
      .slice(asked)
      .flatMap((event) => (event.kind === "client-request" ? event.operation : []));
    expect(operations).toContain("POST /_flush?force=true");
    expect(begins).toEqual(["lost-name", "crash node-2, unsynced writes drawn"]);
    expect(ends).toEqual(["no lost-name", "start node-2"]);
  });
});

const place = { location: "/backups", path: "index-" };

describe("repository-slow", () => {
  test("delays each operation of the repositories at a location", async () => {
    expect(await observe({ kind: "repository-slow", ...place, byMs: 50 })).toMatchObject({
      targets: ["/backups"],
      rules: [{ kind: "repository-slow", ...place, delayMs: 50 }],
      ends: ["no repository-slow"],
    });
  });
});

describe("repository-failure", () => {
  test("fails a share of the operations; without a location those of every repository", async () => {
    const everyPlace = { location: "", path: "" };

    expect(await observe({ kind: "repository-failure", ...everyPlace, perMille: 9 })).toMatchObject(
      {
        targets: ["all"],
        rules: [{ kind: "repository-fails", ...everyPlace, perMille: 9 }],
      },
    );
  });
});

describe("repository-full", () => {
  test("refuses the writes of a repository", async () => {
    expect(await rulesOf({ kind: "repository-full", ...place })).toEqual([
      { kind: "repository-full", ...place },
    ]);
  });
});

describe("repository-missing", () => {
  test("makes a repository unreachable, so that it appears empty", async () => {
    expect(await rulesOf({ kind: "repository-missing", ...place })).toEqual([
      { kind: "repository-missing", ...place },
    ]);
  });
});

describe("repository-corruption", () => {
  test("flips bits of the blobs of a repository", async () => {
    expect(await rulesOf({ kind: "repository-corruption", ...place, bits: 2 })).toEqual([
      { kind: "repository-corrupt", ...place, bits: 2 },
    ]);
  });
});

describe("manager-overload", () => {
  test("changes a cluster setting again and again, and resets it at its end", async () => {
    const { world, tell } = await startTestWorld();
    const setting = async (): Promise<unknown> => {
      const request = { method: "GET", uri: "/_cluster/settings?flat_settings", timeoutMs: 30_000 };
      return (await world.request(newClient("reader"), "node-1", request))?.body;
    };

    const [during, after] = await tell(async () => {
      const { end } = await inject({ kind: "manager-overload", perSecond: 100 }, world);
      await world.sleep(1000);
      const changed = await setting();
      await end();
      return [changed, await setting()];
    });

    expect(during).toEqual({
      persistent: {},
      transient: { "cluster.max_shards_per_node": expect.stringMatching(/^20\d\d\d$/) },
    });
    expect(after).toEqual({ persistent: {}, transient: {} });
  });
});

describe("lease-expiry", () => {
  test("puts the clock of the primaries' nodes forward, and drops the renewals of leases", async () => {
    const cluster = await startTestWorld();
    const [primary] = await cluster.tell(() => cluster.world.select("primary:books/0"));

    const { rules, begins, ends } = await observe(
      { kind: "lease-expiry", index: "books", byMs: 50_000_000 },
      3,
      cluster,
    );

    expect(rules).toEqual([
      { kind: "clock-jump", node: primary, offsetMs: 50_000_000 },
      {
        kind: "drop",
        links: { from: [primary], to: all, both: true },
        actions: ["indices:admin/seq_no/retention_lease_sync*"],
        perMille: 1000,
      },
    ]);
    expect(begins).toEqual(["clock-jump", "drop"]);
    expect(ends).toEqual(["no drop", "no clock-jump"]);
  });
});
