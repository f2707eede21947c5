/**
 * Limits on aggregations that the shard knows and the request does not: settings of its index and
 * of the cluster. They are checked before memory is allocated.
 */
import { checkHitCount } from "../queries/inner-hits.ts";
import { illegalArgument, lookup, OperationError } from "@orrery/stdx";
import type { AggregationContext } from "../language/aggregation.ts";

/** Default of `search.max_buckets`. */
export const MAX_BUCKETS = 65_535;

/** A limit from the index settings. */
function indexLimit({ build }: AggregationContext, name: string, fallback: number): number {
  const setting = lookup(build.mapping.settings, name);
  return typeof setting === "string" ? Number(setting) : fallback;
}

/**
 * Rejects a `top_hits` whose `from + size` is 0, or exceeds `index.max_inner_result_window`.
 * @throws OperationError 400
 */
export function checkTopHits(
  context: AggregationContext,
  { name, from, size }: { readonly name: string; readonly from: number; readonly size: number },
): void {
  const limit = indexLimit(context, "index.max_inner_result_window", 100);
  if (from + size > limit) {
    throw illegalArgument(
      `Top hits result window is too large, the top hits aggregator [${name}]'s from + size must be less than or equal to: [${limit}] but was [${from + size}]. This limit can be set by changing the [index.max_inner_result_window] index level setting.`,
    );
  }
  checkHitCount(from + size);
}

/**
 * Rejects an `adjacency_matrix` beyond `index.max_adjacency_matrix_filters`.
 * @throws OperationError 400
 */
export function checkMatrixFilters(context: AggregationContext, count: number): void {
  const limit = indexLimit(context, "index.max_adjacency_matrix_filters", 100);
  if (count <= limit) return;
  throw illegalArgument(
    `Number of filters is too large, must be less than or equal to: [${limit}] but was [${count}].This limit can be set by changing the [index.max_adjacency_matrix_filters] index level setting.`,
  );
}

/**
 * Rejects a page of `composite` with more buckets than `search.max_buckets`: a shard keeps it in
 * memory.
 * @throws OperationError 503
 */
export function checkPageOfBuckets({ options }: AggregationContext, size: number): void {
  const limit = options.maxBuckets ?? MAX_BUCKETS;
  if (size > limit) throw tooManyBuckets(limit, size);
}

/** The product's 503 `too_many_buckets_exception` for `count` buckets. */
export function tooManyBuckets(limit: number, count: number): OperationError {
  return new OperationError({
    type: "too_many_buckets_exception",
    reason: `Trying to create too many buckets. Must be less than or equal to: [${limit}] but was [${count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    status: 503,
    metadata: { max_buckets: limit },
  });
}
