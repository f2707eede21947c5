/** The answer of a search as JSON. Hits are spliced in as the shards printed them. */
import { float, jsonText, type ReducedSearch } from "@orrery/query";
import { utf8Encode, type JsonObject } from "@orrery/stdx";

export interface PrintedSearch {
  readonly tookMs: number;
  readonly scrollId?: string;
  readonly pitId?: string;
  readonly reduced: ReducedSearch;
  readonly hits: readonly Uint8Array[];
  readonly shards: JsonObject;
}

export function printSearch(search: PrintedSearch): Uint8Array {
  return withHits(utf8Encode(textBefore(search)), search.hits, utf8Encode(textAfter(search)));
}

function textBefore({ tookMs, reduced, shards, scrollId, pitId }: PrintedSearch): string {
  const parts = [
    ...(scrollId === undefined ? [] : [`"_scroll_id":"${scrollId}"`]),
    ...(pitId === undefined ? [] : [`"pit_id":${jsonText(pitId)}`]),
    `"took":${tookMs}`,
    `"timed_out":${reduced.timedOut}`,
  ];
  if (reduced.terminatedEarly !== undefined)
    parts.push(`"terminated_early":${reduced.terminatedEarly}`);
  if (reduced.reducePhases !== 1) parts.push(`"num_reduce_phases":${reduced.reducePhases}`);
  const { totalHits, maxScore } = reduced;
  const total = totalHits
    ? `"total":{"value":${totalHits.value},"relation":"${totalHits.relation}"},`
    : "";
  const score = `"max_score":${Number.isNaN(maxScore) ? "null" : jsonText(float(maxScore))}`;
  parts.push(`"_shards":${jsonText(shards)}`, `"hits":{${total}${score},"hits":[`);
  return `{${parts.join(",")}`;
}

function textAfter({ reduced }: PrintedSearch): string {
  const parts = ["]}"];
  if (reduced.aggregations !== undefined) parts.push(`"aggregations":${reduced.aggregations}`);
  if (reduced.suggest !== undefined) parts.push(`"suggest":${reduced.suggest}`);
  return `${parts.join(",")}}`;
}

const COMMA = 44;

function withHits(before: Uint8Array, hits: readonly Uint8Array[], after: Uint8Array): Uint8Array {
  const commas = Math.max(0, hits.length - 1);
  const bytes = hits.reduce((sum, hit) => sum + hit.length, before.length + commas + after.length);
  const whole = new Uint8Array(bytes);
  whole.set(before);
  let at = before.length;
  for (const [i, hit] of hits.entries()) {
    if (i > 0) whole[at++] = COMMA;
    whole.set(hit, at);
    at += hit.length;
  }
  whole.set(after, at);
  return whole;
}
