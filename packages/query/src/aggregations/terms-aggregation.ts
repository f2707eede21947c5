/**
 * The aggregation that `terms` and `multi_terms` have in common once shards have counted:
 * reduction, names, rendering.
 */
import { defineBuckets } from "./define.ts";
import { checkOrder } from "./order.ts";
import { keyTextOf, reduceTerms, renderTerms } from "./terms-result.ts";
import type { TermsPartial, TermsSpec } from "./terms-spec.ts";
import type { Aggregation, AggregationContext, Aggregator } from "../language/aggregation.ts";

/**
 * Makes a `terms` aggregation; `create` makes its aggregator on a shard. The order is checked on
 * the shard, as in the product, so an invalid path is a shard failure.
 */
export function termsAggregation(
  spec: TermsSpec,
  create: (context: AggregationContext) => Aggregator<TermsPartial>,
): Aggregation {
  const { head } = spec;
  return defineBuckets<TermsPartial>(head, {
    create: (context) => {
      checkOrder(spec.order, head.children);
      return create(context);
    },
    reduce: (partials, context) => reduceTerms(spec, partials, context),
    typedName,
    bucketsOf: (partial) =>
      partial.buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: keyTextOf(k, partial),
        count: n,
        children: c,
      })),
    render: (partial, options) => renderTerms(spec, partial, options),
  });
}

/** The product's names of string, double and long terms. */
function typedName({ kind }: TermsPartial): string {
  if (kind === "string" || kind === "unmapped") return "sterms";
  return kind === "double" ? "dterms" : "lterms";
}
