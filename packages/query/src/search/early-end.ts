/**
 * `terminated_early` of searches without `terminate_after`.
 *
 * The product searches segments concurrently if there are aggregations. If no hits are requested,
 * and their number is known from the index, not requested, or above the limit of counting, its hit
 * counter ends at every segment, which the response reports. Source:
 * `EmptyTopDocsCollectorContext`, `EarlyTerminatingCollectorManager`.
 */
import type { SearchRequest } from "../request/search-request.ts";
import type { Plan } from "../language/plan.ts";
import type { Prepared } from "../language/query.ts";
import type { SegmentContext } from "../language/searcher.ts";

/**
 * Whether the response has `terminated_early: true`. `total` is the number of hits that were
 * counted.
 */
export function endsEarly(request: SearchRequest, prepared: Prepared, total: number): boolean {
  const { aggregations, trackTotalHits } = request;
  if (aggregations === undefined || aggregations.length === 0 || request.size > 0) return false;
  if (prepared.searcher.segments.length === 0) return false;
  if (trackTotalHits === false || isUnfilteredCountKnown(request, prepared)) return true;
  if (trackTotalHits === true) return false;
  return total > trackTotalHits || endsUncounted(request, prepared);
}

/**
 * Whether a hit counter with limit 0 ends at the first segment, before it knows whether there is a
 * hit.
 */
export function endsUncounted(request: SearchRequest, prepared: Prepared): boolean {
  if (request.trackTotalHits !== 0 || request.size > 0) return false;
  return prepared.searcher.segments.length > 0 && !isUnfilteredCountKnown(request, prepared);
}

/** Whether statistics give the number of hits. */
function isUnfilteredCountKnown(
  { postFilter, minScore }: SearchRequest,
  { plan, searcher }: Prepared,
): boolean {
  if (postFilter !== undefined || minScore !== undefined) return false;
  return isCountKnown(plan, searcher.segments);
}

/**
 * All documents, unless some are nested; a term or a field, unless documents of the segment are
 * deleted.
 */
function isCountKnown(plan: Plan, segments: readonly SegmentContext[]): boolean {
  switch (plan.kind) {
    case "all":
      return segments.every(({ reader }) => reader.roots === undefined);
    case "term":
    case "exists":
      return segments.every(({ live }) => live === undefined);
    case "term-set":
      // One term of a field whose terms all score alike.
      return plan.terms.length === 1 && segments.every(({ live }) => live === undefined);
    case "constant":
      return isCountKnown(plan.plan, segments);
    default:
      return false;
  }
}
