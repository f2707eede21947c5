/**
 * `auto_date_histogram`: the finest calendar intervals that need no more buckets than requested.
 * Source: `InternalAutoDateHistogram`. Shards count by the finest interval; the reduction makes it
 * coarser until the buckets fit, then joins neighbours by a multiple of the unit.
 */
import { greatest, illegalArgument } from "@orrery/stdx";
import { zoneOf, type Zone } from "../dates/zone.ts";
import { lazyItems } from "../json/json-text.ts";
import { intOf, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { Plain } from "../json/plain.ts";
import { emptyChildren, renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { KeyedBuckets, mergeBuckets, reduceMerged, type PartialBucket } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation, ReduceContext } from "../language/aggregation.ts";
import { applyParentPipelines } from "./pipeline/apply.ts";
import { calendarRounding, type CalendarUnit, type Rounding } from "./rounding.ts";
import { reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { numberSource } from "./values.ts";

/** A unit of intervals, from fine to coarse. */
interface Step {
  readonly unit: CalendarUnit;
  readonly letter: string;
  /** Approximate length of one interval. */
  readonly ms: number;
  /** Numbers of intervals that may be joined into one bucket. */
  readonly multiples: readonly number[];
}

/** The product's steps. */
const STEPS: readonly Step[] = [
  { unit: "second", letter: "s", ms: 1000, multiples: [1, 5, 10, 30] },
  { unit: "minute", letter: "m", ms: 60_000, multiples: [1, 5, 10, 30] },
  { unit: "hour", letter: "h", ms: 3_600_000, multiples: [1, 3, 12] },
  { unit: "day", letter: "d", ms: 86_400_000, multiples: [1, 7] },
  { unit: "month", letter: "M", ms: 30 * 86_400_000, multiples: [1, 3] },
  { unit: "year", letter: "y", ms: 365 * 86_400_000, multiples: [1, 5, 10, 20, 50, 100] },
];

/** A bucket by the start of its interval. */
interface Bucket extends PartialBucket<number> {}

/** The result of a shard, or of a reduction. */
interface AutoPartial {
  readonly format: ValueFormat;
  /** `1M`, after the final reduction; empty before. */
  readonly interval: string;
  readonly buckets: readonly Bucket[];
}

/** A parsed request; `target` is the number of buckets. */
interface AutoSpec {
  readonly head: AggregationHead;
  readonly target: number;
  /** Index of the finest step allowed (`minimum_interval`). */
  readonly first: number;
  readonly roundings: readonly Rounding[];
}

/** Parses an `auto_date_histogram` aggregation. */
export function parseAutoDateHistogram(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "auto_date_histogram", ["buckets", "minimum_interval"]);
  const values = options.values();
  const zone = zoneOf(values.timeZone ?? "UTC");
  const target = options.read("buckets", (cursor) => positive(intOf(cursor), head), 10);
  const spec: AutoSpec = {
    head,
    target,
    first: options.read("minimum_interval", firstStep, 0),
    roundings: roundingsOf(zone),
  };
  return defineBuckets<AutoPartial>(head, {
    series: "whole",
    create: (context) => {
      if (target > MAX_TARGET) throw illegalArgument(`buckets must be less than ${MAX_TARGET}`);
      const source = numberSource(context, values, "auto_date_histogram");
      const format = formatOf(source.field, values.format, zone.id);
      const buckets = new KeyedBuckets<number>(head.children, context);
      const { round } = roundingAt(spec, spec.first);
      return {
        open: (segment) => {
          const leaf = source.open(segment);
          return buckets.open(segment, (doc, put) => {
            const found = leaf?.read(doc) ?? 0;
            let last = Number.NaN;
            for (let i = 0; i < found; i += 1) {
              const key = round(leaf?.buffer[i] as number);
              if (key !== last) put(key);
              last = key;
            }
          });
        },
        partial: (owner) => ({
          format,
          interval: "",
          buckets: buckets
            .of(owner)
            .toSorted((a, b) => a.key - b.key)
            .map(({ key, count, bucket }) => ({
              k: key,
              n: count,
              c: buckets.children.partials(bucket),
            })),
        }),
      };
    },
    reduce: (partials, context) => reduceAuto(spec, partials, context),
    bucketsOf: ({ buckets, format }) =>
      buckets.map(({ k, n, c }) => ({
        key: k,
        keyText: formatNumber(k, format) ?? String(k),
        count: n,
        children: c,
      })),
    render: ({ buckets, format, interval }, rendering) => ({
      buckets: lazyItems(buckets, ({ k, n, c }) => ({
        key_as_string: formatNumber(k, format),
        key: k,
        doc_count: n,
        ...renderChildren(head.children, c, rendering),
      })),
      interval,
    }),
  });
}

/**
 * Highest number of requested buckets: the intervals before they are joined stay below the default
 * of `search.max_buckets`.
 */
const MAX_TARGET = Math.floor(
  65_535 / greatest(STEPS.slice(0, -1).flatMap(({ multiples }) => multiples)),
);

function positive(buckets: number, { name }: AggregationHead): number {
  if (buckets > 0) return buckets;
  throw illegalArgument(`buckets must be greater than 0 for [${name}]`);
}

/** The index of a `minimum_interval`. */
function firstStep(at: Cursor): number {
  const name = scalarText(at);
  const index = STEPS.findIndex(({ unit }) => unit === name);
  if (index < 0) {
    throw illegalArgument(
      `minimum_interval must be one of [${STEPS.map(({ unit }) => unit).join(", ")}]`,
    );
  }
  return index;
}

function roundingsOf(zone: Zone): Rounding[] {
  return STEPS.map(({ unit }) => calendarRounding(unit, zone, 0));
}

function roundingAt({ roundings }: AutoSpec, index: number): Rounding {
  return roundings[index] as Rounding;
}

function stepAt(index: number): Step {
  return STEPS[index] as Step;
}

/** Most intervals of a step that still fit when they are joined by its greatest multiple. */
function capacity({ target }: AutoSpec, index: number): number {
  return target * greatest(stepAt(index).multiples);
}

/**
 * Merges the shards' buckets, coarsens them, fills the gaps, joins neighbours and runs pipelines.
 * All but the last pass are not final for the sub-aggregations, since buckets are still joined.
 */
function* reduceAuto(
  spec: AutoSpec,
  partials: readonly AutoPartial[],
  context: ReduceContext,
): Generator<undefined, AutoPartial> {
  const { head } = spec;
  const format = partials.find((one) => one.format !== RAW)?.format ?? RAW;
  const partly: ReduceContext = { ...context, isFinal: false };
  const join = (lists: readonly (readonly Bucket[])[]): Generator<undefined, readonly Bucket[]> => {
    const merged = mergeBuckets(lists, (key) => key);
    return reduceMerged(
      head.children,
      merged.toSorted((a, b) => a.key - b.key),
      partly,
    );
  };
  let buckets = yield* join(partials.map((partial) => partial.buckets));
  let index = spec.first;
  const coarser = (to: number): Generator<undefined, readonly Bucket[]> => {
    const { round } = roundingAt(spec, to);
    return join(buckets.map((bucket) => [{ ...bucket, k: round(bucket.k) }]));
  };
  while (buckets.length > capacity(spec, index) && index < STEPS.length - 1) {
    index += 1;
    buckets = yield* coarser(index);
  }
  if (!context.isFinal) return { format, interval: "", buckets };
  let multiple = 1;
  const [first] = buckets;
  const last = buckets.at(-1);
  if (first !== undefined && last !== undefined) {
    const fitting = fittingStep(spec, index, { first: first.k, last: last.k });
    if (fitting !== index) buckets = yield* coarser(fitting);
    index = fitting;
    const { next } = roundingAt(spec, index);
    const nothing = yield* emptyChildren(head.children, partly);
    buckets = fill(buckets, { next, nothing, context });
    if (buckets.length > spec.target) {
      multiple =
        stepAt(index).multiples.find((one) => Math.ceil(buckets.length / one) <= spec.target) ?? 1;
      const width = multiple;
      if (width > 1)
        buckets = yield* join(
          buckets.map((bucket, i) => [{ ...bucket, k: buckets[i - (i % width)]?.k ?? bucket.k }]),
        );
    }
  }
  context.addBuckets(buckets.length);
  const rule: BucketRule<Bucket, Bucket> = {
    partials: ({ c }) => [c],
    build: (bucket, c) => ({ ...bucket, c }),
  };
  const finished = yield* reduceBuckets(head.children, buckets, rule, context);
  const piped = yield* applyParentPipelines(
    head.children,
    finished.map(({ k, n, c }) => ({
      key: k,
      keyText: formatNumber(k, format) ?? String(k),
      count: n,
      children: c,
    })),
    context,
  );
  return {
    format,
    interval: `${multiple}${stepAt(index).letter}`,
    buckets: piped.map(({ key, count, children }) => ({ k: key, n: count, c: children })),
  };
}

/** The finest step from `index` on whose intervals between the first and last key fit. */
function fittingStep(
  spec: AutoSpec,
  index: number,
  { first, last }: { readonly first: number; readonly last: number },
): number {
  let at = index;
  // Steps that are far too fine are skipped by an estimate: counting their intervals would take
  // long.
  while (at < STEPS.length - 1 && (last - first) / stepAt(at).ms > capacity(spec, at) * 4) at += 1;
  for (; at < STEPS.length - 1; at += 1) {
    const rounding = roundingAt(spec, at);
    let needed = 0;
    for (
      let key = rounding.round(first);
      key < last && needed <= capacity(spec, at);
      key = rounding.next(key)
    )
      needed += 1;
    if (needed <= capacity(spec, at)) break;
  }
  return at;
}

/** The next interval, and the results of an empty bucket. */
interface Filling {
  readonly next: Rounding["next"];
  readonly nothing: readonly Plain[];
  readonly context: ReduceContext;
}

/** The buckets with empty ones in the gaps between them. */
function fill(buckets: readonly Bucket[], { next, nothing, context }: Filling): Bucket[] {
  const filled: Bucket[] = [];
  for (const bucket of buckets) {
    const previous = filled.at(-1);
    for (
      let key = previous && next(previous.k);
      key !== undefined && key < bucket.k;
      key = next(key)
    ) {
      filled.push({ k: key, n: 0, c: nothing });
      // Checked while filling: a gap of a million years would exhaust the memory before the limit
      // is checked.
      if (filled.length > context.maxBuckets) context.addBuckets(filled.length);
    }
    filled.push(bucket);
  }
  return filled;
}
