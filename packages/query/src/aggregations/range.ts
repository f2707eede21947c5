/** `range`, `date_range`, `ip_range`: buckets between given bounds, which may overlap. */
import { illegalArgument, isJsonObject, OperationError, type Json } from "@orrery/stdx";
import { parseDateMath } from "../dates/date-math.ts";
import { dateFormatOf } from "../dates/format.ts";
import { zoneOf } from "../dates/zone.ts";
import { double, javaDouble } from "../json/json-text.ts";
import { formatIp, parseCidr, parseIp } from "../mapping/types/ip.ts";
import { child, items, members, parsingError, scalarText, type Cursor } from "../queries/cursor.ts";
import { haversineMeters, metersPer, pointOf } from "../queries/geo.ts";
import type { GeoPoint } from "../mapping/types/geo-point.ts";
import { geoSource } from "./geo-source.ts";
import { termRange } from "../search/searcher.ts";
import type { SegmentContext } from "../search/searcher.ts";
import type { Plain, Printable } from "../types.ts";
import { createChildren, reduceChildren, renderChildren } from "./children.ts";
import { BatchBuffer, Doubles } from "./growable.ts";
import { bucketHead } from "./histogram.ts";
import { Options } from "./options.ts";
import type { AggregationHead } from "./parse.ts";
import type { Aggregation, AggregationContext, Aggregator, LeafCollector } from "./types.ts";
import { formatNumber, formatOf, RAW, type ValueFormat } from "./value-format.ts";
import { aggregatedField, numberSource, type ValuesSpec } from "./values.ts";

interface RangeSpec {
  readonly key: string | undefined;
  readonly from: Json | undefined;
  readonly to: Json | undefined;
}

/** A bucket as it travels: bounds resolved on the shard, because dates may mean its moment. */
interface RangeBucket {
  readonly key: string;
  readonly from: number | string | undefined;
  readonly to: number | string | undefined;
  readonly n: number;
  readonly c: readonly Plain[];
}

interface RangePartial {
  readonly format: ValueFormat;
  readonly buckets: readonly RangeBucket[];
}

export function parseRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "range", ["ranges", "keyed"]);
  const values = options.values();
  const ranges = parseRanges(options, "range");
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    isKeyed,
    isDate: false,
    create: (context) => numberRanges(head, context, { values, ranges, isDate: false }),
  });
}

export function parseDateRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "date_range", ["ranges", "keyed"]);
  const values = options.values();
  const ranges = parseRanges(options, "date_range");
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    isKeyed,
    isDate: true,
    create: (context) => numberRanges(head, context, { values, ranges, isDate: true }),
  });
}

/** Like `range`, over the distances of points from an origin; an open lower bound prints as 0. */
export function parseGeoDistanceRanges(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "geo_distance", [
    "ranges",
    "keyed",
    "origin",
    "unit",
    "distance_type",
  ]);
  const values = options.values();
  const origin = options.read<GeoPoint | undefined>(
    "origin",
    (cursor) => pointOf(cursor.json),
    undefined,
  );
  if (origin === undefined) throw illegalArgument(`Required [origin]`);
  const meters = metersPer(options.text("unit") ?? "m");
  const ranges = parseRanges(options, "geo_distance");
  const isKeyed = options.flag("keyed", false);
  const create = (context: AggregationContext): Aggregator => {
    const source = geoSource(context, values, "geo_distance");
    const bounds = ranges
      .map(({ key, from, to }) => {
        const high = to === undefined ? Infinity : boundOf(to);
        const low = from === undefined ? 0 : boundOf(from);
        const text = `${low === 0 ? "*" : javaDouble(low)}-${boundText(high, RAW)}`;
        return { key: key ?? text, from: low, to: high };
      })
      .toSorted((a, b) => a.from - b.from || a.to - b.to);
    return rangeAggregator(head, context, {
      format: RAW,
      bounds: bounds.map(({ key, from, to }) => ({
        key,
        from,
        to: Number.isFinite(to) ? to : undefined,
      })),
      open: (segment) => {
        const read = source(segment);
        if (read === undefined) return undefined;
        return (doc, visit) => {
          const distances = read(doc).map((point) => haversineMeters(origin, point) / meters);
          for (const [i, { from, to }] of bounds.entries())
            if (distances.some((distance) => distance >= from && distance < to)) visit(i);
        };
      },
    });
  };
  return rangeAggregation(head, { isKeyed, isDate: false, create });
}

export function parseIpRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "ip_range", ["ranges", "keyed"]);
  const values = options.values();
  const cursor = options.cursor("ranges");
  if (cursor === undefined)
    throw illegalArgument("No [ranges] specified for the [ip_range] aggregation");
  const ranges = items(cursor).map((item): RangeSpec & { readonly mask: string | undefined } => {
    const text = (name: string): string | undefined => {
      const value = isJsonObject(item.json) ? item.json[name] : undefined;
      return value === undefined || value === null ? undefined : String(value);
    };
    return { key: text("key"), from: text("from"), to: text("to"), mask: text("mask") };
  });
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    isKeyed,
    isDate: false,
    create: (context) => ipRanges(head, context, { values, ranges }),
  });
}

function parseRanges(options: Options, type: string): RangeSpec[] {
  const cursor = options.cursor("ranges");
  if (cursor === undefined) return [];
  return items(cursor).map((item) => {
    if (!isJsonObject(item.json)) throw parsingError(item, `[${type}] ranges must be objects`);
    for (const [name, member] of members(item)) {
      if (!["key", "from", "to"].includes(name))
        throw parsingError(member, `[range] unknown field [${name}]`);
    }
    const value = (name: string): Json | undefined => {
      const { json } = child(item, name);
      return json === null ? undefined : json;
    };
    const key = value("key");
    return {
      key: key === undefined ? undefined : scalarText(child(item, "key")),
      from: value("from"),
      to: value("to"),
    };
  });
}

interface Kind {
  readonly isKeyed: boolean;
  readonly isDate: boolean;
  create(context: AggregationContext): Aggregator;
}

function rangeAggregation(head: AggregationHead, kind: Kind): Aggregation {
  return {
    ...bucketHead(head),
    create: kind.create,
    reduce: (partials, context) => {
      const all = partials.filter((partial) => partial !== undefined) as unknown as RangePartial[];
      const [first] = all;
      const buckets = (first?.buckets ?? []).map((bucket, i) => ({
        ...bucket,
        n: all.reduce((total, partial) => total + (partial.buckets[i]?.n ?? 0), 0),
        c: reduceChildren(
          head.children,
          all.map((partial) => partial.buckets[i]?.c ?? []),
          context,
        ),
      }));
      context.addBuckets(buckets.length);
      return { format: all.find(({ format }) => format !== RAW)?.format ?? RAW, buckets };
    },
    typedName: () => head.type,
    bucketsOf: (reduced) =>
      (reduced as unknown as RangePartial).buckets.map(({ key, n, c }) => ({
        key,
        keyText: key,
        count: n,
        children: c,
      })),
    render: (reduced, options) => {
      const { format, buckets } = reduced as unknown as RangePartial;
      const rendered = buckets.map((bucket): [string, { [key: string]: Printable }] => [
        bucket.key,
        {
          ...renderBounds(bucket, format),
          doc_count: bucket.n,
          ...renderChildren(head.children, bucket.c, options),
        },
      ]);
      if (kind.isKeyed) return { buckets: Object.fromEntries(rendered) };
      return { buckets: rendered.map(([key, json]) => ({ key, ...json })) };
    },
  };
}

function renderBounds(
  { from, to }: RangeBucket,
  format: ValueFormat,
): { [key: string]: Printable } {
  const json: { [key: string]: Printable } = {};
  for (const [name, value] of [
    ["from", from],
    ["to", to],
  ] as const) {
    if (value === undefined) continue;
    json[name] = typeof value === "string" ? value : double(value);
    if (typeof value !== "string") json[`${name}_as_string`] = formatNumber(value, format);
  }
  return json;
}

// ------------------------------------------------------------------------------------------ numbers and dates

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

function numberRanges(
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
    return parseDateMath(String(json), dateFormatOf(pattern), { nowMs: context.build.nowMs, zone })
      .ms;
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

function boundOf(json: Json): number {
  const number = json === "" ? Number.NaN : Number(json);
  if (!Number.isNaN(number)) return number;
  throw new OperationError({
    type: "number_format_exception",
    reason: `For input string: "${String(json)}"`,
    status: 400,
  });
}

function boundText(value: number, format: ValueFormat): string {
  if (!Number.isFinite(value)) return "*";
  return formatNumber(value, format) ?? javaDouble(value);
}

// ------------------------------------------------------------------------------------------ addresses

interface IpRanges {
  readonly values: ValuesSpec;
  readonly ranges: readonly (RangeSpec & { readonly mask: string | undefined })[];
}

function ipRanges(
  head: AggregationHead,
  context: AggregationContext,
  { values, ranges }: IpRanges,
): Aggregator {
  const field = aggregatedField(context, values);
  const name = field === undefined ? "" : (field.aliasOf ?? field.name);
  const bounds = ranges.map(({ key, from, to, mask }) => {
    if (mask !== undefined) {
      const { first, last } = parseCidr(mask);
      const after = increment(last);
      return {
        key: key ?? mask,
        lower: first,
        upper: after,
        from: formatIp(first),
        to: after === undefined ? undefined : formatIp(after),
      };
    }
    const text = (value: Json | undefined): string | undefined =>
      value === undefined ? undefined : String(value);
    const lower = text(from);
    const upper = text(to);
    return {
      key: key ?? `${lower ?? "*"}-${upper ?? "*"}`,
      lower: lower === undefined ? undefined : parseIp(lower),
      upper: upper === undefined ? undefined : parseIp(upper),
      from: lower,
      to: upper,
    };
  });
  return rangeAggregator(head, context, {
    format: RAW,
    bounds: bounds.map(({ key, from, to }) => ({ key, from, to })),
    open: ({ reader }) => {
      const column = reader.ordinals(name);
      if (column === undefined) return undefined;
      const spans = bounds.map(({ lower, upper }) =>
        termRange(column.dictionary, { lower, upper, includesLower: true, includesUpper: false }),
      );
      return (doc, visit) => {
        const end = column.end(doc);
        for (const [i, { from, to }] of spans.entries()) {
          for (let at = column.start(doc); at < end; at += 1) {
            const ord = column.ords[at] as number;
            if (ord < from || ord >= to) continue;
            visit(i);
            break;
          }
        }
      };
    },
  });
}

/** The next address; `undefined` after the last one. */
function increment(address: Uint8Array): Uint8Array | undefined {
  const next = address.slice();
  for (let i = next.length - 1; i >= 0; i -= 1) {
    if (next[i] === 255) {
      next[i] = 0;
      continue;
    }
    next[i] = (next[i] as number) + 1;
    return next;
  }
  return undefined;
}

// ------------------------------------------------------------------------------------------ collecting

interface RangeShard {
  readonly format: ValueFormat;
  readonly bounds: readonly Pick<RangeBucket, "key" | "from" | "to">[];
  open(
    segment: SegmentContext,
  ): ((doc: number, visit: (range: number) => void) => void) | undefined;
}

/** Bucket `owner * width + i` is the i-th range's. */
function rangeAggregator(
  head: AggregationHead,
  context: AggregationContext,
  shard: RangeShard,
): Aggregator {
  const children = createChildren(head.children, context);
  const counts = new Doubles();
  const width = shard.bounds.length;
  const batch = new BatchBuffer();
  return {
    open: (segment): LeafCollector => {
      const leaf = children.open(segment);
      const ranges = shard.open(segment);
      if (ranges === undefined) return { collect: () => {} };
      return {
        collect: (docs, buckets, count, scores) => {
          batch.count = 0;
          for (let i = 0; i < count; i += 1) {
            const doc = docs[i] as number;
            const base = (buckets === undefined ? 0 : (buckets[i] as number)) * width;
            ranges(doc, (range) =>
              batch.add(doc, base + range, scores === undefined ? 0 : (scores[i] as number)),
            );
          }
          for (let i = 0; i < batch.count; i += 1) {
            const bucket = batch.buckets[i] as number;
            const totals = counts.reserve(bucket);
            totals[bucket] = (totals[bucket] as number) + 1;
          }
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
    partial: (bucket): Plain => ({
      format: shard.format,
      buckets: shard.bounds.map((bound, i) => ({
        ...bound,
        n: counts.get(bucket * width + i),
        c: children.partials(bucket * width + i),
      })),
    }),
  };
}
