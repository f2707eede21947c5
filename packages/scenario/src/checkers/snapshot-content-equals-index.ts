/**
 * INV-SNAP-8: a successful snapshot contains every document whose write was acknowledged before the snapshot was
 * requested, none written after it ended, and each as it was written. Each snapshot is restored beside its index,
 * compared and removed again.
 *
 * If the plan may lose copies or unsynced writes, the check is limited to restoring and reading the snapshot.
 */
import { greatest, isJsonObject, least, type Json } from "@orrery/stdx";
import { isWrite, type History, type Operation } from "../history.ts";
import type { IndexPlan } from "../plan.ts";
import { newClient, type Client, type World } from "../world.ts";
import { at } from "./answers.ts";
import type { Checker } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { mayLoseData } from "./faults-of.ts";
import { valueOf } from "./final-reads.ts";
import { documentsOf } from "./shard-documents.ts";

export const snapshotContentEqualsIndex: Checker = {
  name: "snapshot-content-equals-index",
  invariant: "INV-SNAP-8",
  says: "A successful snapshot restores the documents that its index had when it was taken, as far as clients can tell.",
  excusedBy: ["snapshots"],
  isOfDocuments: true,
  complaint: ({ clusters, indices }) =>
    indices.length === 0 || clusters.every(({ settings }) => settings["path.repo"] === undefined)
      ? "there is no index, or no place for repositories: no cluster has the setting [path.repo]"
      : undefined,
  finish: async (world, plan, history) => {
    const client = newClient("snapshots");
    let compared = 0;
    let interrupted = 0;
    for (const planned of plan.indices) {
      const snapshots = await snapshotsOf(world, client, planned);
      if (typeof snapshots === "string") return snapshots;
      interrupted += snapshots.interrupted;
      for (const snapshot of snapshots.successful) {
        compared += 1;
        const mayLack =
          mayLoseData(plan) || unsyncedIndices(plan).msOf(`${planned.cluster}/${planned.name}`) > 0;
        const finding = await judge(world, client, { planned, snapshot, history, mayLack });
        if (finding !== undefined) return finding;
      }
    }
    // A shard without a readable copy is not in the snapshot, nor one whose node leaves meanwhile: the snapshot is then partial.
    return compared === 0 && interrupted === 0 && !mayLoseData(plan)
      ? "there is no successful snapshot to compare"
      : undefined;
  },
};

interface FoundSnapshots {
  /** Successful snapshots that contain the index, as `REPOSITORY/SNAPSHOT`. */
  readonly successful: readonly string[];
  /** The number of partial ones whose missing shards were all on nodes that left. */
  readonly interrupted: number;
}

async function snapshotsOf(
  world: World,
  client: Client,
  { cluster, name }: IndexPlan,
): Promise<FoundSnapshots | string> {
  const repositories = await ask(world, client, cluster, "GET /_snapshot/_all");
  if (!isJsonObject(repositories)) return `no repositories: ${JSON.stringify(repositories)}`;
  const successful: string[] = [];
  let interrupted = 0;
  for (const repository of Object.keys(repositories)) {
    const list = at(
      await ask(world, client, cluster, `GET /_snapshot/${repository}/_all`),
      "snapshots",
    );
    if (!Array.isArray(list)) return `the snapshots of [${repository}] cannot be listed`;
    for (const one of list as readonly Json[]) {
      const indices = at(one, "indices");
      if (!Array.isArray(indices) || !indices.includes(name)) continue;
      if (at(one, "state") === "SUCCESS")
        successful.push(`${repository}/${String(at(one, "snapshot"))}`);
      else if (isInterrupted(at(one, "failures"))) interrupted += 1;
    }
  }
  return { successful, interrupted };
}

function isInterrupted(failures: Json | undefined): boolean {
  return (
    Array.isArray(failures) &&
    failures.length > 0 &&
    failures.every((one: Json) => at(one, "reason") === "node shutdown")
  );
}

interface Case {
  readonly planned: IndexPlan;
  readonly snapshot: string;
  readonly history: History;
  /** Acknowledged writes may have been lost before the snapshot was taken. */
  readonly mayLack: boolean;
}

async function judge(
  world: World,
  client: Client,
  { planned, snapshot, history, mayLack }: Case,
): Promise<string | undefined> {
  const { cluster, name, shards } = planned;
  const copy = `${name}-as-restored`;
  const body = {
    indices: name,
    include_aliases: false,
    rename_pattern: "^.*$",
    rename_replacement: copy,
    index_settings: { "index.number_of_replicas": 0 },
    // Settings of the snapshot that could prevent allocation or reading.
    ignore_index_settings: ["index.routing.allocation.*", "index.blocks.*"],
  };
  const restore = `POST /_snapshot/${snapshot}/_restore?wait_for_completion=true`;
  const restored = at(await ask(world, client, cluster, restore, body), "snapshot");
  if (at(at(restored, "shards"), "failed") !== 0)
    return `[${snapshot}] cannot be restored: ${JSON.stringify(restored ?? "no answer")}`;
  const values = new Map<string, Json | undefined>();
  const [node = ""] = world.running(cluster);
  for (let shard = 0; shard < shards; shard += 1) {
    const read = await documentsOf(world, client, { node, index: copy, shard }, "_primary");
    if (read.kind === "failed") return `what [${snapshot}] restored cannot be read: ${read.why}`;
    for (const hit of read.hits) values.set(String(at(hit, "_id")), valueOf(hit));
  }
  await ask(world, client, cluster, `DELETE /${copy}`);
  if (mayLack) return undefined;
  const says = difference(values, name, spanOf(snapshot, history), history);
  return says === undefined ? undefined : `the snapshot [${snapshot}] of [${name}]: ${says}`;
}

/** Time range in which the snapshot was taken, as far as its client knows. */
interface Span {
  readonly fromMs: number;
  readonly toMs: number;
}

function spanOf(snapshot: string, { operations }: History): Span {
  const asked = operations.filter(({ operation = "" }) =>
    [`PUT /_snapshot/${snapshot}`, `POST /_snapshot/${snapshot}`].includes(
      operation.split("?")[0] ?? "",
    ),
  );
  const waited = asked.filter(({ operation = "" }) =>
    operation.includes("wait_for_completion=true"),
  );
  return {
    fromMs: least(asked.map(({ invokedMs }) => invokedMs)),
    toMs: Math.max(
      greatest(waited.map(({ returnedMs = Infinity }) => returnedMs)),
      asked.length > waited.length || asked.length === 0 ? Infinity : 0,
    ),
  };
}

function difference(
  values: ReadonlyMap<string, Json | undefined>,
  index: string,
  { fromMs, toMs }: Span,
  { operations }: History,
): string | undefined {
  const writes = new Map<string, Operation[]>();
  for (const one of operations) {
    if (!isWrite(one) || one.index !== index || one.document === undefined) continue;
    const all = writes.get(one.document);
    if (all === undefined) writes.set(one.document, [one]);
    else all.push(one);
  }
  for (const [document, all] of writes) {
    const [first] = all;
    // Of a document that was written several times only the first write is certain.
    if (first === undefined) continue;
    const isThere = values.has(document);
    const isOnly = all.length === 1 && first.kind !== "delete";
    if (!isThere && isOnly && isDoneBefore(first, fromMs))
      return `[${document}] is not in it, and was acknowledged before it was asked for`;
    if (!isThere) continue;
    if (all.every(({ invokedMs }) => invokedMs >= toMs))
      return `[${document}] is in it, and was written after it had ended`;
    const wrote = all
      .filter(({ kind }) => kind !== "delete")
      .map((one) => JSON.stringify(one.wrote));
    const found = JSON.stringify(values.get(document));
    if (!wrote.includes(found)) return `[${document}] is ${found} in it, and nobody wrote that`;
  }
  return undefined;
}

function isDoneBefore({ outcome, returnedMs = Infinity }: Operation, ms: number): boolean {
  return outcome === "ok" && ms !== Infinity && returnedMs <= ms;
}

async function ask(
  world: World,
  client: Client,
  cluster: string,
  request: string,
  body?: Json,
): Promise<Json | undefined> {
  const [method = "", uri = ""] = request.split(" ");
  const [node = ""] = world.running(cluster);
  const sent = body === undefined ? {} : { body: JSON.stringify(body) };
  const answer = await world.request(client, node, { method, uri, ...sent, timeoutMs: 60_000 });
  return answer?.body;
}
