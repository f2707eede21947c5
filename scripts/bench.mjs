/**
 * Measured figures, each a median of several runs: npm run bench -- [SECTION …] [--runs 5]
 *
 * Sections: startup, memory, failover, simulation, seeds, linearizability, restore, helper, shrink, explore, rest, cold, admission. The last
 * three compare with real OpenSearch and need the folder `../shared` for it (`admission` goes without); the others need nothing but a
 * build. `rest` takes `--shards N`, `--only NAME,NAME`, and `--warm`: the load is run once before it is measured. Three sections are run only when named:
 * `against --with DIR`, which compares with another checkout, `new-indices`, which counts searches that miss a document while a
 * thousand indices are made, and `tracing`, which shows what traces cost.
 */
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import http from "node:http";
import { tmpdir } from "node:os";
import { join, resolve as absolute } from "node:path";
import { parseArgs } from "node:util";
import { against } from "./bench-against.mjs";
import { admission } from "./bench-admission.mjs";
import * as lab from "./bench-lab.mjs";
import { newIndices } from "./bench-new-indices.mjs";
import { tracing } from "./bench-tracing.mjs";

const root = join(import.meta.dirname, "..");
const shared = join(root, "../shared");
const bin = join(root, "packages/cli/bin/orrery.mjs");
const scenario = "scenarios/failover/cluster-manager-crash.yaml";
const { values: options, positionals: wanted } = parseArgs({
  args: process.argv.slice(2),
  allowPositionals: true,
  options: {
    runs: { type: "string", default: "5" },
    with: { type: "string" },
    shards: { type: "string", default: "1" },
    warm: { type: "boolean", default: false },
    only: { type: "string" },
  },
});
const runs = Number(options.runs);

function report(what, values, unit, command) {
  const sorted = values.toSorted((a, b) => a - b);
  const median = sorted[Math.floor(sorted.length / 2)];
  console.log(
    `${what}: ${Math.round(median)} ${unit} (median of ${sorted.length}: ${Math.round(sorted[0])} to ${Math.round(sorted.at(-1))})   ${command}`,
  );
}

const up = (...flags) => upFrom(root, ...flags);

function upFrom(checkout, ...flags) {
  return new Promise((resolve, reject) => {
    const program = join(checkout, "packages/cli/bin/orrery.mjs");
    const child = spawn(process.execPath, [program, "up", "--json", ...flags], {
      cwd: checkout,
      stdio: ["ignore", "pipe", "inherit"],
      detached: true,
    });
    let text = "";
    child.stdout.on("data", (chunk) => {
      text += chunk;
      const line = text.split("\n").find((one) => one.includes('"ready"'));
      if (line) resolve({ ...JSON.parse(line), stop: () => stop(child) });
    });
    child.on("exit", (code) => reject(new Error(`orrery up ended with ${code}`)));
  });
}

function stop(child) {
  return new Promise((resolve) => {
    child.removeAllListeners("exit");
    child.on("exit", resolve);
    process.kill(-child.pid, "SIGINT");
  });
}

const residentMb = (pid) =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;
const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

async function startup() {
  const elapsed = [];
  const resident = [];
  for (let i = 0; i < runs; i += 1) {
    const cluster = await up("--http-port", "29200");
    elapsed.push(cluster.elapsed_ms);
    await sleep(1000);
    resident.push(cluster.nodes.reduce((sum, { pid }) => sum + residentMb(pid), 0));
    await cluster.stop();
  }
  report("three gRPC processes, command to green", elapsed, "ms", "orrery up");
  report("their resident memory together, empty", resident, "MB", "orrery up");
}

async function memory() {
  const times = [];
  const resident = [];
  const program = `
    import { createRequire } from "node:module";
    const from = (file) => import(${JSON.stringify(join(root, "packages/cli/dist/"))} + file);
    const { planNodes } = await from("cluster-plan.js");
    const { createHub, createMemoryNode } = await from("memory-node.js");
    const { startCluster } = await from("running-cluster.js");
    const plans = planNodes({ nodes: 3, transport: "memory", httpPort: 29500, zones: [], settings: {} });
    const before = performance.now();
    const hub = createHub();
    const cluster = startCluster(plans.map((plan) => createMemoryNode(plan, { hub, folder: undefined, nodes: 3 })));
    await cluster.green;
    const ms = performance.now() - before;
    await new Promise((resolve) => setTimeout(resolve, 500));
    console.log(JSON.stringify({ ms, resident: process.memoryUsage().rss / 1048576 }));
    await cluster.stop();`;
  for (let i = 0; i < runs; i += 1) {
    const { stdout, stderr } = spawnSync(process.execPath, ["--input-type=module", "-e", program], {
      encoding: "utf8",
    });
    if (stdout.trim() === "") throw new Error(stderr);
    const result = JSON.parse(stdout.trim().split("\n").at(-1));
    times.push(result.ms);
    resident.push(result.resident);
  }
  report("three nodes in one process, from the call to green", times, "ms", "startCluster");
  report("resident memory of those three nodes", resident, "MB", "startCluster");
}

const agent = new http.Agent({ keepAlive: true });

function call(url, method, path, body) {
  return new Promise((resolve) => {
    const request = http.request(
      `${url}${path}`,
      { agent, method, headers: { "content-type": "application/json" } },
      (response) => {
        let text = "";
        response.on("data", (chunk) => (text += chunk));
        response.on("end", () => resolve({ status: response.statusCode, text }));
      },
    );
    request.on("error", () => resolve({ status: 0, text: "" }));
    request.end(body);
  });
}

async function failover() {
  const ends = [];
  let failed = 0;
  for (let i = 0; i < runs; i += 1) {
    const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
    const cluster = await up("--http-port", "29200", "--data", folder);
    const urls = cluster.nodes.map((node) => node.http);
    await call(
      urls[0],
      "PUT",
      "/books",
      JSON.stringify({ settings: { number_of_shards: 3, number_of_replicas: 1 } }),
    );
    await call(urls[0], "GET", "/_cluster/health?wait_for_status=green&timeout=20s");
    const manager = JSON.parse(
      (await call(urls[0], "GET", "/_cat/cluster_manager?format=json")).text,
    )[0].node;
    const victim = cluster.nodes.find((node) => node.name === manager);
    const survivors = cluster.nodes.filter((node) => node !== victim).map((node) => node.http);
    let killedAt = 0;
    let trouble = 0;
    const deadline = performance.now() + 6000;
    setTimeout(() => {
      process.kill(victim.pid, "SIGKILL");
      killedAt = performance.now();
    }, 1500);
    await Promise.all(
      [0, 1, 2, 3].map(async (client) => {
        for (let n = 0; performance.now() < deadline; n += 1) {
          const sent = performance.now();
          const { status } = await call(
            survivors[n % 2],
            "PUT",
            `/books/_doc/${client}-${n}`,
            JSON.stringify({ client, n }),
          );
          const isBad = status === 0 || status >= 300;
          if (isBad) failed += 1;
          if (killedAt > 0 && (isBad || performance.now() - sent > 200))
            trouble = performance.now();
        }
      }),
    );
    ends.push(Math.max(0, trouble - killedAt));
    await cluster.stop();
    rmSync(folder, { recursive: true, force: true });
  }
  report(
    `manager killed under four writers, end of the last write that failed or took over 200 ms (${failed} failed)`,
    ends,
    "ms after the kill",
    "kill -9",
  );
}

function runScenario(seed) {
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [bin, "run", scenario, "--seed", String(seed), "--json"],
    { cwd: root, encoding: "utf8" },
  );
  if (status === 2 || stdout === "") throw new Error(stderr);
  return JSON.parse(stdout.trim().split("\n").at(-1));
}

async function simulation() {
  const rates = [];
  for (let i = 0; i < runs; i += 1) {
    const verdict = runScenario(7);
    rates.push((verdict.events / verdict.wall_ms) * 1000);
  }
  report(
    "simulated events per second, checkers and hash on",
    rates,
    "events/s",
    `orrery run ${scenario} --seed 7`,
  );
  await inOneProcess("the same", readFileSync(scenario, "utf8"), [8]);
  const underLoad = await inOneProcess(
    "five nodes, 50 operations/s, all checkers and hash on",
    load(),
    [8, 40],
  );
  await lab.parts({ root, run: underLoad });
}

/**
 * As a sweep has it: the code is loaded, and the more of it is compiled the more runs there have been. Per second of one core,
 * whoever else keeps the machine busy. Answers with what was measured, to be looked into.
 */
async function inOneProcess(what, text, timesBefore) {
  const { parseScenario, runScenario: run } = await import(
    join(root, "packages/scenario/dist/index.js")
  );
  const plan = parseScenario("bench.yaml", text);
  const usage = process.threadCpuUsage?.bind(process) ?? process.cpuUsage.bind(process);
  let done = 0;
  const rate = async () => {
    done += 1;
    const before = usage();
    const { events, verdict, failure } = await run(plan, 7);
    const { user, system } = usage(before);
    if (verdict !== "pass") throw new Error(failure ?? verdict);
    return (events / (user + system)) * 1e6;
  };
  for (const times of timesBefore) {
    const rates = [];
    while (done < times) await rate();
    for (let i = 0; i < runs; i += 1) rates.push(await rate());
    const where = `${what}, after ${times} runs`;
    report(`simulated events per second of a core: ${where}`, rates, "events/s", "runScenario");
  }
  return () => run(plan, 7);
}

function load() {
  // Without a list every checker that applies judges the run.
  return `
name: bench/load
claim: Five nodes under fifty operations a second.
clusters: { main: { nodes: 5 } }
indices: { books: { shards: 3, replicas: 1 } }
workload:
  - { kind: bulk, index: books, clients: 2, documents: 1, every: 74ms, for: 60s }
  - { kind: registers, index: books, documents: 100, clients: 2, every: 74ms, for: 60s }
faults: [{ kind: crash, node: elected-cluster-manager, from: 20s, to: 25s }]
phases: { faults: 60s, converge: 60s }
`;
}

/** In one process: the code is loaded once. `SEEDS` sets how many. */
async function seeds() {
  const count = Number(process.env.SEEDS ?? 1000);
  const { parseScenario, runScenario: run } = await import(
    join(root, "packages/scenario/dist/index.js")
  );
  const plan = parseScenario(scenario, readFileSync(join(root, scenario), "utf8"));
  const bad = [];
  let different = 0;
  let acknowledged = 0;
  for (let seed = 1; seed <= count; seed += 1) {
    const verdict = await run(plan, seed);
    acknowledged += verdict.acknowledged;
    if (verdict.verdict !== "pass") bad.push(`${seed}: ${verdict.failure?.split("\n")[0]}`);
    if (seed <= 200 && (await run(plan, seed)).hash !== verdict.hash) different += 1;
  }
  console.log(
    `${count} seeds: ${bad.length} failed, ${acknowledged} acknowledged documents; ${Math.min(200, count)} seeds twice: ${different} different hashes`,
  );
  for (const line of bad.slice(0, 20)) console.log(`  seed ${line}`);
}

/** A history of concurrent writes with conditions, some of them without an answer, as correct registers would make it. */
function madeHistory(count, documents) {
  let drawn = 7;
  const draw = (below) => {
    drawn = (Math.imul(drawn, 1664525) + 1013904223) >>> 0;
    return Math.floor((drawn / 2 ** 32) * below);
  };
  const registers = new Map();
  const operations = [];
  for (let i = 0; i < count; i += 1) {
    // Half of the operations go to a hundredth of the documents.
    const document = String(draw(2) === 0 ? draw(documents / 100) : draw(documents));
    const before = registers.get(document);
    const isConditional = before !== undefined && !before.isDeleted && draw(2) === 0;
    const isMet = draw(4) > 0;
    const kind = before !== undefined && draw(20) === 0 ? "delete" : "index";
    const isLost = draw(200) === 0;
    const isDone = (!isConditional || isMet) && (!isLost || draw(2) === 0);
    const condition = isConditional
      ? { ifSeqNo: isMet ? before.seqNo : before.seqNo - 1, ifPrimaryTerm: 1 }
      : {};
    const atMs = i * 10;
    const operation = {
      ...{ kind, client: `c${i % 16}`, request: i, node: "node-1", index: "books", document },
      ...{ invokedMs: atMs - draw(200), ...condition },
      ...(isLost ? {} : { returnedMs: atMs + draw(200) }),
      ...(kind === "delete" ? {} : { wrote: i }),
      ...(isDone && !isLost ? { outcome: "ok" } : { outcome: "unknown" }),
      ...(isLost ? {} : { status: isDone ? 200 : 409 }),
    };
    operations.push(isDone && !isLost ? { ...operation, seqNo: i, primaryTerm: 1 } : operation);
    if (isDone) registers.set(document, { seqNo: i, value: i, isDeleted: kind === "delete" });
  }
  const reads = [...registers].map(([document, { seqNo, value, isDeleted }]) => [
    document,
    isDeleted ? null : { value, seqNo, primaryTerm: 1 },
  ]);
  return { operations, finalReads: new Map(reads) };
}

async function linearizability() {
  const { findAnomaly } = await import(
    join(root, "packages/scenario/dist/linearizability/documents.js")
  );
  const { operations, finalReads } = madeHistory(1_000_000, 10_000);
  const times = [];
  for (let i = 0; i < runs; i += 1) {
    const before = performance.now();
    const anomaly = findAnomaly(operations, ({ document }) => document, finalReads);
    times.push(performance.now() - before);
    if (anomaly !== undefined) throw new Error(anomaly);
  }
  report("1,000,000 operations on 10,000 documents judged", times, "ms", "findAnomaly");
}

function needsShared() {
  if (existsSync(join(shared, "bench/rest.mjs"))) return true;
  console.log("rest, cold: skipped, the folder ../shared is not there");
  return false;
}

async function rest() {
  if (!needsShared()) return;
  const product = spawn(join(shared, "oracle/start"), ["1", "9200"], {
    detached: true,
    stdio: "ignore",
  });
  const cluster = await up("--nodes", "1", "--http-port", "9210");
  while ((await call("http://localhost:9200", "GET", "/_cluster/health")).status !== 200)
    await sleep(200);
  const peers = [
    "--peer",
    "opensearch=http://localhost:9200",
    "--peer",
    "orrery=http://localhost:9210",
  ];
  const only = options.only === undefined ? [] : ["--only", options.only];
  const program = [join(shared, "bench/rest.mjs"), ...peers, "--shards", options.shards, ...only];
  if (options.warm) spawnSync(process.execPath, program, { stdio: "ignore" });
  spawnSync(process.execPath, program, { stdio: "inherit" });
  await cluster.stop();
  process.kill(-Number(product.pid), "SIGTERM");
}

async function cold() {
  if (!needsShared()) return;
  const peers = [
    "--peer",
    `opensearch=http://localhost:9200=${join(shared, "oracle/start")} 1 9200`,
    "--peer",
    `orrery=http://localhost:9210=${process.execPath} ${bin} up --nodes 1 --http-port 9210`,
  ];
  spawnSync(process.execPath, [join(shared, "bench/cold.mjs"), ...peers], { stdio: "inherit" });
}

function beside() {
  if (options.with === undefined)
    throw new Error("against needs --with DIR, another checkout, built");
  return against({
    ...{ root, other: absolute(options.with), runs, up: upFrom },
    restLoad: needsShared() ? join(shared, "bench/rest.mjs") : undefined,
  });
}

const sections = {
  startup,
  memory,
  failover,
  simulation,
  seeds,
  linearizability,
  restore: () => lab.restore({ root, runs, report }),
  helper: () => lab.helper({ root, runs, report }),
  shrink: () => lab.shrink({ root, bin, report }),
  explore: () => lab.explore({ root, runs }),
  rest,
  cold,
  admission: () => admission({ root, bin }),
  against: beside,
  "new-indices": () => newIndices({ up, rounds: 1000 }),
  tracing: () => tracing({ up, call, runs }),
};
const onlyNamed = new Set(["against", "new-indices", "tracing"]);
const chosen =
  wanted.length === 0 ? Object.keys(sections).filter((name) => !onlyNamed.has(name)) : wanted;
for (const name of chosen) {
  const section = sections[name];
  if (section === undefined)
    throw new Error(
      `unknown section [${name}]: expected one of [${Object.keys(sections).join(", ")}]`,
    );
  await section();
}
