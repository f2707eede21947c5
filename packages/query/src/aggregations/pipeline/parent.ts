/** `derivative`, `cumulative_sum`, `serial_diff`, `bucket_sort`: numbers for, or an order of, the parent's buckets. */
import { illegalArgument, lookup, parseDuration } from "@orrery/stdx";
import { double } from "../../json/json-text.ts";
import { intOf } from "../../body/cursor.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Printable } from "../../json/printable.ts";
import { definePipeline } from "../define.ts";
import { Options } from "../options.ts";
import { parseOrder } from "../order.ts";
import type { AggregationHead, Aggregation, PipelineBucket } from "../../language/aggregation.ts";
import { formatDecimal } from "../../json/decimal-format.ts";
import { bucketReader } from "./buckets-path.ts";
import { gapPolicy, pathsOf } from "./options.ts";

type Row = { readonly bucket: PipelineBucket; readonly value: number };

type ComputedValue = { readonly value: number; readonly normalized_value?: number };

/** A value per bucket, `undefined` for none. */
type Compute = (rows: readonly Row[]) => (ComputedValue | undefined)[];

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
  const options = new Options(
    at,
    head.type,
    ["buckets_path", "gap_policy", "format", ...known],
    true,
  );
  const [path = ""] = pathsOf(options, head.type);
  const gaps = gapPolicy(options);
  const format = options.text("format");
  const run = compute(options);
  return definePipeline<ComputedValue>(head, {
    typedName: () => typedName,
    metric: (reduced, property) => Number(lookup(reduced, property ?? "value")),
    render: ({ value, normalized_value: normalized }) => {
      const json: { [key: string]: Printable } = {
        value: Number.isFinite(value) ? double(value) : null,
      };
      if (format !== undefined) json["value_as_string"] = formatDecimal(value, format);
      if (normalized !== undefined) json["normalized_value"] = double(normalized);
      return json;
    },
    pipeline: {
      kind: "parent",
      paths: [path],
      apply: (buckets, place) => {
        const read = bucketReader(place.tree, { path, gaps });
        const values = run(buckets.map((bucket) => ({ bucket, value: read(bucket) })));
        for (const [i, { children }] of buckets.entries()) children[place.index] = values[i];
        return [...buckets];
      },
    },
  });
}

export function parseDerivative(head: AggregationHead, at: Cursor): Aggregation {
  return valuePipeline(head, at, {
    known: ["unit"],
    typedName: "derivative",
    compute: (options) => {
      const unit = options.text("unit");
      const unitMs = unit === undefined ? undefined : unitLength(unit);
      return (rows) => {
        let last: Row | undefined;
        return rows.map((row) => {
          const before = last;
          if (!Number.isNaN(row.value)) last = row;
          if (before === undefined || Number.isNaN(row.value)) return undefined;
          const value = row.value - before.value;
          if (unitMs === undefined) return { value };
          const units = (Number(row.bucket.key) - Number(before.bucket.key)) / unitMs;
          return { value, normalized_value: value / units };
        });
      };
    },
  });
}

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

export function parseSerialDiff(head: AggregationHead, at: Cursor): Aggregation {
  return valuePipeline(head, at, {
    known: ["lag"],
    typedName: "simple_value",
    compute: (options) => {
      const lag = options.int("lag", 1);
      if (lag <= 0) throw illegalArgument("Lag must be a positive, non-zero integer");
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

function atLeast(least: number, at: Cursor, what: string): number {
  const value = intOf(at);
  if (value >= least) return value;
  throw illegalArgument(`[${at.key}] must be ${what}: [${value}]`);
}

export function parseBucketSort(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "bucket_sort", ["sort", "from", "size", "gap_policy"], true);
  const keys = options
    .read("sort", parseOrder, [])
    .filter(({ path }) => path !== "_key" || options.has("sort"));
  const from = options.read("from", (cursor) => atLeast(0, cursor, "a non-negative integer"), 0);
  const size = options.read<number | undefined>(
    "size",
    (cursor) => atLeast(1, cursor, "a positive integer"),
    undefined,
  );
  const gaps = gapPolicy(options);
  const paths = keys.map(({ path }) => path).filter((path) => path !== "_key" && path !== "_count");
  return definePipeline<undefined>(head, {
    render: () => ({}),
    pipeline: {
      kind: "parent",
      paths,
      apply: (buckets, { tree }) => {
        const readers = keys.map(({ path }) => bucketReader(tree, { path, gaps }));
        const rows = buckets.map((bucket) => ({
          bucket,
          values: readers.map((read) => read(bucket)),
        }));
        const kept =
          paths.length === 0
            ? rows
            : rows.filter(({ values }) => values.some((value) => !Number.isNaN(value)));
        const named = keys.filter(({ path }) => paths.includes(path) || path === "_count");
        const sorted =
          named.length === 0 && keys.length === 0
            ? kept
            : kept.toSorted((a, b) => {
                for (const [i, { isAscending }] of keys.entries()) {
                  const order = (a.values[i] as number) - (b.values[i] as number);
                  if (order !== 0 && !Number.isNaN(order)) return isAscending ? order : -order;
                }
                return 0;
              });
        return sorted
          .map(({ bucket }) => bucket)
          .slice(from, size === undefined ? undefined : from + size);
      },
    },
  });
}
