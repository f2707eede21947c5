/** Ranges of numbers and dates. */
import { javaText, illegalArgument, type Json, OperationError } from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import { javaDouble } from "../json/json-text.ts";
import type { SegmentContext } from "../search/searcher.ts";
import type { AggregationHead } from "./parse.ts";
import { rangeAggregator, type RangeSpec } from "./range-buckets.ts";
import type { AggregationContext, Aggregator } from "./types.ts";
import { formatNumber, formatOf, type ValueFormat } from "./value-format.ts";
import { numberSource, type ValuesSpec } from "./values.ts";

interface NumberRanges {
  readonly values: ValuesSpec;
  readonly ranges: readonly RangeSpec[];
  readonly isDate: boolean;
}

interface Interval {
  readonly from: number;
  readonly to: number;
  readonly key: string;
}

export function numberRanges(
  head: AggregationHead,
  context: AggregationContext,
  { values, ranges, isDate }: NumberRanges,
): Aggregator {
  if (ranges.length === 0)
    throw illegalArgument(`No [ranges] specified for the [${head.name}] aggregation`);
  const source = numberSource(context, values, head.type);
  const pattern =
    values.format ?? source.field?.dateFormat?.pattern ?? "strict_date_optional_time||epoch_millis";
  const format =
    isDate && source.field === undefined
      ? `date|${pattern}|${values.timeZone ?? "UTC"}`
      : formatOf(source.field, values.format, values.timeZone);
  const read = (json: Json | undefined, fallback: number): number => {
    if (json === undefined) return fallback;
    if (!isDate && source.field?.family !== "date") return boundOf(json);
    const zone = zoneOf(values.timeZone ?? "UTC");
    return parseDateMath(javaText(json), dateFormatOf(pattern), {
      nowMs: context.build.nowMs,
      zone,
    }).ms;
  };
  const intervals = ranges
    .map(({ key, from, to }): Interval => {
      const low = read(from, -Infinity);
      const high = read(to, Infinity);
      return {
        from: low,
        to: high,
        key: key ?? `${boundText(low, format)}-${boundText(high, format)}`,
      };
    })
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  const open = (
    segment: SegmentContext,
  ): ((doc: number, visit: (range: number) => void) => void) | undefined => {
    const leaf = source.open(segment);
    if (leaf === undefined) return undefined;
    return (doc, visit) => {
      const found = leaf.dense === undefined ? leaf.read(doc) : 1;
      for (const [i, { from, to }] of intervals.entries()) {
        for (let v = 0; v < found; v += 1) {
          const value =
            leaf.dense === undefined ? (leaf.buffer[v] as number) : (leaf.dense[doc] as number);
          if (value >= from && value < to) {
            visit(i);
            break;
          }
        }
      }
    };
  };
  return rangeAggregator(head, context, {
    open,
    format,
    bounds: intervals.map(({ key, from, to }) => ({
      key,
      from: Number.isFinite(from) ? from : undefined,
      to: Number.isFinite(to) ? to : undefined,
    })),
  });
}

export function boundOf(json: Json): number {
  const number = json === "" ? Number.NaN : Number(json);
  if (!Number.isNaN(number)) return number;
  throw new OperationError({
    type: "number_format_exception",
    reason: `For input string: "${javaText(json)}"`,
    status: 400,
  });
}

export function boundText(value: number, format: ValueFormat): string {
  if (!Number.isFinite(value)) return "*";
  return formatNumber(value, format) ?? javaDouble(value);
}
