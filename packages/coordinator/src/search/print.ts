/** The answer of a search as JSON text. Hits are spliced in as the shards printed them. */
import { float, jsonText, type ReducedSearch } from "@orrery/query";
import { utf8Decode, type JsonObject } from "@orrery/stdx";
import type { SearchRequest } from "../types.ts";

export interface PrintedSearch {
  readonly tookMs: number;
  readonly request: SearchRequest;
  readonly reduced: ReducedSearch;
  readonly hits: readonly Uint8Array[];
  readonly shards: JsonObject;
}

export function printSearch({ tookMs, request, reduced, hits, shards }: PrintedSearch): string {
  const parts = [`"took":${tookMs}`, `"timed_out":${reduced.timedOut}`];
  if (reduced.terminatedEarly !== undefined)
    parts.push(`"terminated_early":${reduced.terminatedEarly}`);
  if (reduced.reducePhases !== 1) parts.push(`"num_reduce_phases":${reduced.reducePhases}`);
  parts.push(`"_shards":${jsonText(shards)}`, `"hits":${printHits(reduced, hits)}`);
  const aggregations = reduced.aggregations?.render({ typedKeys: request.typedKeys === true });
  if (aggregations !== undefined) parts.push(`"aggregations":${aggregations}`);
  if (reduced.suggest !== undefined) parts.push(`"suggest":${reduced.suggest}`);
  return `{${parts.join(",")}}`;
}

function printHits(reduced: ReducedSearch, hits: readonly Uint8Array[]): string {
  const { totalHits, maxScore } = reduced;
  const parts: string[] = [];
  if (totalHits)
    parts.push(`"total":{"value":${totalHits.value},"relation":"${totalHits.relation}"}`);
  parts.push(`"max_score":${Number.isNaN(maxScore) ? "null" : jsonText(float(maxScore))}`);
  parts.push(`"hits":[${hits.map((hit) => utf8Decode(hit)).join(",")}]`);
  return `{${parts.join(",")}}`;
}
