/** Ranges of numbers and dates, for `range` and `date_range`. */
import {
  jsonNumber,
  forInputString,
  javaText,
  illegalArgument,
  type Json,
  OperationError,
} from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import { javaDouble } from "../json/json-text.ts";
import type { SegmentContext } from "../language/searcher.ts";
import { intervalTree, type Interval } from "./interval-tree.ts";
import type { AggregationHead, AggregationContext, Aggregator } from "../language/aggregation.ts";
import { rangeAggregator, type RangePartial, type RangeSpec } from "./range-buckets.ts";
import { formatNumber, formatOf, type ValueFormat } from "./value-format.ts";
import { numberSource, type ValuesSpec } from "./values.ts";

/** A parsed request. */
interface NumberRanges {
  readonly values: ValuesSpec;
  readonly ranges: readonly RangeSpec[];
  readonly isDate: boolean;
}

/** A range with its name. */
interface KeyedInterval extends Interval {
  readonly key: string;
}

/**
 * The aggregator of ranges of numbers or dates on one shard. Ranges are sorted by their bounds, as
 * in the product's response.
 */
export function numberRanges(
  head: AggregationHead,
  context: AggregationContext,
  { values, ranges, isDate }: NumberRanges,
): Aggregator<RangePartial> {
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
    if (!isDate && source.field?.dateFormat === undefined) return boundOf(json);
    const zone = zoneOf(values.timeZone ?? "UTC");
    return parseDateMath(javaText(json), dateFormatOf(pattern), {
      nowMs: context.build.nowMs,
      zone,
    }).ms;
  };
  const intervals = ranges
    .map(({ key, from, to }): KeyedInterval => {
      const low = read(from, -Infinity);
      const high = read(to, Infinity);
      return {
        from: low,
        to: high,
        key: key ?? `${boundText(low, format)}-${boundText(high, format)}`,
      };
    })
    .toSorted((a, b) => a.from - b.from || a.to - b.to);
  const tree = intervalTree(intervals);
  const open = (
    segment: SegmentContext,
  ): ((doc: number, visit: (range: number) => void) => void) | undefined => {
    const leaf = source.open(segment);
    if (leaf === undefined) return undefined;
    return (doc, visit) => {
      if (leaf.dense !== undefined) {
        tree.find(leaf.dense[doc] as number, visit);
        return;
      }
      const found = leaf.read(doc);
      tree.findAny(leaf.buffer, 0, found, visit);
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

/**
 * A bound as a number.
 * @throws OperationError 400 `number_format_exception`
 */
export function boundOf(json: Json): number {
  const number = json === "" ? Number.NaN : jsonNumber(json);
  if (!Number.isNaN(number)) return number;
  throw new OperationError({
    type: "number_format_exception",
    reason: forInputString(javaText(json)),
    status: 400,
  });
}

/** A bound in a range's name; `*`: open. */
export function boundText(value: number, format: ValueFormat): string {
  if (!Number.isFinite(value)) return "*";
  return formatNumber(value, format) ?? javaDouble(value);
}
