/**
 * `range`, `date_range`, `ip_range` and the rings of `geo_distance`: a bucket for each range of
 * values. Source: `InternalRange`.
 */
import { illegalArgument, isJsonObject, setKey, type Json } from "@orrery/stdx";
import { double, javaDouble, lazyItems, lazyMembers } from "../json/json-text.ts";
import type { GeoPoint } from "../mapping/types/geo-point.ts";
import { child, items, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { haversineMeters, planeMeters } from "../queries/earth-distance.ts";
import { metersPer, pointOf } from "../queries/geo.ts";
import type { Printable } from "../json/printable.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { geoSource } from "./geo-source.ts";
import { ipRangeOf, ipRanges } from "./ip-ranges.ts";
import { boundOf, boundText, numberRanges } from "./number-ranges.ts";
import { intervalTree } from "./interval-tree.ts";
import { Options } from "./options.ts";
import type {
  AggregationHead,
  Aggregation,
  AggregationContext,
  Aggregator,
} from "../language/aggregation.ts";
import {
  rangeAggregator,
  type RangeBucket,
  type RangePartial,
  type RangeSpec,
} from "./range-buckets.ts";
import { partialOf, reduceBuckets, type BucketRule } from "./reduce-steps.ts";
import { formatNumber, RAW, type ValueFormat } from "./value-format.ts";

/** Parses a `range` aggregation. */
export function parseRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "range", ["ranges", "keyed"]);
  const values = options.values();
  const ranges = parseRanges(options, "range");
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    count: ranges.length,
    isKeyed,
    isDate: false,
    create: (context) => numberRanges(head, context, { values, ranges, isDate: false }),
  });
}

/** Parses a `date_range` aggregation. */
export function parseDateRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "date_range", ["ranges", "keyed"]);
  const values = options.values();
  const ranges = parseRanges(options, "date_range");
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    count: ranges.length,
    isKeyed,
    isDate: true,
    create: (context) => numberRanges(head, context, { values, ranges, isDate: true }),
  });
}

/**
 * Parses a `geo_distance` aggregation: ranges over distances of points from an origin. An open
 * lower bound prints as 0.
 */
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
  if (origin === undefined)
    throw illegalArgument(`Aggregation [${head.name}] must define an [origin].`);
  const meters = metersPer(options.text("unit") ?? "m");
  const metersTo =
    options.text("distance_type")?.toLowerCase() === "plane" ? planeMeters() : haversineMeters();
  const ranges = parseRanges(options, "geo_distance");
  const isKeyed = options.flag("keyed", false);
  const create = (context: AggregationContext): Aggregator<RangePartial> => {
    if (ranges.length === 0)
      throw illegalArgument(`No [ranges] specified for the [${head.name}] aggregation`);
    const source = geoSource(context, values, "geo_distance");
    const bounds = ranges
      .map(({ key, from, to }) => {
        const high = to === undefined ? Infinity : boundOf(to);
        const low = from === undefined ? 0 : boundOf(from);
        const text = `${low === 0 ? "*" : javaDouble(low)}-${boundText(high, RAW)}`;
        return { key: key ?? text, from: low, to: high };
      })
      .toSorted((a, b) => a.from - b.from || a.to - b.to);
    const tree = intervalTree(bounds);
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
          const distances = read(doc).map((point) => metersTo(origin, point) / meters);
          tree.findAny(distances, 0, distances.length, visit);
        };
      },
    });
  };
  return rangeAggregation(head, { count: ranges.length, isKeyed, isDate: false, create });
}

/** Parses an `ip_range` aggregation. */
export function parseIpRange(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "ip_range", ["ranges", "keyed"]);
  const values = options.values();
  const cursor = options.cursor("ranges");
  if (cursor === undefined)
    throw illegalArgument("No [ranges] specified for the [ip_range] aggregation");
  const ranges = options.read("ranges", (list) => items(list).map(ipRangeOf), []);
  const isKeyed = options.flag("keyed", false);
  return rangeAggregation(head, {
    count: ranges.length,
    isKeyed,
    isDate: false,
    create: (context) => ipRanges(head, context, { values, ranges }),
  });
}

/** The ranges of a request, in its order. */
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

/** The members in which the four aggregations differ; `count` is the number of ranges. */
interface Kind {
  readonly count: number;
  readonly isKeyed: boolean;
  readonly isDate: boolean;
  create(context: AggregationContext): Aggregator<RangePartial>;
}

/**
 * Reduction and rendering. Shards have the same ranges in the same order, so they are merged by
 * index.
 */
function rangeAggregation(head: AggregationHead, kind: Kind): Aggregation {
  return defineBuckets<RangePartial>(head, {
    bucketCount: kind.count,
    create: kind.create,
    reduce: (partials, context) => {
      const [first] = partials;
      const given = first?.buckets ?? [];
      const rule: BucketRule<RangeBucket, RangeBucket> = {
        partials: (_, i) => partials.map(({ buckets }) => buckets[i]?.c ?? []),
        build: (bucket, c, i) => {
          const n = partials.reduce((total, { buckets }) => total + (buckets[i]?.n ?? 0), 0);
          return { ...bucket, n, c };
        },
      };
      return partialOf(reduceBuckets(head.children, given, rule, context), (buckets) => {
        context.addBuckets(buckets.length);
        return { format: partials.find(({ format }) => format !== RAW)?.format ?? RAW, buckets };
      });
    },
    bucketsOf: ({ buckets }) =>
      buckets.map(({ key, n, c }) => ({ key, keyText: key, count: n, children: c })),
    render: ({ format, buckets }, options) => {
      const print = (bucket: RangeBucket): { [key: string]: Printable } => ({
        ...renderBounds(bucket, format),
        doc_count: bucket.n,
        ...renderChildren(head.children, bucket.c, options),
      });
      if (kind.isKeyed) return { buckets: lazyMembers(buckets, ({ key }) => key, print) };
      return { buckets: lazyItems(buckets, (one) => ({ key: one.key, ...print(one) })) };
    },
  });
}

/** The bounds of a bucket: addresses as text, numbers with their format. */
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
    setKey(json, name, typeof value === "string" ? value : double(value));
    if (typeof value !== "string") setKey(json, `${name}_as_string`, formatNumber(value, format));
  }
  return json;
}
