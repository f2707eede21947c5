/**
 * `avg_bucket`, `max_bucket`, `min_bucket`, `sum_bucket`, `stats_bucket`: a summary of the numbers
 * of all buckets of an aggregation beside them. Source: `BucketMetricsPipelineAggregator`.
 */
import { lookup } from "@orrery/stdx";
import { double } from "../../json/json-text.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Plain } from "../../json/plain.ts";
import type { Printable } from "../../json/printable.ts";
import { definePipeline } from "../define.ts";
import { Options } from "../options.ts";
import type { AggregationHead, Aggregation } from "../../language/aggregation.ts";
import { formatDecimal } from "../../json/decimal-format.ts";
import { bucketReader, siblingBuckets } from "./buckets-path.ts";
import { pathsOf, gapPolicy } from "./options.ts";

/** A bucket's key as text, and its number. */
interface Row {
  readonly key: string;
  readonly value: number;
}

/** The result as plain data. */
type SummaryValue = { readonly [key: string]: Plain };

type Summary = (rows: readonly Row[]) => SummaryValue;

/** Summaries by the type of the pipeline. */
const SUMMARIES: Readonly<Record<string, Summary>> = {
  avg_bucket: (rows) => ({ value: rows.length === 0 ? Number.NaN : total(rows) / rows.length }),
  sum_bucket: (rows) => ({ value: total(rows) }),
  max_bucket: (rows) => best(rows, (a, b) => a > b, -Infinity),
  min_bucket: (rows) => best(rows, (a, b) => a < b, Infinity),
  stats_bucket: (rows) => ({
    count: rows.length,
    min: rows.reduce((least, { value }) => Math.min(least, value), Infinity),
    max: rows.reduce((most, { value }) => Math.max(most, value), -Infinity),
    sum: total(rows),
  }),
};

function total(rows: readonly Row[]): number {
  return rows.reduce((sum, { value }) => sum + value, 0);
}

/** The best number and the keys of all buckets that have it. */
function best(
  rows: readonly Row[],
  isBetter: (a: number, b: number) => boolean,
  start: number,
): SummaryValue {
  let value = start;
  let keys: string[] = [];
  for (const row of rows) {
    if (isBetter(row.value, value)) {
      ({ value } = row);
      keys = [row.key];
    } else if (row.value === value) {
      keys.push(row.key);
    }
  }
  return { value, keys };
}

/** Parses a sibling pipeline, such as `avg_bucket` or `max_bucket`. */
export function parseSiblingPipeline(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, head.type, ["buckets_path", "gap_policy", "format"], true);
  const [path = ""] = pathsOf(options, head);
  const gaps = gapPolicy(options);
  const format = options.text("format");
  const summarize = lookup(SUMMARIES, head.type) as Summary;
  return definePipeline<SummaryValue>(head, {
    typedName: () =>
      head.type === "max_bucket" || head.type === "min_bucket"
        ? "bucket_metric_value"
        : head.type === "stats_bucket"
          ? "stats_bucket"
          : "simple_value",
    metric: (reduced, property) => Number(lookup(reduced, property ?? "value")),
    render: (reduced) => renderSummary(reduced, format),
    pipeline: {
      kind: "sibling",
      paths: [path],
      compute: (tree, reduced) => {
        const found = siblingBuckets(tree, reduced, path);
        const read = bucketReader(found.tree, { path: found.rest, gaps });
        const rows = found.buckets.flatMap((bucket): Row[] => {
          const value = read(bucket);
          return Number.isNaN(value) ? [] : [{ key: bucket.keyText, value }];
        });
        return summarize(rows);
      },
    },
  });
}

function renderSummary(
  reduced: SummaryValue,
  format: string | undefined,
): { [key: string]: Printable } {
  const number = (name: string): number => Number(lookup(reduced, name));
  const print = (value: number): Printable => (Number.isFinite(value) ? double(value) : null);
  if (reduced["count"] !== undefined) {
    const count = number("count");
    return {
      count,
      min: print(number("min")),
      max: print(number("max")),
      avg: print(count === 0 ? Number.NaN : number("sum") / count),
      sum: double(number("sum")),
    };
  }
  const value = number("value");
  const text =
    format === undefined || !Number.isFinite(value) ? undefined : formatDecimal(value, format);
  const keys = reduced["keys"] as readonly string[] | undefined;
  return { value: print(value), value_as_string: text, ...(keys === undefined ? {} : { keys }) };
}
