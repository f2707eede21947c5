/** INV-DATA-2: once the cluster has healed, every copy of a shard holds the same documents, versions and sequence numbers. */
import { isJsonObject, type Json } from "@orrery/stdx";
import { newClient, type Client, type World } from "../world.ts";
import type { Checker, Finding } from "./checker.ts";
import { indicesAtTheEnd } from "./indices-at-the-end.ts";

export const copiesOfAShardAgree: Checker = {
  name: "copies-of-a-shard-agree",
  invariant: "INV-DATA-2",
  says: "Once the cluster has healed, every copy of a shard holds the same documents, versions and sequence numbers.",
  complaint: ({ indices }) => (indices.length === 0 ? "there is no index to compare" : undefined),
  finish: async (world, plan) => {
    const client = newClient("checker");
    for (const { name: index, cluster } of indicesAtTheEnd(plan)) {
      const [node = ""] = world.running(cluster);
      const view = await world.view(node);
      if (view === undefined) return "no node runs";
      await world.request(client, node, {
        method: "POST",
        uri: `/${index}/_refresh`,
        timeoutMs: 30_000,
      });
      const copies = view.shards.filter((copy) => copy.index === index);
      if (copies.length === 0) return `there is no index [${index}]`;
      for (const shard of new Set(copies.map((copy) => copy.shard))) {
        // A copy that is nowhere is for others to complain of.
        const nodeIds = copies.flatMap((copy) => (copy.shard === shard ? (copy.nodeId ?? []) : []));
        const finding = await compare(world, client, { node, index, shard }, nodeIds);
        if (finding !== undefined) return finding;
      }
    }
    return undefined;
  },
};

interface Where {
  /** Who is asked. */
  readonly node: string;
  readonly index: string;
  readonly shard: number;
}

type Content =
  | { readonly kind: "read"; readonly rows: readonly string[] }
  | { readonly kind: "failed"; readonly why: string };

async function compare(
  world: World,
  client: Client,
  where: Where,
  nodeIds: readonly string[],
): Promise<Finding> {
  const shard = `${where.index}/${where.shard}`;
  let first: readonly string[] | undefined;
  for (const nodeId of nodeIds) {
    const content = await contentOf(world, client, where, nodeId);
    if (content.kind === "failed") return `the copy of ${shard} on [${nodeId}]: ${content.why}`;
    first ??= content.rows;
    const finding = differ(shard, first, content.rows);
    if (finding !== undefined) return finding;
  }
  return undefined;
}

const PAGE = 5000;

/** Every document of one copy, in the order of its sequence numbers: one line each. */
async function contentOf(
  world: World,
  client: Client,
  { node, index, shard }: Where,
  nodeId: string,
): Promise<Content> {
  const preference = encodeURIComponent(`_shards:${shard}|_only_nodes:${nodeId}`);
  const rows: string[] = [];
  for (let after = -1; ;) {
    const answer = await world.request(client, node, {
      method: "POST",
      uri: `/${index}/_search?preference=${preference}&allow_partial_search_results=false`,
      body: JSON.stringify({
        size: PAGE,
        sort: [{ _seq_no: "asc" }],
        search_after: [after],
        seq_no_primary_term: true,
        version: true,
        track_total_hits: false,
      }),
      timeoutMs: 30_000,
    });
    const hits = isJsonObject(answer?.body) ? answer.body["hits"] : undefined;
    const page = isJsonObject(hits) ? hits["hits"] : undefined;
    if (!Array.isArray(page))
      return { kind: "failed", why: `no answer: ${JSON.stringify(answer?.body)}` };
    rows.push(...page.map((hit: Json) => line(hit)));
    if (page.length < PAGE) return { kind: "read", rows };
    after = seqNoOf(page.at(-1) as Json);
  }
}

function seqNoOf(hit: Json): number {
  return isJsonObject(hit) ? Number(hit["_seq_no"]) : Number.NaN;
}

function line(hit: Json): string {
  if (!isJsonObject(hit)) return JSON.stringify(hit);
  return JSON.stringify([
    hit["_id"],
    hit["_seq_no"],
    hit["_primary_term"],
    hit["_version"],
    hit["_source"],
  ]);
}

function differ(shard: string, left: readonly string[], right: readonly string[]): Finding {
  const [inLeft, inRight] = [new Set(left), new Set(right)];
  const onlyLeft = left.find((row) => !inRight.has(row));
  const onlyRight = right.find((row) => !inLeft.has(row));
  if (onlyLeft === undefined && onlyRight === undefined && left.length === right.length)
    return undefined;
  return `copies of ${shard} differ: ${left.length} and ${right.length} documents, such as ${onlyLeft ?? "-"} and ${onlyRight ?? "-"}`;
}
