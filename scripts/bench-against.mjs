/**
 * This checkout beside another one, both built, on the same machine in turns: npm run bench -- against --with DIR [--runs 15]
 *
 * The start of three gRPC processes is taken in pairs, each state first in every second pair. The REST load of the folder `../shared`
 * runs on five pairs of fresh servers, since what the compiler makes of the same program differs from process to process: the
 * rate of each workload, and the CPU time of each server for the same operations, which other work on the machine disturbs less.
 * Ratios are this checkout's over the other's; of several, the median. `--with .` compares a state with itself: what such ratios are
 * off by then is what the machine does to them.
 */
import { spawnSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVER_PAIRS = 5;
/** Of each workload and round. */
const OPERATIONS = 2000;

/** The main thread, shard workers, and the threads of the engine that compile and collect. */
const THREADS = ["MainThread", "shard-worker", "V8Worker"];

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const range = (values) =>
  `${Math.round(median(values))} ms (${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))})`;

export async function against(beside) {
  await compareStarts(beside);
  if (beside.restLoad !== undefined) await compareLoads(beside);
}

async function compareStarts({ root, other, runs, up }) {
  const ours = [];
  const theirs = [];
  const checkouts = [
    { checkout: root, elapsed: ours },
    { checkout: other, elapsed: theirs },
  ];
  for (let pair = 0; pair <= runs; pair += 1) {
    for (const { checkout, elapsed } of pair % 2 === 0 ? checkouts : checkouts.toReversed()) {
      const cluster = await up(checkout, "--http-port", "29200");
      await cluster.stop();
      // The first pair warms the file cache.
      if (pair > 0) elapsed.push(cluster.elapsed_ms);
    }
  }
  const ratios = ours.map((ms, pair) => ms / theirs[pair]);
  console.log(
    `three gRPC processes, command to green: ${range(ours)}, other ${range(theirs)}, ` +
      `ratio ${(median(ours) / median(theirs)).toFixed(3)}, median of the pairs' ratios ${median(ratios).toFixed(3)}`,
  );
}

async function compareLoads({ root, other, up, restLoad }) {
  const rates = new Map();
  const spent = new Map();
  for (let pair = 0; pair < SERVER_PAIRS; pair += 1) {
    const ours = await up(root, "--nodes", "1", "--http-port", "29200");
    const theirs = await up(other, "--nodes", "1", "--http-port", "29400");
    const servers = [theirs, ours].map(({ nodes: [{ pid, http }] }) => ({ pid, http }));
    const peers = pair % 2 === 0 ? servers : servers.toReversed();
    const before = servers.map(({ pid }) => cpuByThread(pid));
    const results = load(restLoad, peers);
    const [theirMs, ourMs] = servers.map(({ pid }, i) => cpuSince(before[i], cpuByThread(pid)));
    for (const [thread, ms] of ourMs)
      spent.set(thread, [...(spent.get(thread) ?? []), ms / (theirMs.get(thread) ?? 0)]);
    for (const [workload, rounds] of Object.entries(results)) {
      const [their, our] = servers.map(({ http }) => median(rounds[http].map(({ rate }) => rate)));
      rates.set(workload, [...(rates.get(workload) ?? []), our / their]);
    }
    await ours.stop();
    await theirs.stop();
  }
  for (const [workload, ratios] of rates)
    console.log(`${workload.padEnd(15)} rate ${show(ratios)}`);
  const all = [...rates.values()].map(median);
  console.log(
    `all workloads   rate ${(all.reduce((a, b) => a * b) ** (1 / all.length)).toFixed(3)} (geometric mean)`,
  );
  for (const [thread, ratios] of spent)
    console.log(`all workloads   CPU of ${thread} ${show(ratios)}`);
}

function show(ratios) {
  return `${median(ratios).toFixed(3)} (${ratios.map((ratio) => ratio.toFixed(2)).join(", ")})`;
}

/** By workload and address, what every round showed. */
function load(program, servers) {
  const folder = mkdtempSync(join(tmpdir(), "orrery-bench-"));
  const file = join(folder, "load.json");
  const peers = servers.flatMap(({ http }) => ["--peer", `${http}=${http}`]);
  const flags = [...peers, "--ops", String(OPERATIONS), "--rounds", "3", "--json", file];
  const { status } = spawnSync(process.execPath, [program, ...flags], {
    cwd: tmpdir(),
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (status !== 0) throw new Error(`the load ended with ${status}`);
  const { results } = JSON.parse(readFileSync(file, "utf8"));
  rmSync(folder, { recursive: true });
  for (const round of Object.values(results).flatMap(Object.values).flat())
    if (round.error !== undefined) throw new Error(`the load was refused: ${round.error}`);
  return results;
}

/** Milliseconds of user and system time so far, of all threads of a server and of those that matter, by name. */
export function cpuByThread(pid) {
  const spent = new Map([["the server", 0]]);
  for (const thread of readdirSync(`/proc/${pid}/task`)) {
    const text = readFileSync(`/proc/${pid}/task/${thread}/stat`, "utf8");
    const fields = text.slice(text.lastIndexOf(") ") + 2).split(" ");
    const ms = (Number(fields[11]) + Number(fields[12])) * 10;
    const name = text.slice(text.indexOf("(") + 1, text.lastIndexOf(")"));
    for (const part of ["the server", ...THREADS.filter((one) => name.startsWith(one))])
      spent.set(part, (spent.get(part) ?? 0) + ms);
  }
  return spent;
}

function cpuSince(before, after) {
  return new Map([...after].map(([thread, ms]) => [thread, ms - (before.get(thread) ?? 0)]));
}
