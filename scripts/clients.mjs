/**
 * `npm run clients`: official clients and tools from their registries, unchanged, against three nodes over gRPC.
 *
 *   npm run clients -- [--json] [--against URL,URL,URL [--repo DIR]] [--port P] [CLIENT...]
 *
 * Each client is a program in `test/clients` and a row of `clients/table.mjs`. It runs against a cluster of its own, or against the
 * given server, on which everything is deleted before. Packages are downloaded once, into `ORRERY_CLIENTS_CACHE` or the user's cache
 * folder. A client whose toolchain is missing is skipped by name. Ends with the number of clients that passed, failed and were skipped.
 */
import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { homedir, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { endWithSignals } from "./clients/children.mjs";
import { externalCluster, ownCluster } from "./clients/cluster.mjs";
import { prepareClient, runClient } from "./clients/program.mjs";
import { clients } from "./clients/table.mjs";
import { missingTool } from "./clients/toolchains.mjs";
import { prepare } from "./prepare.mjs";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: "boolean" },
    against: { type: "string" },
    repo: { type: "string" },
    port: { type: "string", default: "28500" },
  },
});
const unknown = positionals.filter((name) => !clients.some((client) => client.name === name));
if (unknown.length > 0) {
  console.error(`no client [${unknown.join(", ")}]: ${clients.map(({ name }) => name).join(", ")}`);
  process.exit(64);
}
const chosen = clients.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
const { ORRERY_CLIENTS_CACHE: given = "" } = process.env;
const cache = given === "" ? join(userCache(), "orrery-clients") : resolve(given);

endWithSignals();
if (values.against === undefined) prepare();
mkdirSync(cache, { recursive: true });
const snapshots = mkdtempSync(join(tmpdir(), "orrery-clients-"));
process.on("exit", () => rmSync(snapshots, { recursive: true, force: true }));
const counts = { passed: 0, failed: 0, skipped: 0 };
for (const client of chosen) {
  const startedMs = Date.now();
  const result = await judge(client);
  counts[result.outcome] += 1;
  tell({ event: "client", name: client.name, ...result, elapsed_ms: Date.now() - startedMs });
}
if (values.json === true) console.log(JSON.stringify({ event: "summary", ...counts }));
else console.log(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exit(counts.failed === 0 ? 0 : 1);

/** Outcome of one client, with its checks. */
async function judge(client) {
  const reason = missingTool(client);
  if (reason !== undefined) return { outcome: "skipped", reason };
  if (client.ownClusterOnly === true && values.against !== undefined)
    return { outcome: "skipped", reason: "it needs a cluster of its own" };
  try {
    const folder = await prepareClient(client, cache);
    const cluster = await clusterFor(client);
    try {
      const { checks, failures } = await runClient(client, folder, cluster.env);
      return { outcome: failures.length === 0 ? "passed" : "failed", checks, failures };
    } finally {
      await cluster.stop();
    }
  } catch (error) {
    return { outcome: "failed", checks: 0, failures: [error.message] };
  }
}

function clusterFor({ name }) {
  if (values.against === undefined) return ownCluster(Number(values.port), join(snapshots, name));
  return externalCluster(values.against.split(","), values.repo);
}

function tell(line) {
  if (values.json === true) {
    console.log(JSON.stringify(line));
    return;
  }
  const { name, outcome, reason, checks, failures = [], elapsed_ms: elapsedMs } = line;
  const about = reason ?? `${checks} checks, ${(elapsedMs / 1000).toFixed(1)} s`;
  console.log(`${outcome.padEnd(7)} ${name}: ${about}`);
  for (const failure of failures) console.log(`  ${failure.replaceAll("\n", "\n    ")}`);
}

function userCache() {
  if (process.env.XDG_CACHE_HOME !== undefined) return process.env.XDG_CACHE_HOME;
  if (process.platform === "win32" && process.env.LOCALAPPDATA !== undefined)
    return process.env.LOCALAPPDATA;
  return join(homedir(), process.platform === "darwin" ? "Library/Caches" : ".cache");
}
