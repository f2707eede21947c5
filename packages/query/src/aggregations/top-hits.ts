/**
 * `top_hits`: the best documents of each bucket as whole hits. Source: `TopHitsAggregator`,
 * `InternalTopHits`. A shard fetches the hits of its best documents; the reduction merges them by
 * score or sort values.
 */
import { greatest, illegalArgument, isJsonObject, lookup, type JsonObject } from "@orrery/stdx";
import { hitBytes } from "../codec/hit-bytes.ts";
import { hitMembers } from "../codec/hit-members.ts";
import { float, lazyItems } from "../json/json-text.ts";
import { intOf, items, members, parsingError, tokenOf, unknownField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseFieldFormat } from "../body/field-format.ts";
import { parseSort } from "../sorts/parse-sort.ts";
import type { SortKey, SortReader } from "../language/sort.ts";
import { compareSortValues } from "../sorts/compare.ts";
import { TopFields } from "../sorts/top-fields.ts";
import { TopScores } from "../sorts/top-scores.ts";
import type { Budget } from "../work/budget.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { Hit } from "../language/hits.ts";
import type { SortValue, TopDoc } from "../language/results.ts";
import { defineMetric } from "./define.ts";
import { Doubles } from "./growable.ts";
import { checkTopHits } from "./limits.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";

/** Bytes of a list of the best documents, and of an entry. */
const TOP_BYTES = 512;
const TOP_DOC_BYTES = 32;

/** Steps of the budget for comparing a document with the best so far. */
const ENTRY_STEPS = 4;

/** Steps of the budget for a hit, beside its bytes. */
const HIT_STEPS = 500;

/** A parsed request; `sort` is `undefined` for the order by score. */
interface Spec {
  readonly from: number;
  readonly size: number;
  readonly sort: readonly SortKey[] | undefined;
  /** The options of the fetch phase. */
  readonly fetch: JsonObject;
}

/** A hit with the values by which it is compared with hits of other shards. */
interface TopHit {
  readonly hit: Hit;
  readonly score: number;
  readonly sort: readonly SortValue[] | undefined;
}

/** The best hits of a bucket, and the number of its documents. */
interface TopHitsPartial {
  readonly total: number;
  readonly maxScore: number;
  readonly hits: readonly TopHit[];
}

/** Parameters that are passed to the fetch phase. */
const FETCHED = [
  "_source",
  "stored_fields",
  "docvalue_fields",
  "fields",
  "version",
  "seq_no_primary_term",
  "explain",
  "highlight",
  "sort",
  "script_fields",
];
const KNOWN = [...FETCHED, "from", "size", "track_scores"];

/** Parses a `top_hits` aggregation. */
export function parseTopHits(head: AggregationHead, at: Cursor): Aggregation {
  const spec = parseSpec(at);
  for (const which of ["from", "size"] as const) {
    if (spec[which] >= 0) continue;
    const found = `Found [${spec[which]}] in [${head.name}]`;
    throw illegalArgument(`[${which}] must be greater than or equal to 0. ${found}`);
  }
  return defineMetric<TopHitsPartial>(head, {
    needsScores: spec.sort === undefined || spec.sort.some(({ isScore }) => isScore),
    create: (context) => {
      checkTopHits(context, { ...spec, name: head.name });
      return createTopHits(spec, context);
    },
    reduce: (partials) => reduceTopHits(spec, partials),
    render: ({ total, maxScore, hits }) => ({
      hits: {
        total: { value: total, relation: "eq" },
        max_score: Number.isNaN(maxScore) ? null : float(maxScore),
        hits: lazyItems(hits, ({ hit }) => hitMembers(hit)),
      },
    }),
  });
}

/**
 * Checks fields while the request is parsed: the fetch phase, which reads them, is too late to
 * reject the request.
 */
function checkFieldFormats(at: Cursor): void {
  if (!Array.isArray(at.json))
    throw parsingError(at, `Unknown key for a ${tokenOf(at.json)} in [${at.key}].`);
  for (const item of items(at)) parseFieldFormat(item);
}

function parseSpec(at: Cursor): Spec {
  let from = 0;
  let size = 3;
  let sort: readonly SortKey[] | undefined;
  for (const [name, member] of members(at)) {
    if (!KNOWN.includes(name)) throw unknownField(member, "top_hits", KNOWN);
    if (name === "from") from = intOf(member);
    else if (name === "size") size = intOf(member);
    else if (name === "sort") sort = parseSort(member);
    else if (name === "docvalue_fields" || name === "fields") checkFieldFormats(member);
  }
  const json = isJsonObject(at.json) ? at.json : {};
  const fetch = Object.fromEntries(
    FETCHED.flatMap((key) => (lookup(json, key) === undefined ? [] : [[key, lookup(json, key)]])),
  );
  return { from, size, sort, fetch };
}

/** The best documents of one bucket. */
type Top = {
  collect(docs: Int32Array, scores: Float32Array, count: number): void;
  finish(): TopDoc[];
  open(segment: SegmentContext): void;
};

/** The collector of one shard. Lists are created for buckets with documents. */
function createTopHits(spec: Spec, context: AggregationContext): Aggregator<TopHitsPartial> {
  const readers = spec.sort?.map((key) => key.reader(context.build, 0));
  const capacity = spec.from + spec.size;
  const { budget } = context;
  const tops: (Top | undefined)[] = [];
  const totals = new Doubles();
  const oneDoc = new Int32Array(1);
  const oneScore = new Float32Array(1);
  let current: SegmentContext | undefined;
  const topOf = (bucket: number): Top => {
    let top = tops[bucket];
    if (top === undefined) {
      budget.hold(TOP_BYTES + capacity * TOP_DOC_BYTES);
      top = readers === undefined ? scoreTop(capacity) : fieldTop(readers, capacity);
      if (current !== undefined) top.open(current);
      tops[bucket] = top;
    }
    return top;
  };
  return {
    open: (segment) => {
      current = segment;
      for (const top of tops) top?.open(segment);
      return {
        collect: (docs, buckets, count, scores) => {
          budget.step(count * ENTRY_STEPS);
          for (let i = 0; i < count; i += 1) {
            const bucket = buckets === undefined ? 0 : (buckets[i] as number);
            const counts = totals.reserve(bucket);
            counts[bucket] = (counts[bucket] as number) + 1;
            oneDoc[0] = docs[i] as number;
            oneScore[0] = scores === undefined ? 1 : (scores[i] as number);
            topOf(bucket).collect(oneDoc, oneScore, 1);
          }
        },
      };
    },
    partial: (bucket) => {
      const docs = tops[bucket]?.finish() ?? [];
      const shown =
        readers === undefined || spec.sort?.some(({ isScore }) => isScore) === true
          ? docs
          : docs.map((doc) => ({ ...doc, score: Number.NaN }));
      const hits = context.fetchHits(shown, spec.fetch);
      for (const hit of hits) takeHit(budget, hit);
      return {
        total: totals.get(bucket),
        maxScore: readers === undefined ? (docs[0]?.score ?? Number.NaN) : Number.NaN,
        hits: hits.map((hit, i) => ({ hit, score: hit.score, sort: shown[i]?.sort })),
      };
    },
  };
}

/**
 * Charges a hit over its whole way: it is built here, encoded, decoded by the coordinating node,
 * and printed.
 */
function takeHit(budget: Budget, hit: Hit): void {
  const bytes = hitBytes(hit);
  budget.step(HIT_STEPS + bytes);
  budget.hold(4 * bytes);
}

/** The best by score. */
function scoreTop(capacity: number): Top {
  const top = new TopScores(capacity, undefined);
  let ord = 0;
  return {
    open: (segment) => {
      ord = segment.ord;
    },
    collect: (docs, scores, count) => top.collect(ord, docs, scores, count),
    finish: () => top.finish(),
  };
}

/** The best by sort fields. */
function fieldTop(readers: readonly SortReader[], capacity: number): Top {
  const top = new TopFields(readers, { capacity, after: undefined, afterDoc: undefined });
  return {
    open: (segment) => top.open(segment),
    collect: (docs, scores, count) => top.collect(docs, scores, count),
    finish: () => top.finish(),
  };
}

/** Merges the hits of all shards; equal ones stay in the order of the shards. */
function reduceTopHits(spec: Spec, all: readonly TopHitsPartial[]): TopHitsPartial {
  const hits = all.flatMap((partial) => partial.hits);
  const sorted = hits.toSorted((a, b) => {
    if (spec.sort === undefined) return b.score - a.score;
    for (const [i, key] of spec.sort.entries()) {
      const order = compareSortValues(a.sort?.[i] ?? null, b.sort?.[i] ?? null, key);
      if (order !== 0) return order;
    }
    return 0;
  });
  const known = all.map(({ maxScore }) => maxScore).filter((score) => !Number.isNaN(score));
  return {
    total: all.reduce((total, partial) => total + partial.total, 0),
    maxScore: known.length === 0 ? Number.NaN : greatest(known),
    hits: sorted.slice(spec.from, spec.from + spec.size),
  };
}
