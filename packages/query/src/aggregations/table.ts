/** Every aggregation by its name. To add one: a file beside this, a member of the union, a row here. */
import type { Cursor } from "../queries/cursor.ts";
import { parseCardinality } from "./cardinality.ts";
import { parseFilter, parseFilters, parseGlobal, parseMissing } from "./filter.ts";
import { parseDateHistogram, parseHistogram } from "./histogram.ts";
import { parseExtendedStats, parseMetric, parseStats, parseValueCount } from "./metrics.ts";
import { parseNestedAggregation, parseReverseNested } from "./nested-aggregations.ts";
import type { AggregationHead } from "./parse.ts";
import { parseDateRange, parseIpRange, parseRange } from "./range.ts";
import { parseTerms } from "./terms.ts";
import { parseTopHits } from "./top-hits.ts";
import type { Aggregation } from "./types.ts";

export type AggregationName =
  | "avg"
  | "cardinality"
  | "date_histogram"
  | "date_range"
  | "extended_stats"
  | "filter"
  | "filters"
  | "global"
  | "histogram"
  | "ip_range"
  | "max"
  | "min"
  | "missing"
  | "nested"
  | "range"
  | "reverse_nested"
  | "stats"
  | "sum"
  | "terms"
  | "top_hits"
  | "value_count";

type ParseAggregation = (head: AggregationHead, at: Cursor) => Aggregation;

const parsers: { readonly [Name in AggregationName]: ParseAggregation } = {
  avg: parseMetric,
  cardinality: parseCardinality,
  date_histogram: parseDateHistogram,
  date_range: parseDateRange,
  extended_stats: parseExtendedStats,
  filter: parseFilter,
  filters: parseFilters,
  global: parseGlobal,
  histogram: parseHistogram,
  ip_range: parseIpRange,
  max: parseMetric,
  min: parseMetric,
  missing: parseMissing,
  nested: parseNestedAggregation,
  range: parseRange,
  reverse_nested: parseReverseNested,
  stats: parseStats,
  sum: parseMetric,
  terms: parseTerms,
  top_hits: parseTopHits,
  value_count: parseValueCount,
};

export const AGGREGATION_NAMES: ReadonlySet<string> = new Set(Object.keys(parsers));

export function isAggregationName(name: string): name is AggregationName {
  return AGGREGATION_NAMES.has(name);
}

export function aggregationParser(name: AggregationName): ParseAggregation {
  return parsers[name];
}
