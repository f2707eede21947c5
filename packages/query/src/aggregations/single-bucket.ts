/**
 * Aggregations with one bucket for each of the parent's (`filter`, `missing`, `nested`,
 * `reverse_nested`): counting, reducing, rendering. Source: `SingleBucketAggregator`.
 */
import type { SegmentContext } from "../language/searcher.ts";
import type { Plain } from "../json/plain.ts";
import { createChildren, reduceChildren, renderChildren, type Children } from "./children.ts";
import { defineBuckets, type BucketDefinition } from "./define.ts";
import { BatchBuffer, Doubles, maxBucket } from "./growable.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
  LeafCollector,
} from "../language/aggregation.ts";
import { partialOf } from "./reduce-steps.ts";

/**
 * Copies the documents of a batch that belong to the bucket into `kept`, with their buckets and
 * scores.
 */
export type Select = (
  docs: Int32Array,
  buckets: Int32Array | undefined,
  count: number,
  kept: BatchBuffer,
  scores: Float32Array | undefined,
) => void;

/** Document count and partials of the sub-aggregations. */
export interface SinglePartial {
  readonly n: number;
  readonly c: readonly Plain[];
}

/** The bucket has the number of its parent's bucket. */
class SingleBucketAggregator implements Aggregator<SinglePartial> {
  private readonly children: Children;
  private readonly counts = new Doubles();
  private readonly kept: BatchBuffer;
  private readonly select: (segment: SegmentContext) => Select;

  constructor(children: Children, select: (segment: SegmentContext) => Select) {
    this.children = children;
    this.kept = new BatchBuffer(children.budget);
    this.select = select;
  }

  open(segment: SegmentContext): LeafCollector {
    const leaf = this.children.open(segment);
    const select = this.select(segment);
    const { kept, children } = this;
    return {
      collect: (docs, buckets, count, scores) => {
        kept.count = 0;
        kept.reserve(count);
        select(docs, buckets, count, kept, scores);
        const counts = this.counts.reserve(maxBucket(buckets, count));
        for (let i = 0; i < kept.count; i += 1) {
          const bucket = kept.buckets[i] as number;
          counts[bucket] = (counts[bucket] as number) + 1;
        }
        if (children.isEmpty || kept.count === 0) return;
        leaf.collect(
          kept.docs,
          buckets === undefined ? undefined : kept.buckets,
          kept.count,
          scores === undefined ? undefined : kept.scores,
        );
      },
    };
  }

  partial(bucket: number): SinglePartial {
    return { n: this.counts.get(bucket), c: this.children.partials(bucket) };
  }

  metric(bucket: number): number {
    return this.counts.get(bucket);
  }
}

/**
 * Makes an aggregation with one bucket; `create` gives, for each segment, the function that selects
 * the bucket's documents.
 */
export function singleBucket(
  head: AggregationHead,
  create: (context: AggregationContext) => (segment: SegmentContext) => Select,
): Aggregation {
  return defineBuckets<SinglePartial>(head, {
    ...singleResult(head),
    create: (context) =>
      new SingleBucketAggregator(createChildren(head.children, context), create(context)),
  });
}

/** Reduction and rendering of the counted bucket, for aggregations that count in their own way. */
export function singleResult({
  children,
}: AggregationHead): Omit<BucketDefinition<SinglePartial>, "create"> {
  return {
    reduce: (partials, context) => {
      const each = partials.map(({ c }) => c);
      return partialOf(reduceChildren(children, each, context), (c) => ({
        n: partials.reduce((total, { n }) => total + n, 0),
        c,
      }));
    },
    metric: ({ n }) => n,
    bucketOf: ({ n, c }) => ({ count: n, children: c }),
    render: ({ n, c }, options) => ({ doc_count: n, ...renderChildren(children, c, options) }),
  };
}
