/**
 * Results of a search's shards that ran before on the same thread. A later shard leaves out documents
 * that come behind a whole page of theirs, and does not count beyond `track_total_hits`.
 */
import type { JsonObject } from "@orrery/stdx";
import type { SearchLanguage } from "../language/language.ts";
import type { EarlierHits } from "../language/view.ts";
import type { QueryResult } from "../language/results.ts";
import { searchRequestOf, type SearchRequest } from "../request/search-request.ts";

/** Collects results. Only those of shards before the next one in the order of the search may be added. */
export interface EarlierShards {
  add(result: QueryResult): void;
  /** The hits of all results added so far; `undefined`: later shards cannot use them. */
  hits(): EarlierHits | undefined;
}

export function createEarlierShards(language: SearchLanguage, body: JsonObject): EarlierShards {
  const request = searchRequestOf(language, body);
  if (!hasUse(request)) return { add: () => undefined, hits: () => undefined };
  const wanted = request.from + request.size;
  let total = 0;
  /** The best scores, in falling order. */
  let best: readonly number[] = [];
  return {
    add({ totalHits, topDocs }) {
      if (totalHits !== undefined)
        total += totalHits.value + (totalHits.relation === "gte" ? 1 : 0);
      if (topDocs.length === 0) return;
      best = [...best, ...topDocs.map(({ score }) => score)]
        .toSorted((a, b) => b - a)
        .slice(0, wanted);
    },
    hits: () => ({
      total,
      minScore: best.length < wanted ? 0 : (best.at(-1) ?? 0),
    }),
  };
}

/**
 * Whether the page is of the best scores of the query itself, and hits are only counted.
 * `terminate_after` and aggregations read hits of each shard.
 */
function hasUse({ sort, rescore, collapse, aggregations, terminateAfter }: SearchRequest): boolean {
  const isByScore = sort === undefined || sort.length === 0;
  const isPlain = rescore.length === 0 && collapse === undefined;
  return isByScore && isPlain && aggregations === undefined && terminateAfter === 0;
}
