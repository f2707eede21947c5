/** The response of a search, with members in the product's order. Source: `SearchResponse.toXContent`, `SearchHits.toXContent`. */
import { inTurns, MAIN_TURN_MS, type Cluster, type SearchResponse } from "@orrery/node";
import { float, hitMembers, jsonTextSteps, type Hit, type TotalHits } from "@orrery/query";
import { concatBytes } from "@orrery/stdx";
import { raw, type Printable, type PrintableObject, type Raw } from "../json/printable.ts";
import { writeCompact } from "../json/write-json.ts";

/** Variants of a search response that the request's parameters select. */
export interface AnswerShape {
  /** Whether `hits.total` is a plain number (`rest_total_hits_as_int`). */
  readonly isTotalNumber: boolean;
  /** Whether names of aggregations carry their type (`typed_keys`): `sterms#by_state`. */
  readonly typedKeys: boolean;
}

/**
 * The response's body. Long lists of hits are printed in turns here, because the final rendering runs without a
 * pause. Throws 429 when the text would be too long.
 */
export async function searchAnswer(
  { clock }: Pick<Cluster, "clock">,
  found: SearchResponse,
  { isTotalNumber, typedKeys }: AnswerShape,
): Promise<PrintableObject> {
  const { scrollId, pitId, reducePhases, totalHits, maxScore, hits, suggest } = found;
  const results = found.aggregations?.render({ typedKeys });
  const aggregations =
    results &&
    raw(await inTurns(clock, (isTurnOver) => jsonTextSteps(results, isTurnOver), MAIN_TURN_MS));
  const printHits = (isTurnOver: () => boolean) => hitSteps(hits, isTurnOver);
  return {
    _scroll_id: scrollId,
    pit_id: pitId,
    took: found.tookMs,
    timed_out: found.timedOut,
    terminated_early: found.terminatedEarly,
    num_reduce_phases: reducePhases === 1 ? undefined : reducePhases,
    _shards: found.shards as PrintableObject,
    hits: {
      total: isTotalNumber ? (totalHits?.value ?? -1) : totalOf(totalHits),
      max_score: Number.isFinite(maxScore) ? float(maxScore) : null,
      hits:
        hits.length > HITS_A_TURN
          ? await inTurns(clock, printHits, MAIN_TURN_MS)
          : hits.map(hitMembers),
    },
    aggregations,
    suggest,
  };
}

function totalOf(total: TotalHits | undefined): Printable | undefined {
  return total && { value: total.value, relation: total.relation };
}

/** Number of hits that are printed within one turn. */
const HITS_A_TURN = 500;

function* hitSteps(
  hits: readonly Hit[],
  isTurnOver: () => boolean,
): Generator<undefined, readonly Raw[]> {
  const printed: Raw[] = [];
  for (const hit of hits) {
    printed.push(raw(concatBytes(writeCompact(hitMembers(hit)))));
    if (isTurnOver()) yield;
  }
  return printed;
}
