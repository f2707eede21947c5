/** Every aggregation by its name. To add one: a file beside this, a member of the union, a row here. */
import type { Cursor } from "../queries/cursor.ts";
import { parseCardinality } from "./cardinality.ts";
import { parseComposite } from "./composite.ts";
import { parseFilter, parseFilters, parseGlobal, parseMissing } from "./filter.ts";
import { parseDateHistogram, parseHistogram } from "./histogram.ts";
import { parseExtendedStats, parseMetric, parseStats, parseValueCount } from "./metrics.ts";
import { parseNestedAggregation, parseReverseNested } from "./nested-aggregations.ts";
import type { AggregationHead } from "./parse.ts";
import { parseMedianAbsoluteDeviation, parsePercentileRanks, parsePercentiles } from "./percentiles.ts";
import { parseBucketSort, parseCumulativeSum, parseDerivative, parseSerialDiff } from "./pipeline/parent.ts";
import { parseSiblingPipeline } from "./pipeline/sibling.ts";
import { parseDateRange, parseIpRange, parseRange } from "./range.ts";
import { parseMultiTerms, parseTerms } from "./terms.ts";
import { parseTopHits } from "./top-hits.ts";
import type { Aggregation } from "./types.ts";
import { parseWeightedAverage } from "./weighted-avg.ts";

export type AggregationName =
  | "avg"
  | "avg_bucket"
  | "bucket_sort"
  | "cardinality"
  | "composite"
  | "cumulative_sum"
  | "date_histogram"
  | "date_range"
  | "derivative"
  | "extended_stats"
  | "filter"
  | "filters"
  | "global"
  | "histogram"
  | "ip_range"
  | "max"
  | "max_bucket"
  | "median_absolute_deviation"
  | "min"
  | "min_bucket"
  | "missing"
  | "multi_terms"
  | "nested"
  | "percentile_ranks"
  | "percentiles"
  | "range"
  | "reverse_nested"
  | "serial_diff"
  | "stats"
  | "stats_bucket"
  | "sum"
  | "sum_bucket"
  | "terms"
  | "top_hits"
  | "value_count"
  | "weighted_avg";

type ParseAggregation = (head: AggregationHead, at: Cursor) => Aggregation;

const parsers: { readonly [Name in AggregationName]: ParseAggregation } = {
  avg: parseMetric,
  avg_bucket: parseSiblingPipeline,
  bucket_sort: parseBucketSort,
  cardinality: parseCardinality,
  composite: parseComposite,
  cumulative_sum: parseCumulativeSum,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  derivative: parseDerivative,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  global: parseGlobal,
  histogram: parseHistogram,
  ip_range: parseIpRange,
  max: parseMetric,
  max_bucket: parseSiblingPipeline,
  median_absolute_deviation: parseMedianAbsoluteDeviation,
  min: parseMetric,
  min_bucket: parseSiblingPipeline,
  missing: parseMissing,
  multi_terms: parseMultiTerms,
  nested: parseNestedAggregation,
  percentile_ranks: parsePercentileRanks,
  percentiles: parsePercentiles,
  range: parseRange,
  reverse_nested: parseReverseNested,
  serial_diff: parseSerialDiff,
  stats: parseStats,
  stats_bucket: parseSiblingPipeline,
  sum: parseMetric,
  sum_bucket: parseSiblingPipeline,
  terms: parseTerms,
  top_hits: parseTopHits,
  value_count: parseValueCount,
  weighted_avg: parseWeightedAverage,
};

export const AGGREGATION_NAMES: ReadonlySet<string> = new Set(Object.keys(parsers));

export function isAggregationName(name: string): name is AggregationName {
  return AGGREGATION_NAMES.has(name);
}

export function aggregationParser(name: AggregationName): ParseAggregation {
  return parsers[name];
}
