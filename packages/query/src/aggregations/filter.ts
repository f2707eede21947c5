/**
 * `filter`, `filters`, `global` and `missing`: buckets of the documents that match a query, all
 * queries, or lack a value. Source: `FilterAggregator`, `FiltersAggregator`, `GlobalAggregator`,
 * `MissingAggregator`.
 */
import { illegalArgument, isJsonObject } from "@orrery/stdx";
import { lazyItems, lazyMembers } from "../json/json-text.ts";
import {
  items,
  members,
  parsingError,
  scalarText,
  booleanOf,
  unknownField,
} from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { buildRoot } from "../queries/query.ts";
import type { Query } from "../language/query.ts";
import { hasBit, nextBit } from "../execution/bits.ts";
import type { DocFilter } from "../language/scorer.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { filterOf } from "../execution/weights/bool.ts";
import { dropAll } from "../execution/weights/filters.ts";
import { weightOf } from "../execution/weights/table.ts";
import type { Printable } from "../json/printable.ts";
import { holdBuckets } from "./bucket-numbers.ts";
import { createChildren, renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { BatchBuffer, Doubles, maxBucket } from "./growable.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import { singleBucket, type Select, type SinglePartial } from "./single-bucket.ts";
import { compareKeys } from "./order.ts";
import { partialOf, reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import { documentsWithValues } from "./presence.ts";
import { aggregatedField } from "./values.ts";

/** Parses a `filter` aggregation. */
export function parseFilter(head: AggregationHead, at: Cursor): Aggregation {
  const query = parseQuery(at);
  return singleBucket(head, (context) => {
    const open = queryTest(query, context);
    return (segment) => selectBy(open(segment));
  });
}

/**
 * Makes a filter of batches from a query, for each segment. The plan of the query is registered
 * with the context, so that its patterns are expanded in steps beforehand.
 */
export function queryTest(
  query: Query,
  { build, plans }: AggregationContext,
): (segment: SegmentContext) => DocFilter {
  const plan = buildRoot(query, build);
  plans.push(plan);
  const weight = weightOf(plan, build.searcher, { needsScores: false });
  return (segment) => filterOf(weight, segment);
}

/**
 * Makes a selection from a filter. The filter drops indices of the batch together with documents;
 * buckets and scores are then copied by the indices that are left.
 */
export function selectBy(filter: DocFilter): Select {
  let order = new Int32Array(1024);
  return (docs, buckets, count, kept, scores) => {
    if (filter === dropAll) return;
    if (order.length < count) order = new Int32Array(count * 2);
    for (let i = 0; i < count; i += 1) {
      kept.docs[i] = docs[i] as number;
      order[i] = i;
    }
    kept.count = filter.keep(kept.docs, order, count);
    for (let i = 0; i < kept.count; i += 1) {
      const from = order[i] as number;
      kept.buckets[i] = buckets === undefined ? 0 : (buckets[from] as number);
      if (scores !== undefined) kept.scores[i] = scores[from] as number;
    }
  };
}

/** Parses a `missing` aggregation. */
export function parseMissing(head: AggregationHead, at: Cursor): Aggregation {
  const spec = new Options(at, "missing", []).values();
  return singleBucket(head, (context) => {
    const field = aggregatedField(context, spec);
    const name = field === undefined ? "" : (field.aliasOf ?? field.name);
    // Every document has an id and an index, and a `missing` value of the request counts as a
    // value.
    if (spec.missing !== undefined || name === "_index" || name === "_id")
      return () => selectWhere(() => false);
    const open = documentsWithValues(context, field);
    return (segment) => {
      const has = open(segment);
      return selectWhere((doc) => !has(doc));
    };
  });
}

/** Selects by a test of one document. */
function selectWhere(test: (doc: number) => boolean): Select {
  return (docs, buckets, count, kept, scores) => {
    for (let i = 0; i < count; i += 1) {
      const doc = docs[i] as number;
      if (test(doc))
        kept.add(
          doc,
          buckets === undefined ? 0 : (buckets[i] as number),
          scores === undefined ? 0 : (scores[i] as number),
        );
    }
  };
}

/**
 * Parses a `global` aggregation, which is allowed at the top only. It collects all accepted
 * documents of the alias and of the slice: it ignores the batches of the query, and visits every segment when its partial is
 * requested.
 */
export function parseGlobal(head: AggregationHead, at: Cursor): Aggregation {
  const [first] = members(at);
  if (first !== undefined) throw unknownField(first[1], "global", []);
  const inner = singleBucket(head, ({ build, filters }) => {
    const weights = filters.map((plan) => weightOf(plan, build.searcher, { needsScores: false }));
    return (segment) => selectBy(keepsAll(weights.map((weight) => filterOf(weight, segment))));
  });
  return {
    ...inner,
    create: (context) => {
      const aggregator = inner.create(context);
      const visited = new Set<number>();
      const visit = (segment: SegmentContext): void => {
        if (visited.has(segment.ord)) return;
        visited.add(segment.ord);
        const leaf = aggregator.open(segment);
        const batch = new BatchBuffer(context.budget);
        for (
          let doc = nextAccepted(segment, 0);
          doc < segment.maxDoc;
          doc = nextAccepted(segment, doc + 1)
        ) {
          batch.add(doc, 0, 0);
          if (batch.count < 1024) continue;
          leaf.collect(batch.docs, undefined, batch.count, undefined);
          batch.count = 0;
        }
        leaf.collect(batch.docs, undefined, batch.count, undefined);
      };
      return {
        open: () => ({ collect: () => {} }),
        partial: (bucket) => {
          for (const segment of context.build.searcher.segments) visit(segment);
          return aggregator.partial(bucket);
        },
      };
    },
  };
}

/** Keeps the documents that all filters keep. */
function keepsAll(filters: readonly DocFilter[]): DocFilter {
  return {
    cost: filters.length,
    keep: (docs, extra, count) =>
      filters.reduce((left, filter) => filter.keep(docs, extra, left), count),
  };
}

/** The first accepted document at or after `from`; `maxDoc` if there is none. */
function nextAccepted({ accept, maxDoc }: SegmentContext, from: number): number {
  if (accept === undefined) return from < maxDoc ? from : maxDoc;
  return Math.min(maxDoc, nextBit(accept, from, maxDoc));
}

// ------------------------------------------------------------------------------------------ filters

/** A filter by its name, or its index where filters are anonymous. */
interface NamedFilter {
  readonly name: string;
  readonly query: Query;
}

/**
 * A parsed request; `otherKey` names the bucket of documents that no filter matches (`undefined`:
 * none).
 */
interface FiltersSpec {
  readonly filters: readonly NamedFilter[];
  readonly isKeyed: boolean;
  readonly otherKey: string | undefined;
}

/** The buckets of a shard, or of a reduction. */
interface FiltersPartial {
  /** By the index of the filter; the other bucket is last. */
  readonly b: readonly SinglePartial[];
}

/** Parses a `filters` aggregation. */
export function parseFilters(head: AggregationHead, at: Cursor): Aggregation {
  const spec = parseFiltersSpec(at);
  const names = [
    ...spec.filters.map(({ name }) => name),
    ...(spec.otherKey === undefined ? [] : [spec.otherKey]),
  ];
  return defineBuckets<FiltersPartial>(head, {
    bucketCount: names.length,
    create: (context) => createFilters(spec, head, context),
    reduce: (partials, context) => {
      context.addBuckets(names.length);
      const rule: BucketRule<string, SinglePartial> = {
        partials: (_, i) => partials.map(({ b }) => b[i]?.c ?? []),
        build: (_, c, i) => ({
          n: partials.reduce((total, { b }) => total + (b[i]?.n ?? 0), 0),
          c,
        }),
      };
      return partialOf(reduceBuckets(head.children, names, rule, context), (b) => ({ b }));
    },
    bucketsOf: ({ b }) =>
      b.map(({ n, c }, i) => ({
        key: names[i] ?? "",
        keyText: names[i] ?? "",
        count: n,
        children: c,
      })),
    render: ({ b }, options) => {
      const print = ({ n, c }: SinglePartial): Printable => ({
        doc_count: n,
        ...renderChildren(head.children, c, options),
      });
      return {
        buckets: spec.isKeyed
          ? lazyMembers(b, (_, i) => names[i] ?? "", print)
          : lazyItems(b, print),
      };
    },
  });
}

function parseFiltersSpec(at: Cursor): FiltersSpec {
  let filters: NamedFilter[] | undefined;
  let isKeyed = true;
  let hasOther = false;
  let otherKey: string | undefined;
  for (const [name, member] of members(at)) {
    if (name === "filters") {
      isKeyed = isJsonObject(member.json);
      filters = isKeyed
        ? members(member)
            .map(([key, item]) => ({ name: key, query: parseQuery(item) }))
            .toSorted((a, b) => compareKeys(a.name, b.name))
        : items(member).map((item, i) => ({ name: String(i), query: parseQuery(item) }));
    } else if (name === "other_bucket") hasOther = booleanOf(member);
    else if (name === "other_bucket_key") otherKey = scalarText(member);
    else throw parsingError(member, `Unknown key for a VALUE in [${name}].`);
  }
  if (filters === undefined || filters.length === 0)
    throw illegalArgument("[filters] cannot be empty.");
  return { filters, isKeyed, otherKey: otherKey ?? (hasOther ? "_other_" : undefined) };
}

/**
 * Bucket `owner * width + i` is that of the i-th filter, the last one that of the documents which
 * no filter matches.
 */
function createFilters(
  spec: FiltersSpec,
  head: AggregationHead,
  context: AggregationContext,
): Aggregator<FiltersPartial> {
  const tests = spec.filters.map(({ query }) => queryTest(query, context));
  const width = tests.length + (spec.otherKey === undefined ? 0 : 1);
  let held = 0;
  const children = createChildren(head.children, context);
  const counts = new Doubles();
  const batch = new BatchBuffer(context.budget);
  return {
    open: (segment) => {
      const leaf = children.open(segment);
      const selects = tests.map((open) => selectBy(open(segment)));
      const kept = new BatchBuffer(context.budget);
      const taken = new Int32Array((segment.maxDoc + 31) >> 5);
      return {
        collect: (docs, buckets, count, scores) => {
          batch.count = 0;
          const size = (maxBucket(buckets, count) + 1) * width;
          held = holdBuckets(children, { held, size });
          if (spec.otherKey !== undefined) taken.fill(0);
          for (const [i, select] of selects.entries()) {
            kept.count = 0;
            kept.reserve(count);
            context.budget.step(count * 2);
            select(docs, buckets, count, kept, scores);
            for (let k = 0; k < kept.count; k += 1) {
              const doc = kept.docs[k] as number;
              batch.add(doc, (kept.buckets[k] as number) * width + i, kept.scores[k] as number);
              taken[doc >> 5] = (taken[doc >> 5] as number) | (1 << (doc & 31));
            }
          }
          if (spec.otherKey !== undefined) {
            for (let i = 0; i < count; i += 1) {
              const doc = docs[i] as number;
              if (hasBit(taken, doc)) continue;
              const owner = buckets === undefined ? 0 : (buckets[i] as number);
              batch.add(
                doc,
                owner * width + width - 1,
                scores === undefined ? 0 : (scores[i] as number),
              );
            }
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
      b: Array.from({ length: width }, (_, i) => ({
        n: counts.get(bucket * width + i),
        c: children.partials(bucket * width + i),
      })),
    }),
  };
}
