/**
 * `histogram` and `date_histogram`: buckets at regular intervals. Source:
 * `HistogramAggregationBuilder`, `DateHistogramAggregationBuilder`.
 */
import {
  javaText,
  illegalArgument,
  isJsonObject,
  OperationError,
  parseDuration,
  type Json,
} from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import { floatOf, longOf, members, scalarText, unknownField, wrapField } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { defineBuckets } from "./define.ts";
import {
  HistogramAggregator,
  histogramBuckets,
  reduceHistogram,
  renderHistogram,
  type Bounds,
  type HistogramPartial,
  type HistogramSpec,
} from "./histogram-buckets.ts";
import { Options } from "./options.ts";
import { BY_KEY, checkOrder, parseOrder } from "./order.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { partialOf } from "./reduce-steps.ts";
import {
  calendarRounding,
  calendarUnit,
  fixedInterval,
  positive,
  fixedRounding,
  type Rounding,
} from "./rounding.ts";
import { formatOf } from "./value-format.ts";
import { numberSource } from "./values.ts";

/** Parameters of both. */
const COMMON = ["offset", "order", "keyed", "min_doc_count", "extended_bounds", "hard_bounds"];

/** Parses a `histogram` aggregation. */
export function parseHistogram(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "histogram", ["interval", ...COMMON]);
  const values = options.values();
  const interval = options.read(
    "interval",
    (cursor) => {
      const value = floatOf(cursor);
      if (value <= 0)
        throw illegalArgument(`[interval] must be >0 for histogram aggregation [${head.name}]`);
      return value;
    },
    0,
  );
  if (interval <= 0)
    throw illegalArgument(`[interval] must be >0 for histogram aggregation [${head.name}]`);
  const offset = options.read("offset", floatOf, 0);
  const bounds = (name: string): Bounds | undefined =>
    options.read<Bounds | undefined>(name, (cursor) => parseBounds(cursor, Number), undefined);
  const hard = bounds("hard_bounds");
  const round = (value: number): number =>
    Math.floor((value - offset) / interval) * interval + offset;
  const spec: HistogramSpec = {
    children: head.children,
    minDocCount: options.docCount("min_doc_count", head.name, 0),
    order: options.read("order", parseOrder, BY_KEY),
    isKeyed: options.flag("keyed", false),
    extended: bounds("extended_bounds"),
    round,
    // A sum of many intervals drifts off the keys that `round` gives to values, so each next key is
    // rounded.
    next: (key) => round(key + interval * 1.5),
  };
  return defineBuckets<HistogramPartial>(head, {
    series: spec.minDocCount === 0 ? "whole" : "gapped",
    create: (context) => {
      checkOrder(spec.order, head.children);
      const source = numberSource(context, values, "histogram");
      const format = formatOf(source.field, values.format, values.timeZone);
      return new HistogramAggregator(
        {
          source,
          format,
          children: head.children,
          round,
          next: (key) => key + interval,
          hardBounds: hard,
        },
        context,
      );
    },
    reduce: (partials, context) => reduceHistogram(spec, partials, context),
    bucketsOf: histogramBuckets,
    render: (reduced, rendering) => renderHistogram(spec, reduced, { ...rendering, isDate: false }),
  });
}

/** Parses `extended_bounds` or `hard_bounds` of numbers. */
function parseBounds(at: Cursor, read: (json: Json) => number): Bounds {
  if (!isJsonObject(at.json)) throw illegalArgument("bounds must be an object");
  const bounds: { min: number | undefined; max: number | undefined } = {
    min: undefined,
    max: undefined,
  };
  for (const [name, member] of members(at)) {
    if (name !== "min" && name !== "max") throw unknownField(member, "bounds", ["min", "max"]);
    if (member.json !== null) bounds[name] = read(member.json);
  }
  if (bounds.min !== undefined && bounds.max !== undefined && bounds.min > bounds.max) {
    throw illegalArgument(
      `[extended_bounds.min][${bounds.min}] cannot be greater than [extended_bounds.max][${bounds.max}]`,
    );
  }
  return bounds;
}

// ------------------------------------------------------------------------------------------ dates

/** Bounds as in the request: dates, or date math that depends on the time of the search. */
interface DateBounds {
  readonly min: Json | undefined;
  readonly max: Json | undefined;
}

interface DatePartial extends HistogramPartial {
  /**
   * Bounds that the shard resolved: date math refers to its time and the field's format, so they
   * travel with the partial.
   */
  readonly bounds: Bounds;
}

/** Parses a `date_histogram` aggregation. */
export function parseDateHistogram(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "date_histogram", [
    "interval",
    "calendar_interval",
    "fixed_interval",
    ...COMMON,
  ]);
  const values = options.values();
  const zone = zoneOf(values.timeZone ?? "UTC");
  const offset = options.read("offset", parseOffset, 0);
  const rounding = parseRounding(options, zone, offset);
  const extended = options.read<DateBounds | undefined>("extended_bounds", rawBounds, undefined);
  const hard = options.read<DateBounds | undefined>("hard_bounds", rawBounds, undefined);
  const order = options.read("order", parseOrder, BY_KEY);
  const minDocCount = options.docCount("min_doc_count", head.name, 0);
  const isKeyed = options.flag("keyed", false);
  const specOf = (bounds: Bounds | undefined): HistogramSpec => ({
    children: head.children,
    minDocCount,
    order,
    isKeyed,
    extended: bounds,
    round: (value) => required(rounding).round(value),
    next: (key) => required(rounding).next(key),
  });
  return defineBuckets<DatePartial>(head, {
    series: minDocCount === 0 ? "whole" : "gapped",
    create: (context) => {
      const chosen = required(rounding);
      checkOrder(order, head.children);
      const source = numberSource(context, values, "date_histogram");
      const pattern =
        values.format ??
        source.field?.dateFormat?.pattern ??
        "strict_date_optional_time||epoch_millis";
      const format =
        source.field === undefined
          ? `date|${pattern}|${zone.id}`
          : formatOf(source.field, values.format, zone.id);
      const resolved = resolveBounds(hard, {
        pattern,
        zoneId: zone.id,
        nowMs: context.build.nowMs,
      });
      const aggregator = new HistogramAggregator(
        {
          source,
          format,
          children: head.children,
          round: chosen.round,
          next: chosen.next,
          // The upper bound of dates is outside, unlike that of numbers.
          hardBounds: resolved && {
            min: resolved.min === undefined ? undefined : chosen.round(resolved.min),
            max: resolved.max === undefined ? undefined : resolved.max - 1,
          },
        },
        context,
      );
      const bounds = resolveBounds(extended, {
        pattern,
        zoneId: zone.id,
        nowMs: context.build.nowMs,
      });
      return {
        open: (segment) => aggregator.open(segment),
        partial: (bucket) => ({ ...aggregator.partial(bucket), bounds: { ...bounds } }),
      };
    },
    reduce: (partials, context) => {
      const { bounds } =
        partials.find(({ bounds: { min, max } }) => min !== undefined || max !== undefined) ?? {};
      return partialOf(reduceHistogram(specOf(bounds), partials, context), (reduced) => ({
        ...reduced,
        bounds: { ...bounds },
      }));
    },
    bucketsOf: histogramBuckets,
    render: (reduced, rendering) =>
      renderHistogram(specOf(undefined), reduced, { ...rendering, isDate: true }),
  });
}

/**
 * The rounding; only shards require it, as in the product.
 * @throws OperationError 400
 */
function required(rounding: Rounding | undefined): Rounding {
  if (rounding === undefined)
    throw illegalArgument("Invalid interval specified, must be non-null and non-empty");
  return rounding;
}

/**
 * The rounding of `calendar_interval`, `fixed_interval`, or the deprecated `interval`, which may be
 * either; `undefined`: none is given.
 */
export function parseRounding(
  options: Options,
  zone: ReturnType<typeof zoneOf>,
  offset: number,
): Rounding | undefined {
  const calendar = options.read<Rounding | undefined>(
    "calendar_interval",
    (cursor) => {
      const text = scalarText(cursor);
      const unit = calendarUnit(text);
      if (unit === undefined)
        throw illegalArgument(
          `The supplied interval [${text}] could not be parsed as a calendar interval.`,
        );
      return calendarRounding(unit, zone, offset);
    },
    undefined,
  );
  if (calendar !== undefined) return calendar;
  const fixed = options.read<Rounding | undefined>(
    "fixed_interval",
    (cursor) => fixedRounding(fixedInterval(scalarText(cursor)), zone, offset),
    undefined,
  );
  if (fixed !== undefined) return fixed;
  return options.read<Rounding | undefined>(
    "interval",
    (cursor) => {
      const text = scalarText(cursor);
      const unit = calendarUnit(text);
      if (unit !== undefined) return calendarRounding(unit, zone, offset);
      const ms = isNumber(cursor.json) ? positive(longOf(cursor)) : fixedInterval(text);
      return fixedRounding(ms, zone, offset);
    },
    undefined,
  );
}

/** `+6h`, `-1d`, or a number of milliseconds. */
function parseOffset(at: Cursor): number {
  if (isNumber(at.json)) return longOf(at);
  const text = scalarText(at);
  const sign = text.startsWith("-") ? -1 : 1;
  const ms = parseDuration(text.replace(/^[+-]/, ""));
  if (ms === undefined) {
    throw illegalArgument(
      `failed to parse setting [DateHistogramAggregationBuilder.parseOffset] with value [${text}] as a time value: unit is missing or unrecognized`,
    );
  }
  return sign * ms;
}

/** Parses bounds of dates without resolving them. */
function rawBounds(at: Cursor): DateBounds {
  const bounds: { min: Json | undefined; max: Json | undefined } = {
    min: undefined,
    max: undefined,
  };
  for (const [name, member] of members(at)) {
    if (name !== "min" && name !== "max") throw unknownField(member, "bounds", ["min", "max"]);
    if (member.json === null) continue;
    const isMoment = isNumber(member.json);
    bounds[name] = isMoment ? wrapField(member, "bounds", () => longOf(member)) : member.json;
  }
  return bounds;
}

function isNumber(json: Json): boolean {
  return typeof json === "number" || typeof json === "bigint";
}

/** Bounds in milliseconds of Unix time. */
function resolveBounds(
  bounds: DateBounds | undefined,
  {
    pattern,
    zoneId,
    nowMs,
  }: { readonly pattern: string; readonly zoneId: string; readonly nowMs: number },
): Bounds | undefined {
  if (bounds === undefined) return undefined;
  const read = (json: Json | undefined): number | undefined => {
    if (json === undefined) return undefined;
    if (typeof json === "number") return json;
    return parseDateMath(javaText(json), dateFormatOf(pattern), { nowMs, zone: zoneOf(zoneId) }).ms;
  };
  const resolved = { min: read(bounds.min), max: read(bounds.max) };
  if (resolved.min !== undefined && resolved.max !== undefined && resolved.min > resolved.max) {
    throw new OperationError({
      type: "parsing_exception",
      reason: `[extended_bounds.min][${javaText(bounds.min)}] cannot be greater than [extended_bounds.max][${javaText(bounds.max)}]`,
      status: 400,
    });
  }
  return resolved;
}
