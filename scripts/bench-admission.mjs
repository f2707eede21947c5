/**
 * Section of the benchmarks about overload: how long `_cluster/health` takes, what is answered and how much memory is resident while
 * far too much is asked. Called by `bench.mjs`; `../shared/oracle`, where it is there, is asked the same.
 *
 * `LOADS=searches,bulk` chooses; `ADMISSION_PORT` is the first of the ports.
 */
import { spawn } from "node:child_process";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Worker } from "node:worker_threads";

const LOADS = {
  searches: "2,000 searches with aggregations at once",
  bulk: "a bulk of 99 MB of the smallest operations",
  documents: "two bulks of 99 MB of documents",
  gzip: "twenty bodies of 100 kB that unpack to 99 MB",
  pipelined: "5,000 searches on one connection",
  patterns: "64 hostile patterns at once",
  shards: "an index of 990 shards",
};

const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function admission({ root, bin }) {
  const port = Number(process.env.ADMISSION_PORT ?? 29200);
  const wanted = process.env.LOADS?.split(",") ?? Object.keys(LOADS);
  const product = join(root, "../shared/oracle/start");
  const servers = [["orrery", process.execPath, [bin, "up", "--nodes", "1", "--http-port"]]];
  if (existsSync(product)) servers.push(["opensearch", product, ["1"]]);
  else console.log("admission: without real OpenSearch, the folder ../shared is not there");
  for (const load of wanted) {
    console.log(`${LOADS[load] ?? load}:`);
    let offset = 0;
    for (const [name, command, args] of servers) {
      // Every load meets a server that has seen no other.
      await measure(load, {
        name,
        command,
        args: [...args, String(port + offset)],
        port: port + offset,
      });
      offset += 10;
    }
  }
}

async function measure(load, { name, command, args, port }) {
  const url = `http://127.0.0.1:${port}`;
  const folder = mkdtempSync(join(tmpdir(), "admission-"));
  const data = name === "orrery" ? ["--data", folder] : [folder];
  const child = spawn(command, [...args, ...data], { detached: true, stdio: "ignore" });
  try {
    await untilUp(url, child);
    await fill(url);
    const before = residentMb(child.pid);
    let peak = before;
    const watch = setInterval(() => (peak = Math.max(peak, residentMb(child.pid))), 200);
    const probe = startWorker({ kind: "health", url });
    await sleep(500);
    const startedMs = performance.now();
    const seen = await startWorker({ kind: load, url }).done;
    const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
    probe.stop();
    const health = await probe.done;
    clearInterval(watch);
    await sleep(2000);
    const after = residentMb(child.pid);
    console.log(
      `  ${name.padEnd(10)} health p50 ${health.p50} p99 ${health.p99} max ${health.max} ms (${health.count}); ` +
        `answers ${JSON.stringify(seen)} in ${seconds} s; resident ${before} MB, ${peak} at most, ${after} after`,
    );
  } finally {
    await end(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

async function untilUp(url, child) {
  for (let i = 0; i < 600; i += 1) {
    if (child.exitCode !== null) throw new Error(`the server ended with ${child.exitCode}`);
    const answer = await fetch(`${url}/_cluster/health`).catch(() => undefined);
    if (answer?.status === 200) return;
    await sleep(200);
  }
  throw new Error("the server does not answer");
}

async function fill(url) {
  const lines = [];
  for (let i = 0; i < 20_000; i += 1) {
    const document = {
      k: `k${i % 1000}`,
      n: i,
      t: `word${i % 77} other${i % 13}`,
      a: "a".repeat(40),
    };
    lines.push('{"index":{}}', JSON.stringify(document));
  }
  const answer = await fetch(`${url}/f/_bulk?refresh=true`, {
    method: "POST",
    body: `${lines.join("\n")}\n`,
    headers: { "content-type": "application/x-ndjson" },
  });
  await answer.arrayBuffer();
}

/** Of a process and all below it. */
function residentMb(pid) {
  const parents = new Map();
  for (const entry of readdirSync("/proc")) {
    if (!/^\d+$/.test(entry)) continue;
    const text = textOf(`/proc/${entry}/status`);
    const of = (key) => Number(new RegExp(`^${key}:\\s+(\\d+)`, "m").exec(text)?.[1] ?? 0);
    parents.set(Number(entry), { parent: of("PPid"), kb: of("VmRSS") });
  }
  let kb = 0;
  for (const [one, { kb: own }] of parents) {
    for (let at = one; at > 1; at = parents.get(at)?.parent ?? 0) {
      if (at !== pid) continue;
      kb += own;
      break;
    }
  }
  return Math.round(kb / 1024);
}

function textOf(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    // It ended meanwhile.
    return "";
  }
}

function startWorker(workerData) {
  const worker = new Worker(new URL("./bench-admission-load.mjs", import.meta.url), { workerData });
  const done = new Promise((resolve, reject) => {
    worker.on("message", resolve);
    worker.on("error", reject);
  });
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- another thread, no other page
  return { done, stop: () => worker.postMessage("stop") };
}

function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return undefined;
  return new Promise((resolve) => {
    const insist = setTimeout(() => process.kill(-child.pid, "SIGKILL"), 10_000);
    child.on("exit", () => {
      clearTimeout(insist);
      resolve();
    });
    process.kill(-child.pid, "SIGTERM");
  });
}
