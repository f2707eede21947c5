/**
 * Metrics of one number or a few: `min`, `max`, `sum`, `avg`, `stats`, `extended_stats`,
 * `value_count`. Source: `StatsAggregator`, `ExtendedStatsAggregator`, `ValueCountAggregator`.
 *
 * One class counts for all. Its loops are chosen for each batch by the form of the column, the
 * presence of buckets, and the numbers that are needed. Sums of 32-bit integers are exact in
 * doubles and are added in any order; all others are compensated in document order.
 */
import { greatest, illegalArgument, least, lookup, setKey } from "@orrery/stdx";
import { double } from "../json/json-text.ts";
import { floatOf } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Printable } from "../json/printable.ts";
import { defineMetric } from "./define.ts";
import { Doubles, hasRuns, LANE_BUCKETS, Lanes, maxBucket } from "./growable.ts";
import { Options } from "./options.ts";
import { valueCounts } from "./presence.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
} from "../language/aggregation.ts";
import { compensatedSum, Sums } from "./sums.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { scriptedCounts } from "./script-values.ts";
import { numberSource, scriptedField, type NumberLeaf, type ValuesSpec } from "./values.ts";

/** The result of a bucket on a shard. */
interface Stats {
  readonly count: number;
  readonly sum: number;
  readonly min: number;
  readonly max: number;
  readonly squares: number;
  readonly format: ValueFormat;
}

/** Documents of [first, end), all of one bucket. */
interface Run {
  readonly first: number;
  readonly end: number;
  readonly bucket: number;
}

/** The numbers that an aggregation prints; others are not computed. */
interface Wanted {
  readonly sum: boolean;
  readonly bounds: boolean;
  readonly squares: boolean;
}

/** The result without partials. */
const EMPTY: Stats = { count: 0, sum: 0, min: Infinity, max: -Infinity, squares: 0, format: RAW };

/** The collector of a segment without values. */
const NOTHING: LeafCollector = { collect: () => {} };

/** Columns by bucket of the parent. */
class StatsAggregator implements Aggregator<Stats> {
  private readonly counts = new Doubles();
  private readonly sums = new Sums();
  private readonly squares = new Sums();
  private lanes: Lanes | undefined;
  private readonly minima = new Doubles(Infinity);
  private readonly maxima = new Doubles(-Infinity);
  private readonly wanted: Wanted;
  private readonly source: ReturnType<typeof numberSource>;
  private readonly format: ValueFormat;

  constructor(
    context: AggregationContext,
    spec: ValuesSpec,
    { type, wanted }: { readonly type: string; readonly wanted: Wanted },
  ) {
    this.wanted = wanted;
    this.source = numberSource(context, spec, type);
    this.format = formatOf(this.source.field, spec.format, spec.timeZone);
  }

  open(segment: Parameters<Aggregator["open"]>[0]): LeafCollector {
    const leaf = this.source.open(segment);
    if (leaf === undefined) return NOTHING;
    const { dense } = leaf;
    const isPlain = dense instanceof Int32Array && !this.wanted.squares;
    return {
      collectRun: isPlain
        ? (first, end, bucket) => this.collectRun(dense, { first, end, bucket })
        : undefined,
      collect: (docs, buckets, count) => {
        this.reserve(maxBucket(buckets, count));
        if (dense === undefined) this.collectSparse(leaf, docs, buckets, count);
        else if (dense instanceof Int32Array && buckets === undefined && !this.wanted.squares)
          this.collectInts(dense, docs, count);
        else if (
          leaf.isInteger &&
          buckets !== undefined &&
          !this.wanted.bounds &&
          !this.wanted.squares
        )
          this.collectSums(dense, docs, buckets, count);
        else this.collectDense(dense, docs, buckets, count);
      },
    };
  }

  private reserve(bucket: number): void {
    this.counts.reserve(bucket);
    this.sums.reserve(bucket);
    this.minima.reserve(bucket);
    this.maxima.reserve(bucket);
    if (this.wanted.squares) this.squares.reserve(bucket);
  }

  /**
   * Collects a run of documents. Four sums proceed independently: an addition to one sum must wait
   * for the one before it.
   */
  private collectRun(values: Int32Array, { first, end, bucket }: Run): void {
    this.reserve(bucket);
    const counts = this.counts.values;
    counts[bucket] = (counts[bucket] as number) + end - first;
    if (this.wanted.sum) {
      const whole = first + ((end - first) & ~3);
      let [a, b, c, d] = [0, 0, 0, 0];
      for (let doc = first; doc < whole; doc += 4) {
        a += values[doc] as number;
        b += values[doc + 1] as number;
        c += values[doc + 2] as number;
        d += values[doc + 3] as number;
      }
      for (let doc = whole; doc < end; doc += 1) a += values[doc] as number;
      this.sums.add(bucket, a + b + c + d);
    }
    if (!this.wanted.bounds) return;
    let min = Infinity;
    let max = -Infinity;
    for (let doc = first; doc < end; doc += 1) {
      const value = values[doc] as number;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    const { minima, maxima } = this;
    minima.values[bucket] = Math.min(minima.values[bucket] as number, min);
    maxima.values[bucket] = Math.max(maxima.values[bucket] as number, max);
  }

  /**
   * Collects 32-bit integers into bucket 0. They add up exactly, so the sum needs no compensation.
   */
  private collectInts(values: Int32Array, docs: Int32Array, count: number): void {
    let sum = 0;
    let min = Infinity;
    let max = -Infinity;
    for (let i = 0; i < count; i += 1) {
      const value = values[docs[i] as number] as number;
      sum += value;
      if (value < min) min = value;
      if (value > max) max = value;
    }
    this.sums.add(0, sum);
    const { counts, minima, maxima } = this;
    counts.values[0] = (counts.values[0] as number) + count;
    minima.values[0] = Math.min(minima.values[0] as number, min);
    maxima.values[0] = Math.max(maxima.values[0] as number, max);
  }

  /** Counts and sums of integers by bucket, without bounds. Integers need no compensation. */
  private collectSums(
    values: Int32Array | Float64Array,
    docs: Int32Array,
    buckets: Int32Array,
    count: number,
  ): void {
    const counts = this.counts.values;
    const sums = this.sums.sums.values;
    // In order of preference: by runs of equal buckets, in lanes for few buckets, one by one.
    if (values instanceof Int32Array && hasRuns(buckets, count)) {
      this.collectRuns(values, docs, buckets, count);
      return;
    }
    if (values instanceof Int32Array) {
      if (counts.length <= LANE_BUCKETS) {
        this.lanes ??= new Lanes();
        this.lanes.sum(values, docs, buckets, count);
        this.lanes.flush(counts.length, counts, sums);
        return;
      }
      for (let i = 0; i < count; i += 1) {
        const bucket = buckets[i] as number;
        counts[bucket] = (counts[bucket] as number) + 1;
        sums[bucket] = (sums[bucket] as number) + (values[docs[i] as number] as number);
      }
      return;
    }
    for (let i = 0; i < count; i += 1) {
      const bucket = buckets[i] as number;
      counts[bucket] = (counts[bucket] as number) + 1;
      sums[bucket] = (sums[bucket] as number) + (values[docs[i] as number] as number);
    }
  }

  /** Adds up each run of equal buckets before the bucket's own sum is touched. */
  private collectRuns(
    values: Int32Array,
    docs: Int32Array,
    buckets: Int32Array,
    count: number,
  ): void {
    const counts = this.counts.values;
    const sums = this.sums.sums.values;
    for (let i = 0; i < count;) {
      const from = i;
      const bucket = buckets[from] as number;
      let sum = 0;
      for (; i < count && buckets[i] === bucket; i += 1) sum += values[docs[i] as number] as number;
      counts[bucket] = (counts[bucket] as number) + i - from;
      sums[bucket] = (sums[bucket] as number) + sum;
    }
  }

  /** Collects one value for each document, with all numbers. */
  private collectDense(
    values: Int32Array | Float64Array,
    docs: Int32Array,
    buckets: Int32Array | undefined,
    count: number,
  ): void {
    const { wanted, sums, squares } = this;
    const counts = this.counts.values;
    const minima = this.minima.values;
    const maxima = this.maxima.values;
    for (let i = 0; i < count; i += 1) {
      const value = values[docs[i] as number] as number;
      const bucket = buckets === undefined ? 0 : (buckets[i] as number);
      counts[bucket] = (counts[bucket] as number) + 1;
      if (wanted.sum) sums.add(bucket, value);
      if (wanted.bounds) {
        if (value < (minima[bucket] as number)) minima[bucket] = value;
        if (value > (maxima[bucket] as number)) maxima[bucket] = value;
      }
      if (wanted.squares) squares.add(bucket, value * value);
    }
  }

  /** Collects any number of values for each document. */
  private collectSparse(
    leaf: NumberLeaf,
    docs: Int32Array,
    buckets: Int32Array | undefined,
    count: number,
  ): void {
    const counts = this.counts.values;
    const minima = this.minima.values;
    const maxima = this.maxima.values;
    for (let i = 0; i < count; i += 1) {
      const found = leaf.read(docs[i] as number);
      if (found === 0) continue;
      const bucket = buckets === undefined ? 0 : (buckets[i] as number);
      counts[bucket] = (counts[bucket] as number) + found;
      for (let v = 0; v < found; v += 1) {
        const value = leaf.buffer[v] as number;
        this.sums.add(bucket, value);
        // `Math.min` and `Math.max` keep the NaN that a script may give, which a comparison would
        // skip.
        minima[bucket] = Math.min(minima[bucket] as number, value);
        maxima[bucket] = Math.max(maxima[bucket] as number, value);
        if (this.wanted.squares) this.squares.add(bucket, value * value);
      }
    }
  }

  partial(bucket: number): Stats {
    return {
      count: this.counts.get(bucket),
      sum: this.sums.get(bucket),
      min: this.minima.get(bucket),
      max: this.maxima.get(bucket),
      squares: this.wanted.squares ? this.squares.get(bucket) : 0,
      format: this.format,
    };
  }

  metric(bucket: number, property: string | undefined): number {
    return statsProperty(this.partial(bucket), property, 2);
  }
}

/** Merges the shards' results in their order. */
function reduceStats(all: readonly Stats[]): Stats {
  if (all.length === 0) return EMPTY;
  return {
    count: all.reduce((total, { count }) => total + count, 0),
    sum: compensatedSum(all.map(({ sum }) => sum)),
    min: least(all.map(({ min }) => min)),
    max: greatest(all.map(({ max }) => max)),
    squares: compensatedSum(all.map(({ squares }) => squares)),
    format: all.find(({ format }) => format !== RAW)?.format ?? RAW,
  };
}

/** Metrics that print one number of `Stats`. */
type MetricName = "min" | "max" | "sum" | "avg";

/** Numbers by type of the aggregation. */
const WANTED: Readonly<Record<string, Wanted>> = {
  min: { sum: false, bounds: true, squares: false },
  max: { sum: false, bounds: true, squares: false },
  sum: { sum: true, bounds: false, squares: false },
  avg: { sum: true, bounds: false, squares: false },
  stats: { sum: true, bounds: true, squares: false },
  extended_stats: { sum: true, bounds: true, squares: true },
};

/** Parses `min`, `max`, `sum` or `avg`. */
export function parseMetric(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, head.type, []);
  const spec = options.values();
  const metric = head.type as MetricName;
  return defineMetric<Stats>(head, {
    create: (context) =>
      // oxlint-disable-next-line orrery/client-keys -- a closed set of names, none of a client's
      new StatsAggregator(context, spec, { type: head.type, wanted: WANTED[metric] as Wanted }),
    reduce: reduceStats,
    metric: (stats) => singleValue(stats, metric),
    render: (stats) => {
      const value = singleValue(stats, metric);
      const isEmpty = metric !== "sum" && stats.count === 0;
      const text = isEmpty ? undefined : formatNumber(value, stats.format);
      return { value: isEmpty ? null : double(value), value_as_string: text };
    },
  });
}

/** The number of the metric; of `avg` without values, NaN. */
function singleValue(stats: Stats, metric: MetricName): number {
  switch (metric) {
    case "min":
      return stats.min;
    case "max":
      return stats.max;
    case "sum":
      return stats.sum;
    case "avg":
      return stats.count === 0 ? Number.NaN : stats.sum / stats.count;
  }
}

// ------------------------------------------------------------------------------------------ stats

/** Parses a `stats` aggregation. */
export function parseStats(head: AggregationHead, at: Cursor): Aggregation {
  const spec = new Options(at, "stats", []).values();
  return defineMetric<Stats>(head, {
    create: (context) =>
      new StatsAggregator(context, spec, { type: "stats", wanted: WANTED["stats"] as Wanted }),
    reduce: reduceStats,
    metric: (stats, property) => statsProperty(stats, property, 2),
    render: renderStats,
  });
}

function renderStats(stats: Stats): { [key: string]: Printable } {
  const { count, min, max, sum, format } = stats;
  if (count === 0) return { count: 0, min: null, max: null, avg: null, sum: double(0) };
  const json: { [key: string]: Printable } = {
    count,
    min: double(min),
    max: double(max),
    avg: double(sum / count),
    sum: double(sum),
  };
  if (format === RAW) return json;
  for (const [name, value] of [
    ["min", min],
    ["max", max],
    ["avg", sum / count],
    ["sum", sum],
  ] as const) {
    setKey(json, `${name}_as_string`, formatNumber(value, format));
  }
  return json;
}

/** Parses an `extended_stats` aggregation. */
export function parseExtendedStats(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "extended_stats", ["sigma"]);
  const spec = options.values();
  const sigma = options.read(
    "sigma",
    (cursor) => {
      const value = floatOf(cursor);
      if (value < 0)
        throw illegalArgument(
          `[sigma] must be greater than or equal to 0. Found [${value.toFixed(1)}] in [${head.name}]`,
        );
      return value;
    },
    2,
  );
  return defineMetric<Stats>(head, {
    create: (context) =>
      new StatsAggregator(context, spec, {
        type: "extended_stats",
        wanted: WANTED["extended_stats"] as Wanted,
      }),
    reduce: reduceStats,
    metric: (stats, property) => statsProperty(stats, property, sigma),
    render: (stats) => renderExtended(stats, sigma),
  });
}

/** The variance from sum and sum of squares; rounding may make it negative, which counts as 0. */
function variance(stats: Stats, isSampling: boolean): number {
  const { count, sum, squares } = stats;
  const raw = (squares - (sum * sum) / count) / (isSampling ? count - 1 : count);
  return raw < 0 ? 0 : raw;
}

/**
 * A property by its name in a path, the average without a name.
 * @throws OperationError 400 for an unknown property
 */
function statsProperty(stats: Stats, property: string | undefined, sigma: number): number {
  const { count, sum, min, max, squares } = stats;
  const mean = count === 0 ? Number.NaN : sum / count;
  const deviation = Math.sqrt(variance(stats, false));
  const sampled = Math.sqrt(variance(stats, true));
  const known: Readonly<Record<string, number>> = {
    count,
    sum,
    min,
    max,
    avg: mean,
    sum_of_squares: squares,
    variance: variance(stats, false),
    variance_population: variance(stats, false),
    variance_sampling: variance(stats, true),
    std_deviation: deviation,
    std_deviation_population: deviation,
    std_deviation_sampling: sampled,
    std_upper: mean + sigma * deviation,
    std_lower: mean - sigma * deviation,
  };
  const value = lookup(known, property ?? "avg");
  if (value === undefined)
    throw illegalArgument(`Unknown value [${property}] in common stats aggregation`);
  return value;
}

/** The members of `extended_stats`. */
function renderExtended(stats: Stats, sigma: number): { [key: string]: Printable } {
  const base = renderStats(stats);
  const names = [
    "sum_of_squares",
    "variance",
    "variance_population",
    "variance_sampling",
    "std_deviation",
    "std_deviation_population",
    "std_deviation_sampling",
  ];
  const bounds = [
    "upper",
    "lower",
    "upper_population",
    "lower_population",
    "upper_sampling",
    "lower_sampling",
  ];
  if (stats.count === 0) {
    const nulls = Object.fromEntries(names.map((name) => [name, null]));
    return {
      ...base,
      ...nulls,
      std_deviation_bounds: Object.fromEntries(bounds.map((name) => [name, null])),
    };
  }
  const mean = stats.sum / stats.count;
  const deviation = statsProperty(stats, "std_deviation", sigma);
  const sampled = statsProperty(stats, "std_deviation_sampling", sigma);
  return {
    ...base,
    ...Object.fromEntries(names.map((name) => [name, double(statsProperty(stats, name, sigma))])),
    std_deviation_bounds: {
      upper: double(mean + sigma * deviation),
      lower: double(mean - sigma * deviation),
      upper_population: double(mean + sigma * deviation),
      lower_population: double(mean - sigma * deviation),
      upper_sampling: double(mean + sigma * sampled),
      lower_sampling: double(mean - sigma * sampled),
    },
  };
}

// ------------------------------------------------------------------------------------------ value_count

/** Parses a `value_count` aggregation. */
export function parseValueCount(head: AggregationHead, at: Cursor): Aggregation {
  const spec = new Options(at, "value_count", []).values();
  return defineMetric<number>(head, {
    create: (context) => valueCounter(context, spec),
    reduce: (partials) => partials.reduce((total, partial) => total + partial, 0),
    metric: (count) => count,
    render: (count) => ({ value: count }),
  });
}

/** The collector of `value_count`: fields of any type, or a script. */
function valueCounter(context: AggregationContext, spec: ValuesSpec): Aggregator<number> {
  const field = scriptedField(context, spec);
  const counts = new Doubles();
  const name = field === undefined ? "" : (field.aliasOf ?? field.name);
  // Every document has the name of its index.
  const isMissingCounted = spec.missing !== undefined || name === "_index";
  const openCounts =
    spec.script === undefined || (field === undefined && spec.field !== undefined)
      ? valueCounts(context, field)
      : scriptedCounts(context, spec.script, field);
  return {
    open: (segment) => {
      const countOf = openCounts(segment);
      if (countOf === undefined && !isMissingCounted) return NOTHING;
      return {
        collect: (docs, buckets, count) => {
          const totals = counts.reserve(maxBucket(buckets, count));
          for (let i = 0; i < count; i += 1) {
            const bucket = buckets === undefined ? 0 : (buckets[i] as number);
            const found = countOf?.(docs[i] as number) ?? 0;
            totals[bucket] =
              (totals[bucket] as number) + (found === 0 && isMissingCounted ? 1 : found);
          }
        },
      };
    },
    partial: (bucket) => counts.get(bucket),
    metric: (bucket) => counts.get(bucket),
  };
}
