/** Checkers that judge every plan they apply to: each holds on a healthy cluster and finds the violation that was planted. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { beforeAll, describe, expect, test } from "vitest";
import { composeProduct, type Plugin, type PluginNode } from "@orrery/node";
import { applicableCheckers, judgesOf, parseScenario, type Plan } from "../src/index.ts";
import { sentenceOf, type Finding } from "../src/checkers/checker.ts";
import { compareHistories } from "../src/checkers/copies-share-their-history.ts";
import { judgeGets } from "../src/checkers/gets-see-acknowledged-writes.ts";
import { growingFigure, unboundedLog, stuckWork } from "../src/checkers/nothing-grows-in-quiet.ts";
import { watchEvents, type Bounds } from "../src/checkers/reading-bounds.ts";
import type { History, Operation } from "../src/history.ts";
import type { NewsEvent } from "../src/watchers.ts";
import { newClient, type ClientAnswer, type ClientRequest, type World } from "../src/world.ts";
import { acknowledged, checkerNamed, scenario, startTestWorld, type TestWorld } from "./world.ts";

let cluster: TestWorld;

beforeAll(async () => {
  cluster = await startTestWorld();
});

function planOf(lines: string): Plan {
  return parseScenario(
    "test.yaml",
    `name: test/judges
claim: Used by tests.
clusters: { main: { nodes: 3 } }
phases: { faults: 1s, converge: 20s, quiet: 60s }
${lines}
`,
  );
}

function judge(
  name: string,
  world: World = cluster.world,
  history: History = cluster.history,
): Promise<Finding> {
  const { finish } = checkerNamed(name);
  if (finish === undefined) throw new Error(`${name} only watches`);
  return cluster.tell(async () =>
    sentenceOf(await finish(world, { ...scenario, phases: quiet }, history)),
  );
}

const quiet = { faultsMs: 1000, convergeMs: 2000, quietMs: 60_000 };

/** The same world, but for answers that are changed on their way. */
function tampered(change: (body: Json, request: ClientRequest, node: string) => Json): World {
  return {
    ...cluster.world,
    request: async (client, node, request) => {
      const answer = await cluster.world.request(client, node, request);
      return answer && { ...answer, body: change(answer.body, request, node) };
    },
  };
}

/** Members of objects anywhere in a body, by name. */
function replaced(body: Json, name: string, by: (value: Json) => Json): Json {
  if (Array.isArray(body)) return (body as readonly Json[]).map((one) => replaced(one, name, by));
  if (!isJsonObject(body)) return body;
  return Object.fromEntries(
    Object.entries(body).map(([key, value]) => [
      key,
      key === name ? by(value ?? null) : replaced(value ?? null, name, by),
    ]),
  );
}

const withoutId = (document: string, value: number): Operation => ({
  ...acknowledged(document, value),
  hasAutoId: true,
});

describe("which checkers judge a plan", () => {
  const plan = planOf(`indices: { books: { replicas: 1 } }
workload: { kind: registers, index: books }
checkers: [converges-to-green]`);

  test("those that it names, and those that judge every plan", () => {
    const judges = judgesOf(plan).map(({ name }) => name);

    expect(judges[0]).toBe("converges-to-green");
    expect(judges).toContain("copies-share-their-history");
    expect(judges).toContain("gets-see-acknowledged-writes");
    expect(judges).not.toContain("documents-exist-once");
    expect(judges).not.toContain("log-matching");
  });

  test("no loss is allowed but where an index acknowledges what it has not synced", () => {
    const unsynced = planOf(`indices: { books: { settings: { translog.durability: async } } }
workload: { kind: bulk, index: books }`);

    expect(applicableCheckers(plan)).toContain("no-acknowledged-write-lost");
    expect(unsynced.checkers).not.toContain("no-acknowledged-write-lost");
    expect(unsynced.checkers).toContain("unsynced-writes-are-recent");
  });

  test.each([
    ["settings", "PUT /books/_settings", { index: { translog: { durability: "async" } } }],
    [
      "a template",
      "PUT /_index_template/t",
      { template: { settings: { "index.translog.durability": "ASYNC" } } },
    ],
    ["a routing", "PUT /books/_doc/1?routing=a", {}],
    [
      "the removal of an index by an alias action",
      "POST /_aliases",
      { actions: [{ remove_index: { index: "books" } }] },
    ],
    ["a restore", "POST /_snapshot/safe/one/_restore", {}],
  ] as const)("no loss is judged where a client may ask for %s", (_what, request, body) => {
    const asking = planOf(`indices: { books: { replicas: 1 } }
workload: [{ kind: bulk, index: books }, { kind: requests, mix: [{ request: "${request}", body: ${JSON.stringify(body)} }] }]`);

    expect(asking.checkers).toContain("converges-to-green");
    expect(asking.checkers).not.toContain("no-acknowledged-write-lost");
  });

  test("all that apply can be asked for", () => {
    const all = applicableCheckers(plan);

    expect(all).toContain("log-matching");
    expect(all).not.toContain("documents-exist-once");
    expect(all.every((name) => checkerNamed(name).complaint?.(plan) === undefined)).toBe(true);
  });
});

describe("documents-exist-once", () => {
  const judgeWith = (world: World, ...operations: readonly Operation[]): Promise<Finding> =>
    judge("documents-exist-once", world, { operations: [...operations] });
  const hits = (by: (hits: readonly Json[]) => Json): World =>
    tampered((body) =>
      replaced(body, "hits", (found) =>
        Array.isArray(found)
          ? by(found)
          : replaced(found, "hits", (inner) => by(inner as readonly Json[])),
      ),
    );

  test("holds in a healthy cluster", async () => {
    expect(await judgeWith(cluster.world, withoutId("doc-1", 1))).toBeUndefined();
  });

  test("finds a document that is there twice", async () => {
    const twice = hits((found) => [...found, found[0] ?? null]);

    expect(await judgeWith(twice, withoutId("doc-1", 1))).toMatch(
      /^the copy of books\/0 on node-\d holds the document \[doc-1\] twice$/,
    );
  });

  test("finds one that was sent once, under two ids", async () => {
    const again = hits((found) => [...found, { _id: "other", _source: { value: 1 } }]);

    expect(await judgeWith(again, withoutId("doc-1", 1))).toContain(
      "holds 1, sent once, as [doc-1] and [other]",
    );
  });

  test("finds one that was acknowledged and is not there, or under another id", async () => {
    expect(await judgeWith(cluster.world, withoutId("doc-9", 99))).toBe(
      "books lacks 99, which was acknowledged to test",
    );
    expect(await judgeWith(cluster.world, withoutId("doc-9", 1))).toBe(
      "books has 1 as [doc-1], and test was told [doc-9]",
    );
  });

  test("finds a copy that counts others than it shows", async () => {
    const counting = tampered((body) => replaced(body, "count", () => 6));

    expect(await judgeWith(counting, withoutId("doc-1", 1))).toContain(
      "counts 6 documents, and shows 5",
    );
  });
});

describe("gets-see-acknowledged-writes", () => {
  const plan = planOf(`indices: { books: { replicas: 1 } }
workload: { kind: registers, index: books }`);
  const written = (seqNo: number, rest: Partial<Operation> = {}): Operation => ({
    ...acknowledged("doc", seqNo),
    ...{ invokedMs: 10 * seqNo, returnedMs: 10 * seqNo + 5, seqNo },
    ...rest,
  });
  const shown = (atMs: number, read: number | null, seqNo?: number): Operation => ({
    ...{ kind: "get", client: "reader", request: 1, node: "node-1", index: "books" },
    ...{ document: "doc", invokedMs: atMs, returnedMs: atMs + 1, outcome: "ok", read },
    ...(seqNo === undefined ? {} : { seqNo }),
  });
  const judgeAll = (...operations: readonly Operation[]): string | undefined =>
    sentenceOf(judgeGets({ operations: [...operations] }, cluster.world, plan));

  test("holds for the last acknowledged write, and for a later one", () => {
    expect(judgeAll(written(0), written(1), shown(16, 1, 1))).toBeUndefined();
    expect(judgeAll(written(0), written(1), shown(12, 1, 1))).toBeUndefined();
    expect(judgeAll(written(0), written(1), shown(12, 0, 0))).toBeUndefined();
    expect(
      judgeAll(shown(0, null), written(1, { kind: "delete" }), shown(20, null)),
    ).toBeUndefined();
  });

  test("finds a read of an older write, of none, and of one that was sent later", () => {
    expect(judgeAll(written(0), written(1), shown(16, 0, 0))).toContain(
      "was shown with sequence number 0, and the index with sequence number 1 was acknowledged before",
    );
    expect(judgeAll(written(0), shown(16, null))).toContain("was not found");
    expect(judgeAll(written(0), written(2), shown(10, 2, 2))).toContain("which was sent later");
    expect(judgeAll(written(0), written(1, { kind: "delete" }), shown(20, 0, 1))).toContain(
      "the delete with sequence number 1 was acknowledged before",
    );
  });

  test("finds a write that a later primary has replaced", () => {
    const lost = shown(40, 7, 3);
    const later = written(2, { primaryTerm: 2 });

    expect(judgeAll(later, { ...lost, primaryTerm: 2 })).toBeUndefined();
    expect(judgeAll(later, { ...lost, primaryTerm: 1 })).toContain(
      "was shown with sequence number 3 of primary term 1, and the index with sequence number 2 of primary term 2 was acknowledged before",
    );
  });

  test("does not take a lost write for the one that got its number again", () => {
    const again = written(2, { primaryTerm: 2 });

    expect(judgeAll(again, { ...shown(10, 7, 2), primaryTerm: 1 })).toBeUndefined();
    expect(judgeAll(again, { ...shown(10, 2, 2), primaryTerm: 2 })).toContain("was sent later");
  });

  const applied = (node: string, version: number, atMs: number): NewsEvent =>
    ({ kind: "cluster-state-applied", node, version, at_ms: atMs, isMember: true }) as NewsEvent;
  const boundsAfter = (...events: readonly NewsEvent[]): Bounds => {
    const { bounds, see } = watchEvents(() => "main");
    for (const event of events) see(event);
    return bounds;
  };
  const judgeWith = (bounds: Bounds, ...operations: readonly Operation[]): string | undefined =>
    sentenceOf(judgeGets({ operations: [...operations] }, cluster.world, plan, bounds));

  test("holds nodes that are cut off to what was acknowledged before the state that they lack", () => {
    const formed = ["node-1", "node-2", "node-3"].map((node) => applied(node, 5, 0));
    const bounds = boundsAfter(...formed, applied("node-2", 6, 14));
    const [before, after] = [written(0), written(1)];

    expect(judgeWith(bounds, before, after, shown(50, 0, 0))).toBeUndefined();
    expect(judgeWith(bounds, before, after, shown(50, null))).toContain("was not found");
    expect(judgeWith(bounds, before, after, { ...shown(50, 0, 0), node: "node-2" })).toContain(
      "the index with sequence number 1 was acknowledged before",
    );
  });

  test("applies, too, where nodes may be cut off", () => {
    const cut = planOf(`indices: { books: { replicas: 1 } }
workload: { kind: registers, index: books }
faults: [{ kind: partition, isolate: node-1, from: 0s, to: 500ms }]`);

    expect(applicableCheckers(cut)).toContain("gets-see-acknowledged-writes");
  });
});

describe("unsynced-writes-are-recent", () => {
  const plan = planOf(
    `indices: { books: { settings: { index.translog.durability: async, index.translog.sync_interval: 2s } } }
workload: { kind: bulk, index: books }`,
  );
  const judgeWith = (crashAtMs: number): Promise<Finding> => {
    const { start, finish } = checkerNamed("unsynced-writes-are-recent");
    const watch = start?.(cluster.world, plan);
    const crash = { kind: "node-crashed", node: "node-1", at_ms: crashAtMs } as NewsEvent;
    watch?.(crash);
    const lost = { ...acknowledged("lost", 1), invokedMs: 10_000, returnedMs: 10_001 };
    return cluster.tell(async () =>
      sentenceOf(await finish?.(cluster.world, plan, { operations: [lost] })),
    );
  };

  test("holds for the loss of what a crash found unsynced", async () => {
    expect(await judgeWith(11_900)).toBeUndefined();
  });

  test("finds the loss of what was older, or of what came after", async () => {
    expect(await judgeWith(14_000)).toContain("the document [lost] of [books]: its write");
    expect(await judgeWith(9000)).toContain("the document [lost] of [books]: its write");
  });
});

describe("acknowledged-changes-are-everywhere", () => {
  const create = { method: "PUT", uri: "/books", timeoutMs: 1000 };
  const yes: ClientAnswer = { status: 200, body: { acknowledged: true } };
  const judgeWith = (world: World, request: ClientRequest, answer = yes): Promise<Finding> => {
    const { start, onRequest } = checkerNamed("acknowledged-changes-are-everywhere");
    start?.(world, scenario);
    const answered = onRequest?.(world, { node: "node-1", request });
    return cluster.tell(async () => answered?.(answer));
  };
  const forgetting = (node: string): World => ({
    ...cluster.world,
    ownAnswer: async (asked, uri) =>
      asked === node ? { status: 200, body: {} } : cluster.world.ownAnswer?.(asked, uri),
  });

  test("holds where every node has the index, or nothing was acknowledged", async () => {
    const no: ClientAnswer = { status: 200, body: { acknowledged: false } };

    expect(await judgeWith(cluster.world, create)).toBeUndefined();
    expect(await judgeWith(forgetting("node-2"), create, no)).toBeUndefined();
  });

  test("finds a node that lacks it", async () => {
    expect(await judgeWith(forgetting("node-2"), create)).toBe(
      "[books] is gone on node-2, and was acknowledged as open",
    );
    expect(
      await judgeWith(cluster.world, { ...create, uri: "/books/_close", method: "POST" }),
    ).toBe("[books] is open on node-1, and was acknowledged as close");
  });

  test.each([
    ["writes to it", "/books/_doc?wait_for_active_shards=1"],
    ["restores a snapshot", "/_snapshot/safe/s1/_restore?wait_for_completion=true"],
    ["imports an index", "/_dangling/u?accept_data_loss=true"],
  ])(
    "says nothing of an index that is deleted while a client %s, which makes it anew",
    async (_, uri) => {
      const { start, onRequest } = checkerNamed("acknowledged-changes-are-everywhere");
      const ask = (method: string, path: string) =>
        onRequest?.(cluster.world, {
          node: "node-1",
          request: { method, uri: path, timeoutMs: 1000 },
        });
      start?.(cluster.world, scenario);

      const alone = ask("DELETE", "/books");
      expect(await cluster.tell(async () => alone?.(yes))).toMatch(/^\[books\] is open on node-1/);

      const written = ask("POST", uri);
      const beside = ask("DELETE", "/books");
      expect(await cluster.tell(async () => beside?.(yes))).toBeUndefined();
      await cluster.tell(async () => written?.({ status: 201, body: {} }));
      const after = ask("DELETE", "/books");
      expect(await cluster.tell(async () => after?.(yes))).toMatch(/^\[books\] is open on node-1/);
    },
  );

  test("finds a later reading that lacks it", async () => {
    const old = tampered((body, { uri }) => (uri.startsWith("/_cluster/state") ? {} : body));

    expect(await judgeWith(old, create)).toMatch(
      /^\[books\] is gone in the cluster state that node-\d answers/,
    );
  });
});

describe("reports-tell-the-truth", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("reports-tell-the-truth")).toBeUndefined();
  });

  const judgeWith = (path: string, name: string, by: (value: Json) => Json): Promise<Finding> =>
    judge(
      "reports-tell-the-truth",
      tampered((body, { uri }) => (uri.includes(path) ? replaced(body, name, by) : body)),
    );

  test("finds a health that is not", async () => {
    expect(await judgeWith("/_cluster/health", "active_shards", () => 3)).toBe(
      "health tells active_shards 3, and the cluster state has 2",
    );
    expect(await judgeWith("/_cluster/health", "status", () => "yellow")).toContain("status");
  });

  test("finds a copy in a table that is nowhere", async () => {
    expect(await judgeWith("/_cat/shards", "state", () => "RELOCATING")).toMatch(
      /^_cat\/shards tells \[books 0 . RELOCATING node-\d\], and the cluster state has no such copy$/,
    );
  });

  test("finds a recovery that never ends, or has more than all", async () => {
    expect(await judgeWith("/_recovery", "stage", () => "INDEX")).toContain("and it has started");
    expect(await judgeWith("/_recovery", "translog", () => ({ recovered: 2, total: 1 }))).toContain(
      "2 of 1 operations are recovered",
    );
    expect(await judgeWith("/_recovery", "shards", () => [])).toContain("does not tell of");
  });

  test("finds statistics that count wrong", async () => {
    expect(await judgeWith("/_stats", "docs", () => ({ count: 4 }))).toMatch(
      /^the statistics of the copy of books\/0 on node-\d count 4 documents, and it holds 5$/,
    );
  });
});

describe("operations-end-in-time", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("operations-end-in-time")).toBeUndefined();
  });

  const judgeOne = (
    operation: string,
    waitedMs: number,
    plan: Plan = scenario,
  ): Promise<Finding> => {
    const wait = { client: "test", request: 1, node: "node-2", operation, sentMs: 0 };
    const world = { ...cluster.world, waits: () => [{ ...wait, answeredMs: waitedMs }] };
    return cluster.tell(async () =>
      checkerNamed("operations-end-in-time").finish?.(world, plan, cluster.history),
    );
  };

  test.each([
    ["PUT /books/_doc/1?timeout=1s", 177_000],
    ["PUT /books?timeout=1s", 159_000],
    ["POST /books/_close?timeout=1s", 505_000],
    ["POST /books/_search", 63_000],
    ["POST /_search/scroll", 63_000],
    ["POST /books/_search/point_in_time?keep_alive=1m", 63_000],
    ["DELETE /_search/point_in_time", 63_000],
    ["POST /books/_search?cancel_after_time_interval=5s", 5000],
    ["GET /books/_doc/1", 63_000],
    ["POST /_mget", 63_000],
    ["GET /books/_count", 63_000],
    ["POST /books/_refresh", 203_000],
    ["POST /books/_flush?force=true", 203_000],
    ["POST /books/_forcemerge?max_num_segments=1", 63_000],
    ["GET /_cluster/health?timeout=1s&cluster_manager_timeout=2s", 160_000],
    ["PUT /_cluster/decommission/awareness/zone/a", 270_000],
  ])("[%s] has %i ms", async (operation, limitMs) => {
    expect(await judgeOne(operation, limitMs + 9000)).toBeUndefined();
    expect(await judgeOne(operation, limitMs + 11_000)).toBe(
      `request 1 of test to node-2 at 0 ms (${operation}) was answered after ${limitMs + 11_000} ms, and its time limit is ${limitMs} ms`,
    );
  });

  test.each([
    "PUT /books/_doc/1?refresh=wait_for",
    "PUT /_snapshot/safe/one?wait_for_completion=true",
    "PUT /books?cluster_manager_timeout=-1",
  ])("[%s] may wait as long as it likes", async (operation) => {
    expect(await judgeOne(operation, 10_000_000)).toBeUndefined();
  });

  test("settings of the nodes say when a node that does not answer is removed", async () => {
    const patient = planOf(`
workload: { kind: registers, index: books }
indices: { books: {} }`);
    const settings = { "cluster.fault_detection.follower_check.timeout": "20s" };
    const clusters = patient.clusters.map((one) => ({ ...one, settings }));

    expect(await judgeOne("GET /books/_doc/1", 100_000, { ...patient, clusters })).toBeUndefined();
    expect(await judgeOne("GET /books/_doc/1", 100_000, patient)).toContain("time limit is 63000");
  });

  test.each([
    ["drop-messages, actions: internal:cluster/*", true],
    ["drop-messages, actions: indices:*", false],
    ["drop-messages, actions: indices:data/read/get*", false],
    ["half-open", false],
  ])("a plan with [%s] has a limit of reads: %s", async (fault, isLimited) => {
    const plan = planOf(`indices: { books: {} }
workload: { kind: registers, index: books }
faults: [{ kind: ${fault.replace("actions: ", 'actions: "').replace(/\*$/, '*"')} }]`);

    const says = await judgeOne("GET /books/_doc/1", 100_000, plan);
    expect(says !== undefined).toBe(isLimited);
    expect(await judgeOne("PUT /books", 1_000_000, plan)).toBeDefined();
  });

  test("finds a search that hangs, though its client has long gone away", async () => {
    const { world, simulation, tell } = await startTestWorld(2);
    const applied = await world.applyRule({
      kind: "drop",
      links: { from: world.nodes(), to: world.nodes(), both: true },
      actions: ["indices:data/read/*"],
      perMille: 1000,
    });
    const says = await tell(async () => {
      const view = await world.view("node-1");
      const holders = view?.shards.map(({ node }) => node) ?? [];
      const asked = world.nodes().find((node) => !holders.includes(node)) ?? "";
      const request = { method: "POST", uri: "/books/_search", timeoutMs: 100 };
      const answer = await world.request(newClient("impatient"), asked, request);
      expect(answer).toBeUndefined();
      await applied.end();
      return checkerNamed("operations-end-in-time").finish?.(world, scenario, cluster.history);
    });

    expect(says).toMatch(
      /^request 1 of impatient to node-\d at \d+ ms \(POST \/books\/_search\) was not answered within 73\d\d\d ms, and its time limit is 63000 ms$/,
    );
    simulation.end();
  });

  test.each(["held", "dropped", "down"] as const)(
    "says nothing of a search whose node or messages were %s",
    async (what) => {
      const plan =
        what === "dropped"
          ? planOf(`indices: { books: {} }
workload: { kind: registers, index: books }
faults: [{ kind: drop-messages, actions: "indices:data/read/search*" }]`)
          : scenario;
      const { world, simulation, tell } = await startTestWorld(2);
      const { start, finish } = checkerNamed("operations-end-in-time");
      const watch = start?.(world, plan);
      const tellOf = (kind: "fault-started" | "fault-ended"): void =>
        void watch?.({
          ...{ kind, fault: "partition", description: "cut", node: "" },
          at_ms: world.nowMs(),
        });
      const says = await tell(async () => {
        const kind = what === "dropped" ? "drop" : "cut";
        const links = { from: ["node-1"], to: ["node-2", "node-3"], both: true };
        const rule = { links, actions: ["indices:data/read/*"], perMille: 1000 };
        const applied = await world.applyRule(
          kind === "drop" ? { kind, ...rule } : { kind, links },
        );
        tellOf("fault-started");
        const request = { method: "POST", uri: "/books/_search", timeoutMs: 100 };
        for (const node of world.nodes()) await world.request(newClient(node), node, request);
        if (what === "down") for (const node of world.nodes()) await world.crash(node);
        else await world.sleep(100_000);
        await applied.end();
        if (what === "held") tellOf("fault-ended");
        return finish?.(world, plan, cluster.history);
      });

      expect(says).toBeUndefined();
      simulation.end();
    },
  );
});

type ShardActions = NonNullable<NonNullable<Plugin["shards"]>["actions"]>;
type ShardCopy = Parameters<ShardActions[string]>[0];

describe("nothing-grows-in-quiet", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("nothing-grows-in-quiet")).toBeUndefined();
  });

  test("finds what grows from each look to the next", () => {
    const looks = (...values: readonly number[]) => values.map((value) => new Map([["x", value]]));

    expect(growingFigure(looks(1, 2, 3, 3))).toBeUndefined();
    expect(growingFigure(looks(5, 5, 5, 5))).toBeUndefined();
    expect(growingFigure(looks(1, 2, 3, 4))).toBe("x grew while nothing was asked: 1, 2, 3, 4");
  });

  test("finds timers that are never cancelled, and contexts that stay open", async () => {
    let timers = 0;
    const leaking = { ...cluster.world, figures: () => new Map([["timers", (timers += 1)]]) };
    let contexts = 0;
    const opening = tampered((body) => replaced(body, "open_contexts", () => (contexts += 1)));

    let listeners = 0;
    const listening = {
      ...cluster.world,
      figures: () => new Map([["listeners of node-1", (listeners += 1)]]),
    };

    expect(await judge("nothing-grows-in-quiet", leaking)).toContain("timers grew");
    expect(await judge("nothing-grows-in-quiet", listening)).toContain("listeners of node-1 grew");
    expect(await judge("nothing-grows-in-quiet", opening)).toContain("open_contexts of node-");
  });

  test("finds what is there at each look", () => {
    const looks = (...names: readonly string[]) => names.map((name) => new Set([name, "y"]));

    expect(
      stuckWork(looks("1", "2", "3", "4").map((names) => new Set([...names].slice(0, 1)))),
    ).toBe(undefined);
    expect(stuckWork(looks("1", "2", "3", "4"))).toBe("[y] did not end while nothing was asked");
    expect(stuckWork([])).toBeUndefined();
    const long = (count: number) => unboundedLog([new Map([["log entries of node-1", count]])]);
    expect(long(1200)).toBeUndefined();
    expect(long(1501)).toBe("log entries of node-1 are 1501, and a log is cut before it has 1500");
  });

  test("counts what nodes have begun, and names it", async () => {
    const { world, simulation, tell } = await startTestWorld(3);
    const figures = world.figures?.() ?? new Map();

    expect(figures.get("listeners of node-1")).toBeGreaterThan(0);
    expect(figures.get("held permits of node-1")).toBe(0);
    const names = await tell(async () => {
      const answer = world.request(newClient("test"), "node-1", {
        ...{ method: "PUT", uri: "/books/_doc/new", body: "{}", timeoutMs: 30_000 },
      });
      const seen = new Set<string>();
      for (let look = 0; look < 40; look += 1) {
        await world.sleep(0.25);
        for (const name of world.underWay?.() ?? []) seen.add(name);
      }
      await answer;
      return [...seen];
    });
    expect(names).toContain("PUT /books/_doc/new, request 1 of test to node-1");
    expect(new Set(names.map((name) => name.split(" ", 1)[0]))).toEqual(
      new Set(["PUT", "request", "answer", "permit"]),
    );
    simulation.end();
  });

  test("finds a request of a client that its node never answers", async () => {
    const { world, simulation, tell } = await startTestWorld(3);
    const applied = await world.applyRule({
      kind: "drop",
      links: { from: world.nodes(), to: world.nodes(), both: true },
      actions: ["indices:data/write/bulk[s]"],
      perMille: 1000,
    });
    const says = await tell(async () => {
      for (const node of world.nodes()) {
        const request = { method: "PUT", uri: "/books/_doc/new", body: "{}", timeoutMs: 100 };
        await world.request(newClient(node), node, request);
      }
      await applied.end();
      const { finish } = checkerNamed("nothing-grows-in-quiet");
      return finish?.(world, { ...scenario, phases: quiet }, cluster.history);
    });

    expect(says).toMatch(
      /^\[PUT \/books\/_doc\/new, request 1 of node-\d to node-\d\] did not end/,
    );
    simulation.end();
  });

  /** Runs on the copies of a cluster: what the operation begins there it does not end. */
  const leaks: Readonly<Record<string, (copy: ShardCopy) => Promise<Uint8Array>>> = {
    permit: async ({ permits }) => {
      await permits.acquire();
      return new Uint8Array();
    },
    block: async ({ permits }) => {
      void permits.blockAll(() => new Promise(() => undefined));
      return new Uint8Array();
    },
    answer: () => new Promise(() => undefined),
  };

  test.each([
    ["permit", /^\[permit \d+ of \[books\]\[0\] \[[^\]]+\] in thread 1 of node-\d\] did not end/],
    ["block", /^\[block \d+ of \[books\]\[0\] \[[^\]]+\] in thread 1 of node-\d\] did not end/],
    ["answer", /^\[(?:answer|request) \d+ \[test:answer\] /],
    ["state", /^\[state \d+ in thread 0 of node-\d\] did not end/],
  ])("finds a %s that stays", async (kind, expected) => {
    const nodes: PluginNode[] = [];
    const leaking: Plugin = {
      ...{ name: "test", description: "leaks", classname: "Test" },
      shards: {
        name: "test",
        actions: Object.fromEntries(
          Object.entries(leaks).map(([name, leak]) => [`test:${name}`, leak]),
        ),
      },
      start: (node) => {
        nodes.push(node);
        return {};
      },
    };
    const { world, simulation, tell } = await startTestWorld(
      4,
      scenario,
      composeProduct([leaking]),
    );
    const says = await tell(async () => {
      const [node] = nodes;
      const state = node?.cluster.state();
      const copy = state?.routingTable.get("books")?.shards[0]?.[0];
      const shard = `${state?.metadata.indices.get("books")?.uuid}/0`;
      if (kind === "state") void node?.cluster.stateWhen(() => false, -1);
      else if (copy?.nodeId !== undefined)
        void node?.transport.request(copy.nodeId, `test:${kind}`, new Uint8Array(), { shard });
      await world.sleep(1000);
      const { finish } = checkerNamed("nothing-grows-in-quiet");
      return finish?.(world, { ...scenario, phases: quiet }, cluster.history);
    });

    expect(says).toMatch(expected);
    simulation.end();
  });
});

describe("copies-share-their-history", () => {
  test("holds in a healthy cluster", async () => {
    expect(await judge("copies-share-their-history")).toBeUndefined();
  });

  const copy = (node: string, fromSeqNo: number, ...operations: readonly string[]) => ({
    ...{ shard: 0, node, fromSeqNo },
    operations: new Map(operations.map((one, i) => [fromSeqNo + i, one])),
  });

  test("compares what both keep", () => {
    expect(compareHistories(copy("a", 0, "x", "y"), copy("b", 1, "y"))).toBeUndefined();
    expect(compareHistories(copy("a", 0, "x", "y"), copy("b", 1, "z"))).toBe(
      "under sequence number 1 a keeps y, and b z",
    );
    expect(compareHistories(copy("a", 0, "x", "y"), copy("b", 0, "x"))).toBe(
      "under sequence number 1 a keeps y, and b nothing",
    );
  });

  test("finds a copy with another operation under a number", async () => {
    const differing: World = {
      ...cluster.world,
      histories: async (...which) => {
        const [first, ...rest] = (await cluster.world.histories?.(...which)) ?? [];
        if (first === undefined) return [];
        return [{ ...first, operations: new Map([...first.operations, [2, "a no-op"]]) }, ...rest];
      },
    };

    expect(await judge("copies-share-their-history", differing)).toMatch(
      /^books\/0: under sequence number 2 node-\d keeps a no-op, and node-\d \[2,1,"index","doc-3",1,\d+\]$/,
    );
  });
});
