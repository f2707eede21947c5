/**
 * INV-REPORT-1: once the cluster has healed, health, `_cat/shards`, `_recovery` and statistics agree with the cluster
 * state and the copies themselves, and no request occupies a thread pool.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { healthOf } from "../conditions.ts";
import { newClient, type Client, type ClusterView, type ShardView, type World } from "../world.ts";
import { at } from "./answers.ts";
import type { Checker } from "./checker.ts";

export const reportsTellTheTruth: Checker = {
  name: "reports-tell-the-truth",
  invariant: "INV-REPORT-1",
  says: "Once the cluster has healed, health, `_cat/shards`, `_recovery` and statistics agree with the cluster state and the copies.",
  excusedBy: [],
  complaint: ({ indices }) => (indices.length === 0 ? "there is no index to report on" : undefined),
  isAlways: true,
  finish: async (world, plan) => {
    for (const { name: cluster } of plan.clusters) {
      const says = await untilStill(world, cluster);
      if (says !== undefined) return says;
    }
    return undefined;
  },
};

const TRIES = 5;
const LOOK_EVERY_MS = 1000;

/** Waits until reports no longer change: reports that change between two requests cannot be compared. */
async function untilStill(world: World, cluster: string): Promise<string | undefined> {
  const client = newClient("reporter");
  for (let tries = 1; tries <= TRIES; tries += 1) {
    const [node] = world.running(cluster);
    const before = node === undefined ? undefined : await world.view(node);
    if (node === undefined || before?.clusterManager === undefined) return undefined;
    const says = await judge({ world, client, node, view: before });
    const after = await world.view(node);
    if (after?.version === before.version || world.name !== "sim") return says;
    await world.sleep(LOOK_EVERY_MS);
  }
  return undefined;
}

interface Reporter {
  readonly world: World;
  readonly client: Client;
  readonly node: string;
  readonly view: ClusterView;
}

async function judge(reporter: Reporter): Promise<string | undefined> {
  return (
    (await judgeHealth(reporter)) ??
    (await judgeTable(reporter)) ??
    (await judgeRecoveries(reporter)) ??
    (await judgeStatistics(reporter)) ??
    (await judgePools(reporter))
  );
}

/** Interval between looks. A write whose client has gone may wait for a minute, and be retried for another. */
const REST_MS = 5000;
const POOL_LOOKS = 30;

/** Finding if a request runs or waits in a thread pool although no client sends any. */
async function judgePools(reporter: Reporter): Promise<string | undefined> {
  let held: string | undefined;
  for (let look = 0; look < POOL_LOOKS; look += 1) {
    held = heldPlace(await ask(reporter, "/_nodes/stats/thread_pool"));
    if (held === undefined) return undefined;
    await reporter.world.sleep(REST_MS);
  }
  return held;
}

function heldPlace(stats: Json | undefined): string | undefined {
  const nodes = at(stats, "nodes");
  for (const node of isJsonObject(nodes) ? Object.values(nodes) : []) {
    const pools = at(node, "thread_pool");
    for (const [pool, of] of Object.entries(isJsonObject(pools) ? pools : {}))
      for (const what of ["active", "queue"]) {
        const count = at(of, what);
        if (typeof count === "number" && count > 0)
          return `the pool [${pool}] of ${String(at(node, "name"))} tells [${what}] ${count} long after the last request`;
      }
  }
  return undefined;
}

async function judgeHealth(reporter: Reporter): Promise<string | undefined> {
  const { view } = reporter;
  const health = await ask(reporter, "/_cluster/health");
  if (at(health, "status") === undefined) return undefined;
  const of = (...states: readonly ShardView["state"][]): readonly ShardView[] =>
    view.shards.filter(({ state }) => states.includes(state));
  const active = of("STARTED", "RELOCATING");
  const wanted: Readonly<Record<string, Json>> = {
    number_of_nodes: view.nodes.length,
    active_shards: active.length,
    active_primary_shards: active.filter(({ isPrimary }) => isPrimary).length,
    relocating_shards: of("RELOCATING").length,
    unassigned_shards: of("UNASSIGNED").length,
    status: healthOf(view.shards),
  };
  for (const [name, value] of Object.entries(wanted)) {
    const told = at(health, name);
    if (told !== value)
      return `health tells ${name} ${JSON.stringify(told)}, and the cluster state has ${JSON.stringify(value)}`;
  }
  return undefined;
}

async function judgeTable(reporter: Reporter): Promise<string | undefined> {
  const { view } = reporter;
  const rows = await ask(reporter, "/_cat/shards?format=json&h=index,shard,prirep,state,node");
  if (!Array.isArray(rows)) return undefined;
  // The target of a relocation is reported in the row of its source.
  const told = (rows as readonly Json[])
    .map((row) => {
      const node = String(at(row, "node") ?? "").split(" ", 1)[0] ?? "";
      const parts = ["index", "shard", "prirep", "state"].map((name) => String(at(row, name)));
      return [...parts, node].join(" ");
    })
    .toSorted();
  const wanted = view.shards
    .map(({ index, shard, isPrimary, state, node }) =>
      [index, shard, isPrimary ? "p" : "r", state, node ?? ""].join(" "),
    )
    .toSorted();
  const isHidden = (row: string): boolean => row.startsWith(".");
  const odd = told.find((row) => !wanted.includes(row) && !isHidden(row));
  if (odd !== undefined)
    return `_cat/shards tells [${odd}], and the cluster state has no such copy`;
  const left = wanted.find((row) => !told.includes(row) && !isHidden(row));
  return left === undefined ? undefined : `_cat/shards does not tell of [${left}]`;
}

async function judgeRecoveries(reporter: Reporter): Promise<string | undefined> {
  const { view } = reporter;
  const recoveries = await ask(reporter, "/_recovery");
  if (!isJsonObject(recoveries)) return undefined;
  for (const { index, shard, node, state } of view.shards) {
    if (state !== "STARTED" || node === undefined || view.indices.get(index)?.state !== "open")
      continue;
    const shards = at(at(recoveries, index), "shards");
    const own = (Array.isArray(shards) ? (shards as readonly Json[]) : []).find(
      (one) => at(one, "id") === shard && at(at(one, "target"), "name") === node,
    );
    const name = `the copy of ${index}/${shard} on ${node}`;
    if (own === undefined) return `_recovery does not tell of ${name}`;
    if (at(own, "stage") !== "DONE")
      return `_recovery has ${name} at ${JSON.stringify(at(own, "stage"))}, and it has started`;
    const says = overfull(own);
    if (says !== undefined) return `_recovery of ${name}: ${says}`;
  }
  return undefined;
}

/** Finding if a recovery reports more recovered than total items. */
function overfull(recovery: Json): string | undefined {
  const files = at(at(recovery, "index"), "files");
  const size = at(at(recovery, "index"), "size");
  const translog = at(recovery, "translog");
  const pairs: readonly (readonly [string, Json | undefined, Json | undefined])[] = [
    ["files", at(files, "recovered"), at(files, "total")],
    ["bytes", at(size, "recovered_in_bytes"), at(size, "total_in_bytes")],
    ["operations", at(translog, "recovered"), at(translog, "total")],
  ];
  for (const [what, recovered, total] of pairs) {
    if (typeof recovered !== "number" || typeof total !== "number" || total < 0) continue;
    if (recovered > total) return `${recovered} of ${total} ${what} are recovered`;
  }
  return undefined;
}

/**
 * Finding if a copy's document count differs from its statistics, or its translog from the operations after its last
 * commit.
 */
async function judgeStatistics(reporter: Reporter): Promise<string | undefined> {
  const { world, client, node, view } = reporter;
  const names = ["docs.count", "routing", "commit.user_data", "seq_no", "translog"];
  const filter = names.map((name) => `indices.*.shards.*.${name}`).join(",");
  for (const [index, { state }] of view.indices) {
    if (state !== "open" || index.startsWith(".")) continue;
    await world.request(client, node, {
      method: "POST",
      uri: `/${index}/_refresh`,
      timeoutMs: 30_000,
    });
    const answer = await ask(
      reporter,
      `/${index}/_stats/docs,translog?level=shards&filter_path=${filter}`,
    );
    const shards = at(at(at(answer, "indices"), index), "shards");
    for (const [shard, copies] of Object.entries(isJsonObject(shards) ? shards : {})) {
      for (const copy of Array.isArray(copies) ? (copies as readonly Json[]) : []) {
        const says = await judgeCount(reporter, index, Number(shard), copy);
        if (says !== undefined) return says;
      }
    }
  }
  return undefined;
}

async function judgeCount(
  reporter: Reporter,
  index: string,
  shard: number,
  copy: Json,
): Promise<string | undefined> {
  const { view } = reporter;
  const told = at(at(copy, "docs"), "count");
  const node = view.nodeIds.get(String(at(at(copy, "routing"), "node")));
  if (typeof told !== "number" || node === undefined) return undefined;
  if (at(at(copy, "routing"), "state") !== "STARTED") return undefined;
  const says = uncommitted(copy);
  if (says !== undefined)
    return `the statistics of the copy of ${index}/${shard} on ${node}: ${says}`;
  const preference = encodeURIComponent(`_shards:${shard}|_only_local`);
  const counted = await ask({ ...reporter, node }, `/${index}/_count?preference=${preference}`);
  const count = at(counted, "count");
  if (typeof count !== "number" || count === told) return undefined;
  return `the statistics of the copy of ${index}/${shard} on ${node} count ${told} documents, and it holds ${count}`;
}

/** Number of operations after the commit, which are only in the translog. */
function uncommitted(copy: Json): string | undefined {
  const told = at(at(copy, "translog"), "uncommitted_operations");
  const highest = at(at(copy, "seq_no"), "max_seq_no");
  const data = at(at(copy, "commit"), "user_data");
  const committed = Number(at(data, "local_checkpoint"));
  if (typeof told !== "number" || typeof highest !== "number" || Number.isNaN(committed))
    return undefined;
  // A commit with a gap contains some operations above its local checkpoint.
  if (Number(at(data, "max_seq_no")) !== committed) return undefined;
  const missing = highest - committed;
  if (told >= missing) return undefined;
  return `${told} operations are not committed, and the commit ends at ${committed} of ${highest}`;
}

async function ask({ world, client, node }: Reporter, uri: string): Promise<Json | undefined> {
  const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
  return answer?.status === 200 ? answer.body : undefined;
}
