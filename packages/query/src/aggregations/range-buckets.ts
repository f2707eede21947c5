/** Counting into ranges, which may overlap, for values of any kind. Source: `RangeAggregator`. */
import type { Json } from "@orrery/stdx";
import type { SegmentContext } from "../language/searcher.ts";
import type { Plain } from "../json/plain.ts";
import { createChildren } from "./children.ts";
import { holdBuckets } from "./bucket-numbers.ts";
import { BatchBuffer, Doubles, maxBucket } from "./growable.ts";
import type {
  AggregationHead,
  AggregationContext,
  Aggregator,
  LeafCollector,
} from "../language/aggregation.ts";
import type { ValueFormat } from "./value-format.ts";

/**
 * A range as the request has it. `key` of `undefined`: the range has no name; `from` or `to` of
 * `undefined`: it is open on this side.
 */
export interface RangeSpec {
  readonly key: string | undefined;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/**
 * One range in the partial of a shard: `n` is the number of its documents, `c` the partials of the
 * sub-aggregations. A bound is a number or an address; `undefined`: the range is open on this side.
 * The shard has resolved the bounds, as date math refers to its time.
 */
export interface RangeBucket {
  readonly key: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly n: number;
  readonly c: readonly Plain[];
}

/** The ranges in the order of their bounds. */
export interface RangePartial {
  readonly format: ValueFormat;
  readonly buckets: readonly RangeBucket[];
}

/**
 * Ranges on one shard. `open` visits the ranges that contain a value of the document, each once.
 */
interface RangeShard {
  readonly format: ValueFormat;
  readonly bounds: readonly Pick<RangeBucket, "key" | "from" | "to">[];
  open(
    segment: SegmentContext,
  ): ((doc: number, visit: (range: number) => void) => void) | undefined;
}

/**
 * The aggregator of ranges on one shard. Bucket `owner * width + i` is that of the i-th range below
 * the parent's bucket `owner`: ranges exist without documents, so numbers need no map.
 */
export function rangeAggregator(
  head: AggregationHead,
  context: AggregationContext,
  shard: RangeShard,
): Aggregator<RangePartial> {
  const children = createChildren(head.children, context);
  const counts = new Doubles();
  const width = shard.bounds.length;
  const { budget } = context;
  let held = 0;
  const batch = new BatchBuffer(budget);
  return {
    open: (segment): LeafCollector => {
      const leaf = children.open(segment);
      const ranges = shard.open(segment);
      if (ranges === undefined) return { collect: () => {} };
      // Below other buckets a document comes once for each bucket that holds it, in succession, so
      // its ranges are kept.
      const found: number[] = [];
      let last = -1;
      return {
        collect: (docs, buckets, count, scores) => {
          batch.count = 0;
          const size = (maxBucket(buckets, count) + 1) * width;
          held = holdBuckets(children, { held, size });
          for (let i = 0; i < count; i += 1) {
            const doc = docs[i] as number;
            const base = (buckets === undefined ? 0 : (buckets[i] as number)) * width;
            if (doc !== last) {
              found.length = 0;
              ranges(doc, (range) => found.push(range));
              last = doc;
            }
            budget.step(found.length + 1);
            const score = scores === undefined ? 0 : (scores[i] as number);
            for (const range of found) batch.add(doc, base + range, score);
          }
          batch.countInto(counts, size);
          if (!children.isEmpty && batch.count > 0) {
            leaf.collect(
              batch.docs,
              batch.buckets,
              batch.count,
              scores === undefined ? undefined : batch.scores,
            );
          }
        },
      };
    },
    partial: (bucket) => ({
      format: shard.format,
      buckets: shard.bounds.map((bound, i) => ({
        ...bound,
        n: counts.get(bucket * width + i),
        c: children.partials(bucket * width + i),
      })),
    }),
  };
}
