/**
 * INV-SEARCH-1: searches during the run returned existing documents (searches-of-a-run.ts). Once the cluster has healed
 * and the indices are refreshed, a search for the written documents returns exactly those that a GET by id returns,
 * with equal content; a non-realtime GET agrees as well. Without a forced refresh a search shows them after the refresh
 * interval (unrefreshed.ts).
 */
import { isJsonObject, type Json } from "@orrery/stdx";
import { isWrite, type History } from "../history.ts";
import { newClient, type Client, type World } from "../world.ts";
import { nothingWritten } from "./nothing-written.ts";
import type { Checker } from "./checker.ts";
import { isClosed, readDocuments, valueOf } from "./final-reads.ts";
import { indexDeletions } from "./index-deletions.ts";
import { watchPrimaries, knownPrimaryChanges } from "./new-primaries.ts";
import { judgeSearches } from "./searches-of-a-run.ts";
import { unrefreshedDocuments } from "./unrefreshed.ts";

const BATCH = 500;

export const searchesSeeRefreshedDocuments: Checker = {
  name: "searches-see-refreshed-documents",
  invariant: "INV-SEARCH-1",
  says: "After a refresh a search finds exactly the existing documents, with equal content.",
  excusedBy: ["copies", "unsynced"],
  isOfDocuments: true,
  complaint: nothingWritten,
  start: watchPrimaries,
  finish: async (world, plan, history) => {
    const wrong = judgeSearches(history, knownPrimaryChanges(world, plan));
    if (wrong !== undefined) return wrong;
    const client = newClient("searcher");
    for (const { name: cluster } of plan.clusters) {
      const nodes = world.running(cluster);
      for (const [index, written] of documentsOf(world, cluster, history)) {
        const uri = `/${index}/_refresh`;
        const [node = ""] = nodes;
        const refresh = () =>
          world.request(client, node, { method: "POST", uri, timeoutMs: 30_000 });
        const unseen = await unrefreshedDocuments(world, client, { cluster, index }, refresh);
        if (unseen !== undefined) return unseen;
        for (let at = 0, turn = 0; at < written.length; at += BATCH, turn += 1) {
          const documents = written.slice(at, at + BATCH);
          const asked = nodes[turn % nodes.length] ?? "";
          const says = await compare(world, client, cluster, { node: asked, index, documents });
          if (says !== undefined) return says;
        }
      }
    }
    return undefined;
  },
};

interface Batch {
  /** Node that executes the search. */
  readonly node: string;
  readonly index: string;
  readonly documents: readonly string[];
}

async function compare(
  world: World,
  client: Client,
  cluster: string,
  { node, index, documents }: Batch,
): Promise<string | undefined> {
  const addresses = documents.map((document) => ({ index, document }));
  const items = await readDocuments(world, cluster, addresses);
  if (typeof items === "string") return items;
  if (items.every(isClosed)) return undefined;
  const visible = await readDocuments(world, cluster, addresses, "visible");
  if (typeof visible === "string") return visible;
  const answer = await world.request(client, node, {
    method: "POST",
    uri: `/${index}/_search?allow_partial_search_results=false`,
    body: JSON.stringify({ size: BATCH, query: { ids: { values: documents } } }),
    timeoutMs: 30_000,
  });
  const hits = isJsonObject(answer?.body) ? answer.body["hits"] : undefined;
  const page = isJsonObject(hits) ? hits["hits"] : undefined;
  if (!Array.isArray(page)) return `no answer: ${JSON.stringify(answer?.body ?? "no answer")}`;
  const found = new Map(page.map((hit: Json) => [idOf(hit), hit]));
  for (const [i, document] of documents.entries()) {
    const [item, hit] = [items[i], found.get(document)];
    const isThere = isJsonObject(item) && item["found"] === true;
    const shown = visible[i];
    if (JSON.stringify(valueOf(item)) !== JSON.stringify(valueOf(shown)))
      return `${index}/${document} is ${JSON.stringify(item)}, and is read as ${JSON.stringify(shown)} with [realtime=false] after a refresh`;
    if (isThere !== (hit !== undefined))
      return `${index}/${document} is ${isThere ? "there" : "not there"}, and a search ${isThere ? "does not find" : "finds"} it`;
    if (JSON.stringify(valueOf(item)) !== JSON.stringify(valueOf(hit)))
      return `${index}/${document} is ${JSON.stringify(item)}, and a search finds ${JSON.stringify(hit)}`;
  }
  return undefined;
}

function documentsOf(
  world: World,
  cluster: string,
  { operations }: History,
): ReadonlyMap<string, readonly string[]> {
  const byIndex = new Map<string, Set<string>>();
  const deletions = indexDeletions(world, operations);
  for (const operation of operations) {
    const { index, document, node } = operation;
    if (!isWrite(operation) || index === undefined || document === undefined) continue;
    if (world.clusterOf(node) !== cluster || deletions.concern(operation)) continue;
    const documents = byIndex.get(index) ?? new Set();
    byIndex.set(index, documents.add(document));
  }
  return new Map([...byIndex].map(([index, documents]) => [index, [...documents]]));
}

function idOf(hit: Json): string {
  return isJsonObject(hit) ? String(hit["_id"]) : "";
}
