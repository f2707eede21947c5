/**
 * `derivative`, `cumulative_sum`, `serial_diff` and `bucket_sort`: numbers for the parent's
 * buckets, or another order of them. Source: `DerivativePipelineAggregator`,
 * `CumulativeSumPipelineAggregator`, `SerialDiffPipelineAggregator`,
 * `BucketSortPipelineAggregator`.
 */
import { illegalArgument, isJsonObject, lookup, parseDuration } from "@orrery/stdx";
import { double } from "../../json/json-text.ts";
import {
  contentError,
  intOf,
  items,
  members,
  parsingError,
  scalarText,
  tokenOf,
} from "../../body/cursor.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Printable } from "../../json/printable.ts";
import { definePipeline } from "../define.ts";
import { Options } from "../options.ts";
import { type BucketKey, compareKeys } from "../order.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationTree,
  PipelineBucket,
} from "../../language/aggregation.ts";
import { parseOrder, readOptions } from "../../sorts/sort-options.ts";
import { formatDecimal } from "../../json/decimal-format.ts";
import { bucketReader, type GapPolicy } from "./buckets-path.ts";
import { gapPolicy, gapPolicyOf, pathsOf, seriesComplaint } from "./options.ts";

/** A bucket with the number that the path gives; NaN: a gap. */
type Row = { readonly bucket: PipelineBucket; readonly value: number };

/** `normalized_value` is the derivative per unit. */
type ComputedValue = { readonly value: number; readonly normalized_value?: number };

/** A value for each bucket; `undefined`: none. */
type Compute = (rows: readonly Row[]) => (ComputedValue | undefined)[];

/** A pipeline that computes a value for each bucket from all of them. */
function valuePipeline(
  head: AggregationHead,
  at: Cursor,
  {
    known,
    typedName,
    compute,
  }: {
    readonly known: readonly string[];
    readonly typedName: string;
    readonly compute: (options: Options) => Compute;
  },
): Aggregation {
  const options = new Options(at, head.type, ["buckets_path", "format", ...known], true);
  const [path = ""] = pathsOf(options, head);
  const gaps = gapPolicy(options);
  const format = options.text("format");
  const run = compute(options);
  return definePipeline<ComputedValue>(head, {
    typedName: () => typedName,
    metric: (reduced, property) => Number(lookup(reduced, property ?? "value")),
    render: ({ value, normalized_value: normalized }) => {
      const print = (number: number): Printable =>
        Number.isFinite(number) ? double(number) : null;
      const json: { [key: string]: Printable } = { value: print(value) };
      if (format !== undefined && Number.isFinite(value))
        json["value_as_string"] = formatDecimal(value, format);
      if (normalized !== undefined) json["normalized_value"] = print(normalized);
      return json;
    },
    pipeline: {
      kind: "parent",
      paths: [path],
      complaint: (parent) => seriesComplaint(head, parent),
      apply: (buckets, place) => {
        const read = bucketReader(place.tree, { path, gaps });
        const values = run(buckets.map((bucket) => ({ bucket, value: read(bucket) })));
        for (const [i, { children }] of buckets.entries()) children[place.index] = values[i];
        return [...buckets];
      },
    },
  });
}

/** Parses a `derivative`: the difference from the bucket before. */
export function parseDerivative(head: AggregationHead, at: Cursor): Aggregation {
  return valuePipeline(head, at, {
    known: ["gap_policy", "unit"],
    typedName: "derivative",
    compute: (options) => {
      const unit = options.text("unit");
      const unitMs = unit === undefined ? undefined : unitLength(unit);
      return (rows) =>
        rows.map((row, i) => {
          const before = rows[i - 1];
          if (before === undefined) return undefined;
          const value = row.value - before.value;
          if (unitMs === undefined) return { value };
          const units = (Number(row.bucket.key) - Number(before.bucket.key)) / unitMs;
          return { value, normalized_value: value / units };
        });
    },
  });
}

/** Lengths of calendar units in milliseconds; months and years by averages. */
const UNITS: Readonly<Record<string, number>> = {
  second: 1000,
  minute: 60_000,
  hour: 3_600_000,
  day: 86_400_000,
  week: 7 * 86_400_000,
  month: 30 * 86_400_000,
  year: 365.25 * 86_400_000,
};

function unitLength(unit: string): number {
  const ms = lookup(UNITS, unit) ?? parseDuration(unit);
  if (ms === undefined)
    throw illegalArgument(
      `failed to parse setting [unit] with value [${unit}] as a time value: unit is missing or unrecognized`,
    );
  return ms;
}

/** Parses a `cumulative_sum`; gaps add nothing. */
export function parseCumulativeSum(head: AggregationHead, at: Cursor): Aggregation {
  return valuePipeline(head, at, {
    known: [],
    typedName: "simple_value",
    compute: () => (rows) => {
      let sum = 0;
      return rows.map(({ value }) => {
        if (Number.isFinite(value)) sum += value;
        return { value: sum };
      });
    },
  });
}

/** Parses a `serial_diff`: the difference from the bucket `lag` places before. */
export function parseSerialDiff(head: AggregationHead, at: Cursor): Aggregation {
  return valuePipeline(head, at, {
    known: ["gap_policy", "lag"],
    typedName: "simple_value",
    compute: (options) => {
      const given = options.cursor("lag");
      const lag = given === undefined ? 1 : intOf(given);
      if (given !== undefined && lag <= 0) {
        throw parsingError(
          given,
          `Lag must be a positive, non-zero integer.  Value supplied was${lag} in [${head.name}]: [lag].`,
        );
      }
      return (rows) =>
        rows.map(({ value }, i) => {
          const before = rows[i - lag]?.value ?? Number.NaN;
          return Number.isNaN(before) || Number.isNaN(value)
            ? undefined
            : { value: value - before };
        });
    },
  });
}

/** Reads an integer of at least `least`. */
function atLeast(least: number, at: Cursor, what: string): number {
  const value = intOf(at);
  if (value >= least) return value;
  throw illegalArgument(`[${at.key}] must be ${what}: [${value}]`);
}

/** A criterion of `bucket_sort`, ascending by default. */
interface BucketOrder {
  readonly path: string;
  readonly isDescending: boolean;
}

function parseBucketOrders(at: Cursor): BucketOrder[] {
  return items(at).flatMap((item): BucketOrder[] => {
    if (!isJsonObject(item.json)) return [{ path: scalarText(item), isDescending: false }];
    return members(item).map(([path, member]) => ({
      path,
      isDescending: isJsonObject(member.json)
        ? (readOptions(member, { parser: "field_sort", known: FIELD_SORT }) ?? false)
        : parseOrder(scalarText(member)),
    }));
  });
}

/** Parameters of a field sort, which the product's parser accepts here as well. */
const FIELD_SORT = ["order", "missing", "unmapped_type", "mode", "numeric_type", "nested"];

/** Parses a `bucket_sort`: sorts the buckets, cuts them, or both. */
export function parseBucketSort(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "bucket_sort", ["sort", "from", "size", "gap_policy"], true);
  const sort = options.cursor("sort");
  if (sort !== undefined && typeof sort.json !== "object") {
    throw contentError(
      sort,
      `[bucket_sort] sort doesn't support values of type: ${tokenOf(sort.json)}`,
    );
  }
  const orders = options.read("sort", parseBucketOrders, []);
  const from = options.read("from", (cursor) => atLeast(0, cursor, "a non-negative integer"), 0);
  const size = options.read<number | undefined>(
    "size",
    (cursor) => atLeast(1, cursor, "a positive integer"),
    undefined,
  );
  const gaps = options.read("gap_policy", gapPolicyOf, "skip");
  const paths = orders.map(({ path }) => path).filter((path) => path !== "_key");
  return definePipeline<undefined>(head, {
    render: () => ({}),
    pipeline: {
      kind: "parent",
      paths,
      complaint: (parent) => {
        if (parent === undefined)
          return `bucket_sort aggregation [${head.name}] must be declared inside of another aggregation`;
        if (orders.length > 0 || size !== undefined || from > 0) return undefined;
        return `[${head.name}] is configured to perform nothing. Please set either of [sort, size, from] to use bucket_sort`;
      },
      apply: (buckets, { tree }) => {
        const sorted = orders.length === 0 ? buckets : sortBuckets(buckets, { orders, tree, gaps });
        return sorted.slice(from, size === undefined ? undefined : from + size);
      },
    },
  });
}

/**
 * Buckets without any of the numbers are dropped; those without one come after all that have it, in
 * either direction.
 */
function sortBuckets<Bucket extends PipelineBucket>(
  buckets: readonly Bucket[],
  {
    orders,
    tree,
    gaps,
  }: {
    readonly orders: readonly BucketOrder[];
    readonly tree: AggregationTree;
    readonly gaps: GapPolicy;
  },
): Bucket[] {
  const readers = orders.map(({ path }) => {
    if (path === "_key") return ({ key }: Bucket): BucketKey => key;
    const read = bucketReader(tree, { path, gaps });
    return (bucket: Bucket): BucketKey | undefined => {
      const value = read(bucket);
      return Number.isNaN(value) ? undefined : value;
    };
  });
  return buckets
    .map((bucket) => ({ bucket, values: readers.map((read) => read(bucket)) }))
    .filter(({ values }) => values.some((value) => value !== undefined))
    .toSorted((a, b) => {
      for (const [i, { isDescending }] of orders.entries()) {
        const [mine, other] = [a.values[i], b.values[i]];
        if (mine === undefined && other === undefined) continue;
        if (mine === undefined) return 1;
        if (other === undefined) return -1;
        const order = compareKeys(mine, other);
        if (order !== 0) return isDescending ? -order : order;
      }
      return 0;
    })
    .map(({ bucket }) => bucket);
}
