/** A run is a function of scenario and seed; whatever goes wrong in it is the verdict's, not the process's. */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { coreCheckers } from "../src/checkers/compose.ts";
import { parseScenario, runScenario } from "../src/index.ts";
import { checkerNamed } from "./world.ts";

const file = join(import.meta.dirname, "../../../scenarios/failover/cluster-manager-crash.yaml");
const failover = parseScenario("cluster-manager-crash.yaml", readFileSync(file, "utf8"));

const short = parseScenario(
  "short.yaml",
  `name: test/short
claim: Used by tests.
indices: { books: { shards: 1, replicas: 1 } }
workload: { kind: bulk, index: books, clients: 2, documents: 5, every: 50ms, timeout: 5s }
faults:
  - { kind: crash, node: any-but-elected-cluster-manager, from: 100ms, to: 300ms }
  - { kind: partition, isolate: node-1, from: 200ms, to: 400ms }
  - { kind: duplication, per_mille: 50, to: 500ms }
phases: { faults: 600ms, converge: 120s }
checkers: [one-cluster-manager-per-term, no-acknowledged-write-lost, copies-of-a-shard-agree, converges-to-green]
`,
);

const original = checkerNamed("converges-to-green").finish;
const replaceFinish = (finish: typeof original): void => {
  Object.assign(checkerNamed("converges-to-green"), { finish });
};

afterEach(() => {
  replaceFinish(original);
});

test("the failover scenario passes, and its trace has as many lines as the verdict says", async () => {
  const lines: string[] = [];

  const verdict = await runScenario(failover, 1, { onLine: (line) => void lines.push(line) });

  expect(verdict).toMatchObject({ verdict: "pass", scenario: failover.name, seed: 1 });
  expect(verdict.acknowledged).toBeGreaterThan(100);
  expect(verdict.receipts).toMatchObject([{ fault: "crash", hits: 1 }]);
  expect(lines).toHaveLength(verdict.events);
  const events = lines.map(
    (line) => JSON.parse(line) as { kind: string; at_ms: unknown; node: unknown },
  );
  const kinds = new Set(events.map(({ kind }) => kind));
  for (const kind of ["message-sent", "message-delivered", "node-crashed", "node-started"])
    expect(kinds).toContain(kind);
  const incomplete = events.filter(
    ({ at_ms: atMs, node }) => typeof atMs !== "number" || typeof node !== "string",
  );
  expect(incomplete).toEqual([]);
});

test("the same seed has the same hash, whatever ran before it in the process", async () => {
  const first = await runScenario(short, 7);
  await runScenario(short, 8);
  await runScenario(failover, 3);
  const again = await runScenario(short, 7);

  expect(again).toEqual(first);
});

test("clients write no longer than the workload says", async () => {
  const workload = short.workload.map((one) => ({ ...one, forMs: 200 }));
  const brief = { ...short, faults: [], workload };
  const starts: number[] = [];
  const requests: number[] = [];

  await runScenario(brief, 1, {
    onEvent: (event) => {
      if (event.kind !== "client-request" || !/^(?:setup|bulk-\d+)$/.test(event.client)) return;
      (event.client === "setup" ? starts : requests).push(event.at_ms);
    },
  });

  const [first, last] = [Math.min(...requests), Math.max(...requests)];
  expect(starts).toHaveLength(1);
  expect(requests.length).toBeGreaterThan(4);
  expect(last - first).toBeLessThanOrEqual(200);
});

test("another seed has another hash", async () => {
  const hashes = new Set<string>();
  for (const seed of [1, 2, 3, 4]) hashes.add((await runScenario(short, seed)).hash);

  expect(hashes.size).toBe(4);
});

test("every fault of a run starts and ends once", async () => {
  const lines: string[] = [];
  await runScenario(short, 2, { onLine: (line) => void lines.push(line) });

  const events = lines.map((line) => JSON.parse(line) as { kind: string; fault?: string });
  const of = (kind: string) =>
    events.flatMap((event) => (event.kind === kind ? [event.fault ?? ""] : [])).toSorted();

  expect(of("fault-started")).toEqual(["crash", "duplication", "partition"]);
  expect(of("fault-receipt")).toEqual(["crash", "duplication", "partition"]);
  expect(of("fault-ended")).toEqual(["crash", "duplication", "partition"]);
});

test("a finding fails the run with the last events before it", async () => {
  replaceFinish(async () => "this was planted");

  const { verdict, failure, last_events: last } = await runScenario(short, 1);

  expect(verdict).toBe("fail");
  expect(failure).toBe("INV-COORD-2, converges-to-green: this was planted");
  expect(last).toHaveLength(50);
  expect(JSON.parse(last[0] ?? "")).toHaveProperty("kind");
});

test("a cluster that does not form fails the run", async () => {
  const phases = { ...short.phases, convergeMs: 1000 };
  const settings = { "cluster.initial_cluster_manager_nodes": "nobody" };
  const clusters = short.clusters.map((cluster) => ({ ...cluster, settings }));

  const { verdict, failure } = await runScenario({ ...short, phases, clusters }, 1);

  expect(verdict).toBe("fail");
  expect(failure).toMatch(
    /^setup: the clusters did not form within 1 s: node-1 knows no elected cluster manager$/,
  );
});

test("an index that cannot be created fails the run in the product's words", async () => {
  const indices = short.indices.map((index) => ({ ...index, settings: { "index.nosuch": 1 } }));

  const { verdict, failure } = await runScenario({ ...short, indices }, 1);

  expect(verdict).toBe("fail");
  expect(failure).toMatch(
    /^setup: the index \[books\] cannot be created: unknown setting \[index\.nosuch\] please check/,
  );
});

test("a run in which no write was acknowledged says nothing about writes", async () => {
  const unanswered = short.workload.map((clients) => ({ ...clients, timeoutMs: 1 }));

  const { verdict, doubts } = await runScenario({ ...short, workload: unanswered, faults: [] }, 1);

  expect([verdict, doubts]).toEqual([
    "inconclusive",
    ["no write was acknowledged, and [no-acknowledged-write-lost] judges nothing else"],
  ]);
});

test("a fault that never took effect leaves the run inconclusive", async () => {
  const silent = { ...short, workload: [], faults: [], checkers: [] };
  const loss = { kind: "loss", node: "node-1", perMille: 0 } as const;
  const faults = [{ trigger: { kind: "at", atMs: 0 }, fault: loss } as const];

  const { verdict, doubts, receipts } = await runScenario({ ...silent, faults }, 1);

  expect(verdict).toBe("inconclusive");
  expect(receipts).toMatchObject([{ fault: "loss", hits: 0 }]);
  expect(doubts[0]).toMatch(
    /^fault \[loss\] at \d+ ms never took effect: node-1 <?-> .*\(.*per_mille 0\)$/,
  );
});

test("a checker that throws fails the run", async () => {
  replaceFinish(async () => {
    throw new Error("broken claim");
  });

  expect((await runScenario(short, 1)).failure).toContain("Error: broken claim");
});

test("a read of the machine's clock fails the run, and the clock works again after it", async () => {
  replaceFinish(async () => String(Date.now()));

  expect((await runScenario(short, 1)).failure).toContain("ForbiddenCall: Date.now");
  expect(Date.now()).toBeGreaterThan(0);
});

test("a rejection that nobody handles fails the run", async () => {
  const others = process.listeners("unhandledRejection");
  process.removeAllListeners("unhandledRejection");
  replaceFinish(async () => {
    void Promise.reject(new Error("nobody handles this"));
    return undefined;
  });

  const { failure } = await runScenario(short, 1);
  for (const listener of others) process.on("unhandledRejection", listener);

  expect(failure).toContain("Error: nobody handles this");
});

test("a checker that never ends is a run that did not end", async () => {
  replaceFinish(() => new Promise(() => undefined));

  expect((await runScenario(short, 1)).failure).toContain("did not end within");
});

test("a process of its own gives the same hash as a thread of this one", async () => {
  const index = join(import.meta.dirname, "../src/index.ts");
  const program = `
    import { readFileSync } from "node:fs";
    import { parseScenario, runScenario } from ${JSON.stringify(index)};
    const text = readFileSync(${JSON.stringify(file)}, "utf8");
    const { hash } = await runScenario(parseScenario("cluster-manager-crash.yaml", text), 5);
    console.log(hash);
  `;
  const flags = ["--conditions=source", "--no-warnings", "--input-type=module", "--eval", program];
  const alone = execFileSync(process.execPath, flags, { encoding: "utf8" }).trim();

  const { hash } = await runScenario(failover, 5);

  expect(hash).toBe(alone);
}, 120_000);

test("of an index that clients have closed nothing is judged but that it is there", async () => {
  const checking = [...coreCheckers.keys()].filter((name) =>
    /^(?!gets|unsynced)(?:.*)(?:written|write|copies|checkpoints|searches|compare|green)/.test(
      name,
    ),
  );
  const plan = parseScenario(
    "closed.yaml",
    `name: test/closed
claim: Used by tests.
indices: { books: {} }
workload: { kind: bulk, index: books, documents: 3, requests: 5 }
timeline: [{ at: 1s, request: POST /books/_close }]
phases: { faults: 2s, converge: 30s }
checkers: [${checking.join(", ")}]
`,
  );

  const { acknowledged, failure } = await runScenario(plan, 1);

  expect(checking.length).toBeGreaterThan(4);
  expect(acknowledged).toBe(15);
  expect(failure).toBeUndefined();
});

test("documents written by the name of an alias are judged in the index that took them, after a rollover too", async () => {
  const plan = parseScenario(
    "alias.yaml",
    `name: test/alias
claim: Used by tests.
indices:
  books-000001: { replicas: 1, aliases: { books: { is_write_index: true } } }
workload:
  - { kind: bulk, index: books, documents: 3, every: 40ms, for: 2s }
  - { kind: registers, index: books, documents: 3, every: 20ms, for: 2s }
timeline:
  - { at: 1s, request: POST /books/_rollover, expect: { body: { rolled_over: true } } }
phases: { faults: 3s, converge: 30s }
checkers: [no-acknowledged-write-lost, compare-and-set-is-linearizable, searches-see-refreshed-documents]
`,
  );

  const { acknowledged, failure } = await runScenario(plan, 1);

  expect(acknowledged).toBeGreaterThan(60);
  expect(failure).toBeUndefined();
});

test("updates are writes of what they say, or of what nobody can tell", async () => {
  const plan = parseScenario(
    "updates.yaml",
    `name: test/updates
claim: Used by tests.
indices: { books: { replicas: 1 } }
workload:
  kind: requests
  clients: 3
  every: 20ms
  keys: 4
  for: 2s
  mix:
    - { request: "PUT /books/_doc/{key}", body: { value: "{value}" } }
    - { request: "POST /books/_update/{key}", body: { doc: { value: "{value}" } } }
    - { request: "POST /books/_update/{key}", body: { doc: { seen_by: "{client}" } } }
    - { request: "POST /books/_update/{key}", body: { doc: { value: 7 } } }
phases: { faults: 3s, converge: 30s }
checkers: [no-acknowledged-write-lost, compare-and-set-is-linearizable]
`,
  );

  const { acknowledged, failure } = await runScenario(plan, 1);

  expect(acknowledged).toBeGreaterThan(100);
  expect(failure).toBeUndefined();
});

test.each(["stop, kill", "kill, stop", "stop, stop", "stop, crash, stop"])(
  "a run ends when a node goes down in two ways at once: %s",
  async (ways) => {
    const kinds = ways.split(", ");
    const fault = (kind: string) =>
      `  - { at: 200ms, fault: { kind: ${kind}, node: node-2 }, for: 500ms }`;
    const plan = parseScenario(
      "down-twice.yaml",
      `name: test/down-twice
claim: Used by tests.
indices: { books: { replicas: 2 } }
timeline:
${kinds.map(fault).join("\n")}
phases: { faults: 1s, converge: 60s }
checkers: [converges-to-green]
`,
    );

    const { failure, receipts } = await runScenario(plan, 1);

    expect(failure).toBeUndefined();
    expect(receipts.map(({ fault: kind }) => kind).toSorted()).toEqual(kinds.toSorted());
    expect(receipts.find(({ place }) => place.startsWith("entry 1"))).toMatchObject({ hits: 1 });
  },
);
