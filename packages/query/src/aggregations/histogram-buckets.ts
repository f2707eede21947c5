/**
 * The part that `histogram` and `date_histogram` share: counting by interval on the shard, merging,
 * empty buckets, bounds, rendering. Source: `AbstractHistogramAggregator`, `InternalHistogram`.
 *
 * Documents are mostly indexed in the order of time, so neighbours fall into one interval. The
 * loops look for runs of documents in one interval, number its bucket once, and pass long runs on
 * as such (`collectRun`).
 */
import { double, javaDouble, jsonText, lazyItems, lazyMembers } from "../json/json-text.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { Plain } from "../json/plain.ts";
import type { Printable } from "../json/printable.ts";
import { BucketNumbers } from "./bucket-numbers.ts";
import { createChildren, emptyChildren, renderChildren, type Children } from "./children.ts";
import { BatchBuffer, Doubles, ENTRY_STEPS } from "./growable.ts";
import { reducedComparator, type OrderKey, type ReducedBucket } from "./order.ts";
import { applyParentPipelines, hasParentPipelines } from "./pipeline/apply.ts";
import { mergeBuckets, type MergedBucket } from "./keyed-buckets.ts";
import { reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import type {
  AggregationContext,
  AggregationTree,
  Aggregator,
  LeafCollector,
  PipelineBucket,
  ReduceContext,
  RenderOptions,
} from "../language/aggregation.ts";
import { formatNumber, type ValueFormat } from "./value-format.ts";
import type { NumberSource } from "./values.ts";

/** The buckets of a histogram in ascending order of their keys, of one shard or of several. */
export interface HistogramPartial {
  readonly format: ValueFormat;
  readonly buckets: readonly {
    readonly k: number;
    readonly n: number;
    readonly c: readonly Plain[];
  }[];
}

/** A histogram on one shard. */
export interface HistogramShard {
  readonly source: NumberSource;
  readonly format: ValueFormat;
  readonly children: AggregationTree;
  /** The key of a value: the start of its interval. */
  round(value: number): number;
  /** The start of the next interval, where the one of `key` ends. */
  next(key: number): number;
  /** Buckets outside are not made; `undefined`: no limits. Both ends are inside. */
  readonly hardBounds: Bounds | undefined;
}

/** Limits of the keys of a histogram; `undefined`: no limit on this side. */
export interface Bounds {
  readonly min?: number | undefined;
  readonly max?: number | undefined;
}

/** Documents below which a run costs more than passing its documents one by one. */
const SHORT_RUN = 16;
/** Short runs after which the rest of a batch is passed document by document. */
const MOST_SHORT_RUNS = 8;

/** Steps of the budget for rounding a value, in a time zone at worst. */
const ROUNDING_STEPS = 10;

/**
 * The aggregator of a histogram on one shard. Buckets are numbered by key below each parent's
 * bucket.
 */
export class HistogramAggregator implements Aggregator<HistogramPartial> {
  private readonly shard: HistogramShard;
  private readonly children: Children;
  private readonly numbers: BucketNumbers<number>;
  private readonly counts = new Doubles();
  private readonly batch: BatchBuffer;

  constructor(shard: HistogramShard, context: AggregationContext) {
    this.shard = shard;
    this.children = createChildren(shard.children, context);
    this.numbers = new BucketNumbers(this.children);
    this.batch = new BatchBuffer(context.budget);
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const values = this.shard.source.open(segment);
    if (values === undefined) return { collect: () => {} };
    const { dense } = values;
    if (dense !== undefined) return this.denseCollector(dense, leaf);
    const { batch, numbers, shard } = this;
    const { budget } = this.children;
    return {
      collect: (docs, buckets, count, scores) => {
        batch.count = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const found = values.read(doc);
          budget.step(found * ROUNDING_STEPS);
          let last = Number.NaN;
          for (let v = 0; v < found; v += 1) {
            const key = shard.round(values.buffer[v] as number);
            if (key === last || !isInside(shard.hardBounds, key)) continue;
            last = key;
            batch.add(
              doc,
              numbers.number(buckets === undefined ? 0 : (buckets[i] as number), key),
              scores === undefined ? 0 : (scores[i] as number),
            );
          }
        }
        this.flush(leaf, scores !== undefined);
      },
    };
  }

  /**
   * The collector of columns with one value for each document. The bounds of the last interval are
   * kept, so that rounding is skipped for neighbours.
   */
  private denseCollector(dense: Int32Array | Float64Array, leaf: LeafCollector): LeafCollector {
    const { batch, numbers, shard } = this;
    const { collectRun } = leaf;
    return {
      collectRun:
        collectRun === undefined || shard.hardBounds !== undefined
          ? undefined
          : (first, end, owner) => this.passRuns(dense, { first, end, owner }, leaf),
      collect: (docs, buckets, count, scores) => {
        batch.reserve(count);
        if (buckets === undefined && scores === undefined && shard.hardBounds === undefined) {
          this.collectRuns(dense, docs, count, 0);
          if (!this.children.isEmpty) leaf.collect(docs, batch.buckets, count, undefined);
          return;
        }
        // The loop reads only local variables: those of the closure would be boxed.
        const { docs: outDocs, buckets: outBuckets, scores: outScores } = batch;
        let low = 0;
        let high = -1;
        let owner = -1;
        let bucket = -1;
        let kept = 0;
        for (let i = 0; i < count; i += 1) {
          const doc = docs[i] as number;
          const value = dense[doc] as number;
          const own = buckets === undefined ? 0 : (buckets[i] as number);
          if (!(value >= low && value < high && own === owner)) {
            const key = shard.round(value);
            low = key;
            high = shard.next(key);
            owner = own;
            bucket = isInside(shard.hardBounds, key) ? numbers.number(own, key) : -1;
          }
          if (bucket < 0) continue;
          outDocs[kept] = doc;
          outBuckets[kept] = bucket;
          if (scores !== undefined) outScores[kept] = scores[i] as number;
          kept += 1;
        }
        batch.count = kept;
        this.flush(leaf, scores !== undefined);
      },
    };
  }

  /**
   * Passes the runs of [first, end) on as runs while they are long. Documents that are not in the
   * order of the values would be passed one at a time, so after several short runs the rest is
   * passed as a batch.
   */
  private passRuns(
    dense: Int32Array | Float64Array,
    { first, end, owner }: { readonly first: number; readonly end: number; readonly owner: number },
    leaf: LeafCollector,
  ): void {
    const { batch, numbers, shard } = this;
    let short = 0;
    for (let from = first; from < end;) {
      const low = shard.round(dense[from] as number);
      const to = endOfRun(dense, { from, end, low, high: shard.next(low) });
      const bucket = numbers.number(owner, low);
      const counts = this.counts.reserve(bucket);
      counts[bucket] = (counts[bucket] as number) + to - from;
      batch.budget.step(ENTRY_STEPS);
      leaf.collectRun?.(from, to, bucket);
      if (to - from < SHORT_RUN) short += 1;
      from = to;
      if (short < MOST_SHORT_RUNS || from === end) continue;
      this.passEach(dense, { first: from, end, owner }, leaf);
      return;
    }
  }

  /** Passes the documents of [first, end) on as a batch. */
  private passEach(
    dense: Int32Array | Float64Array,
    { first, end, owner }: { readonly first: number; readonly end: number; readonly owner: number },
    leaf: LeafCollector,
  ): void {
    const { batch } = this;
    const count = end - first;
    batch.reserve(count);
    for (let i = 0; i < count; i += 1) batch.docs[i] = first + i;
    this.collectRuns(dense, batch.docs, count, owner);
    if (!this.children.isEmpty) leaf.collect(batch.docs, batch.buckets, count, undefined);
  }

  /**
   * Numbers and counts a batch of one owner by runs; `batch.buckets` then holds each document's
   * bucket.
   */
  private collectRuns(
    dense: Int32Array | Float64Array,
    docs: Int32Array,
    count: number,
    owner: number,
  ): void {
    const { batch, numbers, shard } = this;
    const { buckets } = batch;
    batch.budget.step(count * ENTRY_STEPS);
    for (let from = 0; from < count;) {
      const low = shard.round(dense[docs[from] as number] as number);
      const high = shard.next(low);
      const bucket = numbers.number(owner, low);
      let end = from + 1;
      while (end < count) {
        const value = dense[docs[end] as number] as number;
        if (!(value >= low && value < high)) break;
        end += 1;
      }
      for (let i = from; i < end; i += 1) buckets[i] = bucket;
      const counts = this.counts.reserve(bucket);
      counts[bucket] = (counts[bucket] as number) + end - from;
      from = end;
    }
  }

  /** Counts the assembled batch and passes it on. */
  private flush(leaf: LeafCollector, hasScores: boolean): void {
    const { batch } = this;
    batch.countInto(this.counts, this.numbers.size);
    if (!this.children.isEmpty && batch.count > 0) {
      leaf.collect(batch.docs, batch.buckets, batch.count, hasScores ? batch.scores : undefined);
    }
  }

  partial(bucket: number): HistogramPartial {
    const buckets = this.numbers
      .of(bucket)
      .toSorted((a, b) => a.key - b.key)
      .map(({ key, bucket: own }) => ({
        k: key,
        n: this.counts.get(own),
        c: this.children.partials(own),
      }));
    return { format: this.shard.format, buckets };
  }
}

/** Documents [from, end) and an interval of values [low, high). */
interface Interval {
  readonly from: number;
  readonly end: number;
  readonly low: number;
  readonly high: number;
}

/**
 * The first document of [from, end) whose value is outside of [low, high). The value of `from` is
 * inside by assumption.
 */
function endOfRun(values: Int32Array | Float64Array, { from, end, low, high }: Interval): number {
  let doc = from + 1;
  for (; doc < end; doc += 1) {
    const value = values[doc] as number;
    if (!(value >= low && value < high)) break;
  }
  return doc;
}

/** Whether a key lies within the bounds. */
function isInside(bounds: Bounds | undefined, key: number): boolean {
  if (bounds === undefined) return true;
  return (
    (bounds.min === undefined || key >= bounds.min) &&
    (bounds.max === undefined || key <= bounds.max)
  );
}

/** The parameters of a histogram that its reduction needs. */
export interface HistogramSpec {
  readonly children: AggregationTree;
  readonly minDocCount: number;
  readonly order: readonly OrderKey[];
  readonly isKeyed: boolean;
  /** Keys between which buckets exist even without documents. */
  readonly extended: Bounds | undefined;
  next(key: number): number;
  round(value: number): number;
}

/** Buckets of all shards with one key. */
const mergedBucket: BucketRule<MergedBucket<number>, ReducedBucket> = {
  partials: ({ children }) => children,
  build: ({ key, count }, children) => ({ key, count, children }),
};

/** A merged bucket, reduced once more as the final one. */
const finalBucket: BucketRule<ReducedBucket, ReducedBucket> = {
  partials: ({ children }) => [children],
  build: (bucket, children) => ({ ...bucket, children }),
};

/**
 * Merges the buckets by key; the final reduction fills gaps, runs pipelines and sorts. Results
 * below are reduced in two rounds: gaps are filled with partial results, which the final round
 * completes like all others.
 */
export function* reduceHistogram(
  spec: HistogramSpec,
  all: readonly HistogramPartial[],
  context: ReduceContext,
): Generator<undefined, HistogramPartial> {
  const merged = mergeBuckets(
    all.map(({ buckets }) => buckets),
    (key) => key,
  ).toSorted((a, b) => a.key - b.key);
  const partly = { ...context, isFinal: false };
  let buckets = yield* reduceBuckets(spec.children, merged, mergedBucket, partly);
  if (context.isFinal) {
    buckets =
      spec.minDocCount === 0
        ? yield* fillGaps(spec, buckets, context)
        : buckets.filter(({ count }) => count >= spec.minDocCount);
    buckets = yield* reduceBuckets(spec.children, buckets, finalBucket, context);
    context.addBuckets(buckets.length);
    if (hasParentPipelines(spec.children)) {
      const format = all.find((one) => one.format !== "raw")?.format ?? "raw";
      const piped = yield* applyParentPipelines(
        spec.children,
        buckets.map((bucket) => ({ ...bucket, keyText: keyTextOf(Number(bucket.key), format) })),
        context,
      );
      buckets = [...piped];
    }
    if (spec.order[0]?.path !== "_key" || !spec.order[0].isAscending)
      buckets.sort(reducedComparator(spec.order, spec.children));
  }
  return {
    format: all.find(({ format }) => format !== "raw")?.format ?? all[0]?.format ?? "raw",
    buckets: buckets.map(({ key, count, children }) => ({ k: Number(key), n: count, c: children })),
  };
}

/** The key as text. */
function keyTextOf(key: number, format: ValueFormat): string {
  return formatNumber(key, format) ?? javaDouble(key);
}

/** The buckets of a histogram, as sibling pipelines read them. */
export function histogramBuckets({ buckets, format }: HistogramPartial): PipelineBucket[] {
  return buckets.map(({ k, n, c }) => ({
    key: k,
    keyText: keyTextOf(k, format),
    count: n,
    children: c,
  }));
}

/**
 * Adds empty buckets between the first and the last key, and out to `extended_bounds`. All share
 * one empty result.
 */
function* fillGaps(
  spec: HistogramSpec,
  buckets: readonly ReducedBucket[],
  context: ReduceContext,
): Generator<undefined, ReducedBucket[]> {
  const { extended } = spec;
  const first = buckets[0]?.key;
  const last = buckets.at(-1)?.key;
  const low = extended?.min === undefined ? Infinity : spec.round(extended.min);
  const high = extended?.max === undefined ? -Infinity : spec.round(extended.max);
  const start = Math.min(first === undefined ? Infinity : Number(first), low);
  const end = Math.max(last === undefined ? -Infinity : Number(last), high);
  if (!Number.isFinite(start) || !Number.isFinite(end)) return [...buckets];
  const byKey = new Map(buckets.map((bucket) => [Number(bucket.key), bucket]));
  const filled: ReducedBucket[] = [];
  const nothing = yield* emptyChildren(spec.children, { ...context, isFinal: false });
  for (let key = start; key <= end; key = spec.next(key)) {
    filled.push(byKey.get(key) ?? { key, count: 0, children: nothing });
    // Checked while filling: an endless gap would exhaust the memory before the limit is checked.
    if (filled.length > context.maxBuckets) context.addBuckets(filled.length);
  }
  return filled;
}

/** The members of a histogram in the response; buckets are rendered while they are printed. */
export function renderHistogram(
  spec: HistogramSpec,
  partial: HistogramPartial,
  options: RenderOptions & { readonly isDate: boolean },
): { [key: string]: Printable } {
  const print = ({ k, n, c }: HistogramPartial["buckets"][number]): Printable => {
    const text = formatNumber(k, partial.format);
    const key: Printable = options.isDate ? k : double(k);
    return {
      ...(text === undefined ? { key } : { key_as_string: text, key }),
      doc_count: n,
      ...renderChildren(spec.children, c, options),
    };
  };
  if (!spec.isKeyed) return { buckets: lazyItems(partial.buckets, print) };
  const nameOf = (k: number): string => formatNumber(k, partial.format) ?? jsonText(double(k));
  return { buckets: lazyMembers(partial.buckets, ({ k }) => nameOf(k), print) };
}
