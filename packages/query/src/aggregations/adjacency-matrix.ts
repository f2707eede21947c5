/**
 * `adjacency_matrix`: a bucket for each named filter and for each pair of filters with common
 * documents. Source: `AdjacencyMatrixAggregator`.
 */
import { illegalArgument } from "@orrery/stdx";
import { lazyItems } from "../json/json-text.ts";
import { members, scalarText, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import type { Query } from "../language/query.ts";
import { compareCodePoints } from "../sorts/compare.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { queryTest, selectBy } from "./filter.ts";
import { BatchBuffer } from "./growable.ts";
import { KeyedBuckets, mergeBuckets, reduceMerged, type PartialBucket } from "./keyed-buckets.ts";
import { checkMatrixFilters } from "./limits.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { partialOf } from "./reduce-steps.ts";

/** A parsed request; filters in the order of their names, so that each pair has one key. */
interface MatrixSpec {
  readonly filters: readonly { readonly name: string; readonly query: Query }[];
  readonly separator: string;
}

interface MatrixPartial {
  readonly buckets: readonly PartialBucket<string>[];
}

/** Parses an `adjacency_matrix` aggregation. */
export function parseAdjacencyMatrix(head: AggregationHead, at: Cursor): Aggregation {
  const spec = parseSpec(at);
  return defineBuckets<MatrixPartial>(head, {
    create: (context) => createMatrix(head, spec, context),
    reduce: (partials, context) => {
      const merged = mergeBuckets(
        partials.map(({ buckets }) => buckets),
        String,
      ).toSorted((a, b) => compareCodePoints(a.key, b.key));
      if (context.isFinal) context.addBuckets(merged.length);
      return partialOf(reduceMerged(head.children, merged, context), (buckets) => ({ buckets }));
    },
    bucketsOf: ({ buckets }) =>
      buckets.map(({ k, n, c }) => ({ key: k, keyText: k, count: n, children: c })),
    render: ({ buckets }, options) => ({
      buckets: lazyItems(buckets, ({ k, n, c }) => ({
        key: k,
        doc_count: n,
        ...renderChildren(head.children, c, options),
      })),
    }),
  });
}

function parseSpec(at: Cursor): MatrixSpec {
  let filters: MatrixSpec["filters"] = [];
  let separator = "&";
  for (const [name, member] of members(at)) {
    if (name === "filters")
      filters = members(member).map(([key, item]) => ({ name: key, query: parseQuery(item) }));
    else if (name === "separator") separator = scalarText(member);
    else throw unknownField(member, "adjacency_matrix", ["filters", "separator"]);
  }
  if (filters.length === 0) throw illegalArgument("[filters] is missing");
  return { filters: filters.toSorted((a, b) => compareCodePoints(a.name, b.name)), separator };
}

/**
 * The collector of one shard. Each batch is first sifted by every filter, then each document is put
 * into the buckets of its filters and their pairs.
 */
function createMatrix(
  head: AggregationHead,
  { filters, separator }: MatrixSpec,
  context: AggregationContext,
): Aggregator<MatrixPartial> {
  checkMatrixFilters(context, filters.length);
  const tests = filters.map(({ query }) => queryTest(query, context));
  const buckets = new KeyedBuckets<string>(head.children, context);
  return {
    open: (segment) => {
      const selects = tests.map((open) => selectBy(open(segment)));
      let matched: readonly ReadonlySet<number>[] = [];
      const kept = new BatchBuffer(context.budget);
      const leaf = buckets.open(segment, (doc, put) => {
        const names = filters
          .filter((_, i) => matched[i]?.has(doc) === true)
          .map(({ name }) => name);
        for (const [i, name] of names.entries()) {
          put(name);
          for (const other of names.slice(i + 1)) put(`${name}${separator}${other}`);
        }
      });
      return {
        collect: (docs, owners, count, scores) => {
          matched = selects.map((select) => {
            context.budget.step(count * 2);
            kept.count = 0;
            kept.reserve(count);
            select(docs, owners, count, kept, undefined);
            return new Set(kept.docs.subarray(0, kept.count));
          });
          leaf.collect(docs, owners, count, scores);
        },
      };
    },
    partial: (owner) => ({
      buckets: buckets.of(owner).map(({ key, count, bucket }) => ({
        k: key,
        n: count,
        c: buckets.children.partials(bucket),
      })),
    }),
  };
}
