/**
 * The table of the core's aggregations by their names in a request. A new one is a file in this
 * folder and a row here; plugins add theirs to the `SearchLanguage`.
 */
import { parseAdjacencyMatrix } from "./adjacency-matrix.ts";
import { parseAutoDateHistogram } from "./auto-date-histogram.ts";
import { parseCardinality } from "./cardinality.ts";
import { parseComposite } from "./composite.ts";
import { parseFilter, parseFilters, parseGlobal, parseMissing } from "./filter.ts";
import { parseGeohashGrid, parseGeotileGrid } from "./geo-grid.ts";
import { parseGeoBounds, parseGeoCentroid } from "./geo-metrics.ts";
import { parseDateHistogram, parseHistogram } from "./histogram.ts";
import { parseExtendedStats, parseMetric, parseStats, parseValueCount } from "./metrics.ts";
import { parseNestedAggregation, parseReverseNested } from "./nested-aggregations.ts";
import type { ParseAggregation } from "../language/aggregation.ts";
import {
  parseMedianAbsoluteDeviation,
  parsePercentileRanks,
  parsePercentiles,
} from "./percentiles.ts";
import { parseBucketScript, parseBucketSelector } from "./pipeline/bucket-scripts.ts";
import {
  parseBucketSort,
  parseCumulativeSum,
  parseDerivative,
  parseSerialDiff,
} from "./pipeline/parent.ts";
import { parseSiblingPipeline } from "./pipeline/sibling.ts";
import { parseDateRange, parseGeoDistanceRanges, parseIpRange, parseRange } from "./range.ts";
import { parseRareTerms } from "./rare-terms.ts";
import { parseDiversifiedSampler, parseSampler } from "./sampler.ts";
import { parseSignificantTerms, parseSignificantText } from "./significant-terms.ts";
import { parseMultiTerms } from "./multi-terms.ts";
import { parseTerms } from "./terms.ts";
import { parseTopHits } from "./top-hits.ts";
import { parseVariableWidthHistogram } from "./variable-width-histogram.ts";
import { parseWeightedAverage } from "./weighted-avg.ts";

/**
 * The parsers of the core's aggregations, by name of the type; several types may share a parser.
 */
export const coreAggregations: Readonly<Record<string, ParseAggregation>> = {
  adjacency_matrix: parseAdjacencyMatrix,
  auto_date_histogram: parseAutoDateHistogram,
  avg: parseMetric,
  avg_bucket: parseSiblingPipeline,
  bucket_script: parseBucketScript,
  bucket_selector: parseBucketSelector,
  bucket_sort: parseBucketSort,
  cardinality: parseCardinality,
  composite: parseComposite,
  cumulative_sum: parseCumulativeSum,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  derivative: parseDerivative,
  diversified_sampler: parseDiversifiedSampler,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  geo_bounds: parseGeoBounds,
  geo_centroid: parseGeoCentroid,
  geo_distance: parseGeoDistanceRanges,
  geohash_grid: parseGeohashGrid,
  geotile_grid: parseGeotileGrid,
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
  rare_terms: parseRareTerms,
  reverse_nested: parseReverseNested,
  sampler: parseSampler,
  serial_diff: parseSerialDiff,
  significant_terms: parseSignificantTerms,
  significant_text: parseSignificantText,
  stats: parseStats,
  stats_bucket: parseSiblingPipeline,
  sum: parseMetric,
  sum_bucket: parseSiblingPipeline,
  terms: parseTerms,
  top_hits: parseTopHits,
  value_count: parseValueCount,
  variable_width_histogram: parseVariableWidthHistogram,
  weighted_avg: parseWeightedAverage,
};
