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
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const SERVER_PAIRS = 5;
/** Of each workload and round. */
const OPERATIONS = 2000;

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
  const spent = [];
  for (let pair = 0; pair < SERVER_PAIRS; pair += 1) {
    const ours = await up(root, "--nodes", "1", "--http-port", "29200");
    const theirs = await up(other, "--nodes", "1", "--http-port", "29400");
    const servers = [theirs, ours].map(({ nodes: [{ pid, http }] }) => ({ pid, http }));
    const peers = pair % 2 === 0 ? servers : servers.toReversed();
    const before = servers.map(({ pid }) => cpuMs(pid));
    const results = load(restLoad, peers);
    const used = servers.map(({ pid }, i) => cpuMs(pid) - before[i]);
    spent.push(used[1] / used[0]);
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
  console.log(`all workloads   CPU of the server ${show(spent)}`);
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

/** User and system time of a process so far. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
