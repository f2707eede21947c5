/**
 * INV-DATA-5: no copy of a shard holds two documents with the same id, or counts other documents than it shows; a
 * document that was indexed without an id exists once if it was acknowledged, and at most once otherwise, however often
 * nodes retried it.
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { contentOf, type History, type Operation } from "../history.ts";
import type { Plan } from "../plan.ts";
import { newClient, type Client, type World } from "../world.ts";
import type { Checker } from "./checker.ts";
import { unsyncedIndices } from "./durability.ts";
import { mayLoseData } from "./faults-of.ts";
import { indexDeletions } from "./index-deletions.ts";
import { documentsOf } from "./shard-documents.ts";

export const documentsExistOnce: Checker = {
  name: "documents-exist-once",
  invariant: "INV-DATA-5",
  says: "No copy holds two documents with one id; a document that was indexed without an id exists once.",
  excusedBy: [],
  isOfDocuments: true,
  complaint: ({ workload }) =>
    workload.some((clients) => clients.kind === "bulk" && clients.ids === "automatic")
      ? undefined
      : "no client sends documents without an id",
  isAlways: true,
  finish: async (world, plan, history) => {
    for (const { name: cluster } of plan.clusters) {
      const says = await judgeCluster(world, plan, cluster, history);
      if (says !== undefined) return says;
    }
    return undefined;
  },
};

async function judgeCluster(
  world: World,
  plan: Plan,
  cluster: string,
  { operations }: History,
): Promise<string | undefined> {
  const client = newClient("ids");
  const deletions = indexDeletions(world, operations);
  const sent = new Map<string, Map<string, Operation>>();
  for (const operation of operations) {
    const { hasAutoId, index, node, wrote, outcome } = operation;
    if (hasAutoId !== true || index === undefined || outcome === "failed") continue;
    if (world.clusterOf(node) !== cluster || deletions.concern(operation)) continue;
    const values = sent.get(index) ?? new Map<string, Operation>();
    sent.set(index, values.set(JSON.stringify(wrote ?? null), operation));
  }
  const view = await world.view(world.running(cluster)[0] ?? "");
  for (const [index, values] of sent) {
    if (view?.indices.get(index)?.state !== "open") continue;
    // If a power loss or the plan may remove documents, only duplicates are judged.
    const mayBeLost = unsyncedIndices(plan).msOf(`${cluster}/${index}`) > 0 || mayLoseData(plan);
    const says = await judgeIndex({ world, client, cluster, index, values, mayBeLost });
    if (says !== undefined) return says;
  }
  return undefined;
}

interface Judging {
  readonly world: World;
  readonly client: Client;
  readonly cluster: string;
  readonly index: string;
  /** Operations by the value that they wrote. */
  readonly values: ReadonlyMap<string, Operation>;
  readonly mayBeLost: boolean;
}

async function judgeIndex(judging: Judging): Promise<string | undefined> {
  const { world, client, cluster, index } = judging;
  const [asked = ""] = world.running(cluster);
  const refresh = { method: "POST", uri: `/${index}/_refresh`, timeoutMs: 30_000 };
  await world.request(client, asked, refresh);
  const view = await world.view(asked);
  const copies = (view?.shards ?? []).filter((copy) => copy.index === index);
  const ofIndex = new Map<string, string>();
  for (const { shard, node, state, isPrimary } of copies) {
    if (node === undefined || (state !== "STARTED" && state !== "RELOCATING")) continue;
    const read = await documentsOf(world, client, { node, index, shard }, "_only_local");
    const name = `the copy of ${index}/${shard} on ${node}`;
    if (read.kind === "failed") return `${name}: ${read.why}`;
    const says = duplicateDocument(
      read.hits,
      isPrimary ? ofIndex : new Map<string, string>(),
      judging.values,
    );
    if (says !== undefined) return `${name} ${says}`;
    const total = await countOf(judging, shard, node);
    if (total !== read.hits.length)
      return `${name} counts ${total} documents, and shows ${read.hits.length}`;
  }
  return missing(judging, ofIndex, copies);
}

/** First value that two documents hold. `seen` maps each value to its id, across the primaries of all shards. */
function duplicateDocument(
  hits: readonly Json[],
  seen: Map<string, string>,
  values: Judging["values"],
): string | undefined {
  const ids = new Set<string>();
  for (const hit of hits) {
    if (!isJsonObject(hit)) continue;
    const id = String(hit["_id"]);
    if (ids.has(id)) return `holds the document [${id}] twice`;
    ids.add(id);
    const value = JSON.stringify(contentOf(hit["_source"]) ?? null);
    if (!values.has(value)) continue;
    const other = seen.get(value);
    if (other !== undefined) return `holds ${value}, sent once, as [${other}] and [${id}]`;
    seen.set(value, id);
  }
  return undefined;
}

async function countOf(
  { world, client, index }: Judging,
  shard: number,
  node: string,
): Promise<number | undefined> {
  const preference = encodeURIComponent(`_shards:${shard}|_only_local`);
  const uri = `/${index}/_count?preference=${preference}`;
  const answer = await world.request(client, node, { method: "GET", uri, timeoutMs: 30_000 });
  const count = isJsonObject(answer?.body) ? answer.body["count"] : undefined;
  return typeof count === "number" ? count : undefined;
}

function missing(
  { index, values, mayBeLost }: Judging,
  found: ReadonlyMap<string, string>,
  copies: readonly { readonly isPrimary: boolean; readonly state: string }[],
): string | undefined {
  const areAllThere = copies.every(({ isPrimary, state }) => !isPrimary || state === "STARTED");
  if (mayBeLost || !areAllThere) return undefined;
  for (const [value, { outcome, document, client }] of values) {
    if (outcome !== "ok") continue;
    const id = found.get(value);
    if (id === undefined) return `${index} lacks ${value}, which was acknowledged to ${client}`;
    if (document !== undefined && id !== document)
      return `${index} has ${value} as [${id}], and ${client} was told [${document}]`;
  }
  return undefined;
}
