/**
 * Sections of the benchmarks about the lab: what a test pays for a cluster as new, how soon a failing run is small, and what
 * exploration sees. Called by `bench.mjs`.
 */
import { spawnSync } from "node:child_process";
import { Session } from "node:inspector/promises";
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** In a process that has done it before, as the tests of a suite have it: a few of them, and some more. */
export async function restore({ root, runs, report }) {
  const { createTestCluster } = await import(join(root, "packages/testing/dist/index.js"));
  const cluster = await createTestCluster({ nodes: 3 });
  const again = (image) => (image === undefined ? cluster.reset() : cluster.restore(image));
  const measure = async (what, image) => {
    let done = 0;
    for (const times of [10, 40]) {
      const cpu = [];
      const wall = [];
      for (; done < times; done += 1) await again(image);
      for (let i = 0; i < runs; i += 1, done += 1) {
        const before = process.cpuUsage();
        const startedMs = performance.now();
        await again(image);
        const { user, system } = process.cpuUsage(before);
        wall.push(performance.now() - startedMs);
        cpu.push((user + system) / 1000 / cluster.nodes.length);
      }
      const where = `${what}, after ${times} times`;
      report(`CPU of a node that boots from its image: ${where}`, cpu, "ms", "cluster.restore");
      report(`three of them, until all is as it was: ${where}`, wall, "ms", "cluster.restore");
    }
  };
  await measure("no index", undefined);
  await cluster.request("PUT", "/books?wait_for_active_shards=all", {
    body: { settings: { number_of_shards: 3, number_of_replicas: 1 } },
  });
  for (let i = 0; i < 100; i += 1)
    await cluster.request("PUT", `/books/_doc/${i}`, { body: { title: `Book ${i}` } });
  await measure("an index of six copies and 100 documents", await cluster.snapshot());
  await cluster.close();
}

/** Time of tests of a project for their clusters under vitest: files of five tests, each in a process of its own. */
export async function helper({ root, runs, report }) {
  const own = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  try {
    const modules = join(own, "node_modules");
    const helperFolder = join(modules, "@orrery/vitest");
    for (const part of ["package.json", "dist/bundle"])
      cpSync(join(root, "packages/vitest", part), join(helperFolder, part), { recursive: true });
    symlinkSync(join(root, "node_modules/vitest"), join(modules, "vitest"), "junction");
    const test = `async (cluster) => {
  const init = { method: "PUT", headers: { "content-type": "application/json" }, body: "{}" };
  expect((await fetch(cluster.urls[0] + "/books/_doc/1", init)).status).toBe(201);
}`;
    const file = `import { afterAll, expect, test } from "vitest";
import { closeClustersAfter, withCluster } from "@orrery/vitest";
closeClustersAfter({ afterAll });
for (let i = 0; i < 5; i += 1) test("test " + i, withCluster(${test}));
`;
    for (let i = 0; i < runs; i += 1) writeFileSync(join(own, `own-${i}.test.ts`), file);
    const vitest = join(root, "node_modules/vitest/vitest.mjs");
    const args = ["run", "--maxWorkers=1", "--reporter=json", "--outputFile=times.json"];
    const startedMs = performance.now();
    const { status, stderr } = spawnSync(process.execPath, [vitest, ...args, "--root", own], {
      ...{ cwd: own, encoding: "utf8" },
    });
    if (status !== 0) throw new Error(stderr);
    const wallMs = (performance.now() - startedMs) / runs;
    const { testResults } = JSON.parse(readFileSync(join(own, "times.json"), "utf8"));
    const times = testResults.map(({ assertionResults }) =>
      assertionResults.map(({ duration }) => duration),
    );
    const all = times.map(([first, ...following]) => ({ first, following }));
    report(
      "first test of a file",
      all.map(({ first }) => first),
      "ms",
      "vitest run",
    );
    report(
      "following test",
      all.flatMap(({ following }) => following),
      "ms",
      "vitest run",
    );
    report("a file of five tests, with its process and the import", [wallMs], "ms", "vitest run");
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

/** Whose time it is: what the engine does for a function counts as the function's own. */
const partOf = (name) => {
  if (name === "simulator") return "the simulator: time, network, disks, recorder";
  return name === "scenario" ? "the lab: clients and checkers" : "the program under test";
};

/** Where the time of a run goes, by a profile of five of them. */
export async function parts({ root, run }) {
  const session = new Session();
  session.connect();
  await session.post("Profiler.enable");
  await session.post("Profiler.setSamplingInterval", { interval: 500 });
  await session.post("Profiler.start");
  const operations = [];
  const startedMs = performance.now();
  for (let i = 0; i < 5; i += 1) operations.push((await run()).operations);
  const { profile } = await session.post("Profiler.stop");
  session.disconnect();
  const nodes = new Map(profile.nodes.map((node) => [node.id, node]));
  const parents = new Map(
    profile.nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])),
  );
  const packages = `${root}/packages/`;
  const ownerOf = (id) => {
    for (let at = id; at !== undefined; at = parents.get(at)) {
      const [, path] = nodes.get(at).callFrame.url.split(packages);
      if (path !== undefined) return partOf(path.split("/")[0]);
    }
    return "the engine: collection of memory, and what no function called";
  };
  const shares = new Map();
  for (const [i, id] of profile.samples.entries()) {
    const owner = ownerOf(id);
    shares.set(owner, (shares.get(owner) ?? 0) + profile.timeDeltas[i]);
  }
  const total = [...shares.values()].reduce((sum, part) => sum + part, 0);
  const each = (performance.now() - startedMs) / operations.reduce((sum, count) => sum + count, 0);
  console.log(`  where it goes, of ${Math.round(each * 1000)} us an operation under the profiler:`);
  for (const [owner, part] of [...shares].toSorted(([, a], [, b]) => b - a))
    console.log(`  ${String(Math.round((100 * part) / total)).padStart(4)} %  ${owner}`);
}

const head = (name, claim) => `name: bench/${name}\nclaim: ${claim}\n`;

/** Each breaks a promise for one cause among others that have nothing to do with it. */
const failing = {
  "unsynced-writes": `${head("unsynced-writes", "Writes that are synced later survive the end of every node.")}
clusters: { main: { nodes: 5 } }
indices:
  books: { shards: 3, replicas: 1, settings: { index.translog.durability: async, index.translog.sync_interval: 60s } }
  films: { shards: 1, replicas: 2 }
workload:
  - { kind: bulk, index: books, clients: 3, documents: 2, every: 40ms, timeout: 10s }
  - { kind: bulk, index: films, clients: 2, documents: 2, every: 40ms, timeout: 10s }
faults:
  - { kind: delay, low: 1ms, high: 5ms, from: 0s, to: 3s }
  - { kind: slow-cpu, node: node-2, by: 1ms, from: 1s, to: 2s }
  - { kind: kill, node: all, from: 3s, to: 4s }
  - { kind: clock-skew, node: node-4, by: 1s, from: 4s, to: 5s }
  - { kind: crash, node: node-5, from: 5s, to: 5500ms }
phases: { faults: 6s, converge: 60s }
checkers: [no-acknowledged-write-lost, copies-of-a-shard-agree, converges-to-green]
`,
  "gone-with-its-disk": `${head("gone-with-its-disk", "An index without replicas survives the loss of a disk.")}
clusters: { main: { nodes: 4 } }
indices:
  books: { shards: 2, replicas: 0 }
  films: { shards: 1, replicas: 1 }
workload:
  - { kind: bulk, index: books, clients: 2, documents: 2, every: 40ms, timeout: 5s, for: 5s }
  - { kind: bulk, index: films, clients: 2, documents: 2, every: 40ms, timeout: 5s, for: 5s }
faults:
  - { kind: delay, low: 1ms, high: 5ms, from: 0s, to: 2s }
  - { kind: restart, node: elected-cluster-manager, from: 1s }
  - { kind: pause, node: "primary:films/0", from: 2s, to: 2500ms }
  - { kind: lose-data, node: "primary:books/0", from: 3s, to: 4s }
phases: { faults: 6s, converge: 30s }
checkers: [no-acknowledged-write-lost, converges-to-green]
`,
  "too-few-nodes": `${head("too-few-nodes", "Three copies find a place on the two nodes that are left.")}
clusters: { main: { nodes: 3 } }
indices:
  books: { shards: 2, replicas: 2 }
workload:
  - { kind: bulk, index: books, clients: 3, documents: 2, every: 40ms, timeout: 5s, for: 5s }
faults:
  - { kind: delay, low: 1ms, high: 5ms, from: 0s, to: 2s }
  - { kind: restart, node: elected-cluster-manager, from: 1s }
  - { kind: remove-node, node: any-but-elected-cluster-manager, from: 3s }
phases: { faults: 6s, converge: 30s }
checkers: [no-acknowledged-write-lost, converges-to-green]
`,
};

export function shrink({ root, bin, report }) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  const orrery = (...args) =>
    spawnSync(process.execPath, [bin, ...args], { cwd: root, encoding: "utf8" });
  const shrunk = [];
  for (const [name, text] of Object.entries(failing)) {
    const file = join(folder, `${name}.yaml`);
    writeFileSync(file, text);
    for (const seed of ["1", "2", "3"]) {
      const bundle = join(folder, `${name}-${seed}.bundle`);
      const run = orrery("run", file, "--seed", seed, "--record", bundle, "--json");
      if (run.status !== 1)
        throw new Error(`${name}, seed ${seed} does not fail: ${run.stdout}${run.stderr}`);
      const { stdout, stderr } = orrery("shrink", bundle, "-o", `${bundle}.yaml`, "--json");
      if (stdout === "") throw new Error(stderr);
      const result = JSON.parse(stdout);
      const size = ({ faults, operations, nodes }) =>
        `${faults} faults, ${operations} operations, ${nodes} nodes`;
      console.log(
        `  ${name}, seed ${seed}: ${size(result.before)} to ${size(result.after)}, ${result.runs} runs, ${result.wall_ms} ms`,
      );
      shrunk.push(result);
    }
  }
  rmSync(folder, { recursive: true, force: true });
  report(
    "shrinking a failing run",
    shrunk.map(({ wall_ms: ms }) => ms),
    "ms",
    "orrery shrink",
  );
  report(
    "faults of what is left",
    shrunk.map(({ after }) => after.faults),
    "",
    "orrery shrink",
  );
  report(
    "operations of what is left",
    shrunk.map(({ after }) => after.operations),
    "",
    "orrery shrink",
  );
}

/** After so many runs of each kind. */
const POINTS = [10, 20, 40, 80, 160];

/** How many behaviours are seen after so many runs: plans that are guided by behaviour, that are drawn only, and of the library. */
export async function explore({ root, runs }) {
  const from = (file) => import(join(root, "packages", file));
  const scenario = await from("scenario/dist/index.js");
  const { lab } = await from("cli/dist/lab.js");
  const folder = join(root, "scenarios");
  const library = readdirSync(folder, { recursive: true })
    .filter((file) => file.endsWith(".yaml"))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .map((file) => scenario.parseScenario(file, readFileSync(join(folder, file), "utf8"), lab));

  const explored = (isBlind) =>
    function* trials(seed) {
      const explorer = scenario.createExplorer({ seed, isBlind });
      for (;;) {
        const trial = explorer.next();
        yield {
          plan: scenario.writeSketch(trial.sketch, lab),
          seed: trial.seed,
          disturbMs: trial.sketch.disturbMs,
          learn: (outcome) => explorer.learn(trial, { ...outcome, events: outcome.verdict.events }),
        };
      }
    };
  function* ofLibrary(seed) {
    for (let turn = 0; ; turn += 1)
      for (const plan of library)
        yield { plan: scenario.writePlan(plan), seed: seed * 1000 + turn, learn: () => undefined };
  }

  const kinds = { guided: explored(false), "drawn only": explored(true), library: ofLibrary };
  console.log(`behaviours after so many runs, median of ${runs}: npm run bench -- explore`);
  console.log(`${"".padEnd(12)}${POINTS.map((point) => String(point).padStart(8)).join("")}`);
  for (const [kind, trialsOf] of Object.entries(kinds)) {
    const curves = [];
    for (let seed = 1; seed <= runs; seed += 1)
      curves.push(await curveOf(scenario, lab, trialsOf(seed)));
    const medians = POINTS.map((_, i) => {
      const values = curves.map((curve) => curve[i]).toSorted((a, b) => a - b);
      return values[Math.floor(values.length / 2)];
    });
    console.log(`${kind.padEnd(12)}${medians.map((value) => String(value).padStart(8)).join("")}`);
  }
}

async function curveOf(scenario, lab, trials) {
  const seen = new Set();
  const curve = [];
  for (let run = 1; run <= POINTS.at(-1); run += 1) {
    const { plan, seed, disturbMs, learn } = trials.next().value;
    const outcome = await scenario.runTrial(plan, seed, { ...lab, disturbMs });
    for (const tuple of outcome.tuples) seen.add(tuple);
    learn(outcome);
    if (POINTS.includes(run)) curve.push(seen.size);
  }
  return curve;
}
