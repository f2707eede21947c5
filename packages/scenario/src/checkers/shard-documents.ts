/** Documents of one shard copy, as a search on this copy alone returns them. */
import { appendAll, isJsonObject, type Json } from "@orrery/stdx";
import type { Client, World } from "../world.ts";

export interface Where {
  /** Node that is asked. */
  readonly node: string;
  readonly index: string;
  readonly shard: number;
}

/** Documents of a copy, or the reason why they could not be read. */
export type Documents =
  /** Hits in the order of their sequence numbers. */
  | { readonly kind: "read"; readonly hits: readonly Json[] }
  | { readonly kind: "failed"; readonly why: string };

const PAGE = 5000;

/** Reads a copy. `copy`: search preference that selects it, such as `_primary` or `_only_local`. */
export async function documentsOf(
  world: World,
  client: Client,
  { node, index, shard }: Where,
  copy: string,
): Promise<Documents> {
  const preference = encodeURIComponent(`_shards:${shard}|${copy}`);
  const hits: Json[] = [];
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
    const found = isJsonObject(answer?.body) ? answer.body["hits"] : undefined;
    const page = isJsonObject(found) ? found["hits"] : undefined;
    if (!Array.isArray(page))
      return { kind: "failed", why: `no answer: ${JSON.stringify(answer?.body)}` };
    appendAll(hits, page as readonly Json[]);
    if (page.length < PAGE) return { kind: "read", hits };
    after = seqNoOf(page.at(-1) as Json);
  }
}

export function seqNoOf(hit: Json): number {
  return isJsonObject(hit) ? Number(hit["_seq_no"]) : Number.NaN;
}
