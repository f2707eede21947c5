/**
 * When a search says `terminated_early` without having been told when to stop.
 *
 * The product searches segments concurrently when there are aggregations. If nobody wants hits then, and their number
 * is known from the index (or not asked for, or past what is to be counted), its hit counter ends at every segment, and
 * the answer tells. Source: `EmptyTopDocsCollectorContext`, `EarlyTerminatingCollectorManager`.
 */
import type { SearchRequest } from "../request/search-request.ts";
import type { Plan } from "../language/plan.ts";
import type { Prepared } from "../language/query.ts";
import type { SegmentContext } from "../language/searcher.ts";

export function endsEarly(request: SearchRequest, prepared: Prepared, total: number): boolean {
  const { aggregations, trackTotalHits } = request;
  if (aggregations === undefined || aggregations.length === 0 || request.size > 0) return false;
  if (prepared.searcher.segments.length === 0) return false;
  if (trackTotalHits === false || isUnfilteredCountKnown(request, prepared)) return true;
  if (trackTotalHits === true) return false;
  return total > trackTotalHits || endsUncounted(request, prepared);
}

/** Whether a hit counter that may count none ends at the first segment, before it knows that there is no hit. */
export function endsUncounted(request: SearchRequest, prepared: Prepared): boolean {
  if (request.trackTotalHits !== 0 || request.size > 0) return false;
  return prepared.searcher.segments.length > 0 && !isUnfilteredCountKnown(request, prepared);
}

function isUnfilteredCountKnown(
  { postFilter, minScore }: SearchRequest,
  { plan, searcher }: Prepared,
): boolean {
  if (postFilter !== undefined || minScore !== undefined) return false;
  return isCountKnown(plan, searcher.segments);
}

/** All documents that are nobody's children; a term or a field of which nothing was deleted. */
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
