/**
 * The part of `terms` that does not depend on the kind of key: cutting a shard's buckets to the
 * best ones.
 */
import { type Children, createChildren } from "./children.ts";
import { Doubles } from "./growable.ts";
import { type BucketKey, shardComparator } from "./order.ts";
import { type KeyKind, shardSizeOf, type TermsPartial, type TermsSpec } from "./terms-spec.ts";
import type { AggregationContext } from "../language/aggregation.ts";
import type { ValueFormat } from "./value-format.ts";

/**
 * The base of aggregators of terms. A subclass counts documents in `counts`, by number of the
 * bucket.
 */
export abstract class TermsBase {
  protected readonly spec: TermsSpec;
  protected readonly children: Children;
  protected readonly counts: Doubles = new Doubles();
  protected readonly context: AggregationContext;

  constructor(spec: TermsSpec, context: AggregationContext) {
    this.spec = spec;
    this.context = context;
    this.children = createChildren(spec.head.children, context);
  }

  /**
   * The partial of one owner: buckets above the shard's minimum, in the order of the request, cut
   * to the shard's size. `other` counts the documents of all that were left out.
   */
  protected finish(
    buckets: readonly { readonly key: BucketKey; readonly bucket: number }[],
    shape: { readonly kind: KeyKind; readonly format: ValueFormat },
  ): TermsPartial {
    const { spec } = this;
    const counted = buckets.map(({ key, bucket }) => ({
      key,
      bucket,
      count: this.counts.get(bucket),
    }));
    const limit = shardSizeOf(spec);
    // With one shard its counts are final, so buckets without documents can be dropped here.
    const minimum = Math.max(
      spec.shardMinDocCount,
      this.context.totalShards === 1 ? Math.min(spec.minDocCount, 1) : 0,
    );
    const kept = counted.filter(({ count }) => count >= minimum);
    kept.sort(shardComparator(spec.order, this.children));
    const best = kept.slice(0, limit);
    const other =
      counted.reduce((total, { count }) => total + count, 0) -
      best.reduce((total, { count }) => total + count, 0);
    return {
      ...shape,
      other,
      error: 0,
      shardSize: limit,
      buckets: best.map(({ key, count, bucket }) => ({
        k: key,
        n: count,
        c: this.children.partials(bucket),
      })),
    };
  }
}
