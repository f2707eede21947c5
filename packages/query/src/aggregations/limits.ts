/** Limits that a shard knows and a request does not: of its index, and of the cluster. Checked before memory is taken. */
import { checkHitCount } from "../queries/inner-hits.ts";
import { illegalArgument, lookup, OperationError } from "@orrery/stdx";
import type { AggregationContext } from "../language/aggregation.ts";

export const MAX_BUCKETS = 65_535;

function indexLimit({ build }: AggregationContext, name: string, fallback: number): number {
  const setting = lookup(build.mapping.settings, name);
  return typeof setting === "string" ? Number(setting) : fallback;
}

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

export function checkMatrixFilters(context: AggregationContext, count: number): void {
  const limit = indexLimit(context, "index.max_adjacency_matrix_filters", 100);
  if (count <= limit) return;
  throw illegalArgument(
    `Number of filters is too large, must be less than or equal to: [${limit}] but was [${count}].This limit can be set by changing the [index.max_adjacency_matrix_filters] index level setting.`,
  );
}

/** A page of buckets that a shard keeps at once. */
export function checkPageOfBuckets({ options }: AggregationContext, size: number): void {
  const limit = options.maxBuckets ?? MAX_BUCKETS;
  if (size > limit) throw tooManyBuckets(limit, size);
}

export function tooManyBuckets(limit: number, count: number): OperationError {
  return new OperationError({
    type: "too_many_buckets_exception",
    reason: `Trying to create too many buckets. Must be less than or equal to: [${limit}] but was [${count}]. This limit can be set by changing the [search.max_buckets] cluster level setting.`,
    status: 503,
    metadata: { max_buckets: limit },
  });
}
