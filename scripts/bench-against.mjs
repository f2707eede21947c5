/**
 * This checkout beside another one, both built, on the same machine in turns: npm run bench -- against --with DIR [--runs 15]
 *
 * The start of three gRPC processes is taken in pairs, each state first in every second pair; the REST load of the folder `../shared`
 * runs on both servers in one process: rates for a time, then the CPU time of each server for the same number of operations, which other
 * work on the machine disturbs less. Ratios are of medians, this checkout's over the other's.
 */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";

const median = (values) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)];
const range = (values) =>
  `${Math.round(median(values))} ms (${Math.round(Math.min(...values))} to ${Math.round(Math.max(...values))})`;

export async function against({ root, other, runs, up, restLoad }) {
  const elapsed = { [root]: [], [other]: [] };
  for (let pair = 0; pair <= runs; pair += 1) {
    for (const checkout of pair % 2 === 0 ? [root, other] : [other, root]) {
      const cluster = await up(checkout, "--http-port", "29200");
      await cluster.stop();
      // The first pair warms the file cache.
      if (pair > 0) elapsed[checkout].push(cluster.elapsed_ms);
    }
  }
  const ratios = elapsed[root].map((ms, pair) => ms / elapsed[other][pair]);
  console.log(
    `three gRPC processes, command to green: ${range(elapsed[root])}, other ${range(elapsed[other])}, ` +
      `ratio ${(median(elapsed[root]) / median(elapsed[other])).toFixed(3)}, median of the pairs' ratios ${median(ratios).toFixed(3)}`,
  );
  if (restLoad === undefined) return;
  const ours = await up(root, "--nodes", "1", "--http-port", "29200");
  const theirs = await up(other, "--nodes", "1", "--http-port", "29400");
  const peers = ["--peer", `other=${theirs.nodes[0].http}`, "--peer", `this=${ours.nodes[0].http}`];
  load(restLoad, [...peers, "--rounds", "7"], "inherit");
  const spent = [];
  for (let round = 0; round < 5; round += 1) {
    const used = [theirs, ours].map(({ nodes: [{ pid }] }, i) => {
      const before = cpuMs(pid);
      load(
        restLoad,
        [...peers.slice(2 * i, 2 * i + 2), "--ops", "1500", "--rounds", "1"],
        "ignore",
      );
      return cpuMs(pid) - before;
    });
    // In the first round the code is compiled.
    if (round > 0) spent.push(used[1] / used[0]);
  }
  console.log(
    `CPU of the server for 1,500 operations of each workload: ratio ${median(spent).toFixed(3)}`,
  );
  await ours.stop();
  await theirs.stop();
}

function load(program, flags, stdio) {
  spawnSync(process.execPath, [program, ...flags], { cwd: tmpdir(), stdio });
}

/** User and system time of a process so far. */
function cpuMs(pid) {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1].split(" ");
  return (Number(fields[11]) + Number(fields[12])) * 10;
}
