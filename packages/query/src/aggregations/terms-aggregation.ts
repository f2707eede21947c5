/** What `terms` and `multi_terms` do alike once their shards have counted. */
import { bucketHead } from "./histogram.ts";
import { checkOrder } from "./order.ts";
import { keyTextOf, reduceTerms, renderTerms } from "./terms-result.ts";
import type { TermsPartial, TermsSpec } from "./terms-spec.ts";
import type { Aggregation, AggregationContext, Aggregator } from "./types.ts";

export function termsAggregation(
  spec: TermsSpec,
  create: (context: AggregationContext) => Aggregator,
): Aggregation {
  const { head } = spec;
  return {
    ...bucketHead(head),
    create: (context) => {
      checkOrder(spec.order, head.children);
      return create(context);
    },
    reduce: (partials, context) => reduceTerms(spec, partials, context),
    typedName: (reduced) => typedName(reduced as unknown as TermsPartial | undefined),
    bucketsOf: (reduced) => {
      const partial = reduced as unknown as TermsPartial;
      return partial.buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: keyTextOf(k, partial),
        count: n,
        children: c,
      }));
    },
    render: (reduced, options_) => renderTerms(spec, reduced as unknown as TermsPartial, options_),
  };
}

function typedName(partial: TermsPartial | undefined): string {
  const kind = partial?.kind ?? "unmapped";
  if (kind === "string" || kind === "unmapped") return "sterms";
  return kind === "double" ? "dterms" : "lterms";
}
