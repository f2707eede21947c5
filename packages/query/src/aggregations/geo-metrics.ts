/**
 * `geo_bounds` and `geo_centroid`: the box around points, and their mean. Source:
 * `GeoBoundsAggregator`, `GeoCentroidAggregator`.
 */
import { double } from "../json/json-text.ts";
import type { Cursor } from "../language/cursor.ts";
import { defineMetric } from "./define.ts";
import { Doubles, maxBucket } from "./growable.ts";
import { geoSource } from "./geo-source.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { compensatedSum, Sums } from "./sums.ts";

/**
 * The sides of two boxes, of negative and of other longitudes: the smaller box around all points
 * may cross the date line.
 */
interface Bounds {
  readonly top: number;
  readonly bottom: number;
  readonly westMin: number;
  readonly westMax: number;
  readonly eastMin: number;
  readonly eastMax: number;
}

/** Members of `Bounds`. */
const SIDES = ["top", "bottom", "westMin", "westMax", "eastMin", "eastMax"] as const;
/** Whether a side is the greatest of its values, or the least. */
const IS_MAXIMUM: Readonly<Record<(typeof SIDES)[number], boolean>> = {
  top: true,
  bottom: false,
  westMin: false,
  westMax: true,
  eastMin: false,
  eastMax: true,
};

/** The side of an empty box. */
function startOf(side: (typeof SIDES)[number]): number {
  return IS_MAXIMUM[side] ? -Infinity : Infinity;
}

/** Parses a `geo_bounds` aggregation. */
export function parseGeoBounds(head: AggregationHead, at: Cursor): Aggregation {
  const options = new Options(at, "geo_bounds", ["wrap_longitude"]);
  const wraps = options.flag("wrap_longitude", true);
  const values = options.values();
  return defineMetric<Bounds>(head, {
    create: (context) => {
      const source = geoSource(context, values, "geo_bounds");
      const columns = Object.fromEntries(
        SIDES.map((side) => [side, new Doubles(startOf(side))]),
      ) as Record<(typeof SIDES)[number], Doubles>;
      const widen = (side: (typeof SIDES)[number], bucket: number, value: number): void => {
        const column = columns[side].reserve(bucket);
        const known = column[bucket] as number;
        column[bucket] = IS_MAXIMUM[side] ? Math.max(known, value) : Math.min(known, value);
      };
      return {
        open: (segment) => {
          const read = source(segment);
          if (read === undefined) return { collect: () => {} };
          return {
            collect: (docs, buckets, count) => {
              for (let i = 0; i < count; i += 1) {
                const bucket = buckets === undefined ? 0 : (buckets[i] as number);
                for (const { lat, lon } of read(docs[i] as number)) {
                  widen("top", bucket, lat);
                  widen("bottom", bucket, lat);
                  widen(lon < 0 ? "westMin" : "eastMin", bucket, lon);
                  widen(lon < 0 ? "westMax" : "eastMax", bucket, lon);
                }
              }
            },
          };
        },
        partial: (bucket) => boundsBy((side) => columns[side].get(bucket)),
      };
    },
    reduce: (partials) =>
      boundsBy((side) =>
        partials.reduce(
          (known, bounds) =>
            IS_MAXIMUM[side] ? Math.max(known, bounds[side]) : Math.min(known, bounds[side]),
          startOf(side),
        ),
      ),
    render: (bounds) => {
      if (!Number.isFinite(bounds.top)) return {};
      const { left, right } = longitudes(bounds, wraps);
      return {
        bounds: {
          top_left: { lat: double(bounds.top), lon: double(left) },
          bottom_right: { lat: double(bounds.bottom), lon: double(right) },
        },
      };
    },
  });
}

/** Bounds from a function of the side. */
function boundsBy(read: (side: keyof Bounds) => number): Bounds {
  return {
    top: read("top"),
    bottom: read("bottom"),
    westMin: read("westMin"),
    westMax: read("westMax"),
    eastMin: read("eastMin"),
    eastMax: read("eastMax"),
  };
}

/**
 * The narrower of the boxes over longitude 0 and over the date line, the second with
 * `wrap_longitude` alone.
 */
function longitudes(
  { westMin, westMax, eastMin, eastMax }: Bounds,
  wraps: boolean,
): { readonly left: number; readonly right: number } {
  if (!Number.isFinite(eastMin)) return { left: westMin, right: westMax };
  if (!Number.isFinite(westMin)) return { left: eastMin, right: eastMax };
  const acrossZero = eastMax - westMin;
  const acrossDateLine = 180 - eastMin - (-180 - westMax);
  return wraps && acrossDateLine < acrossZero
    ? { left: eastMin, right: westMax }
    : { left: westMin, right: eastMax };
}

/** Sums of latitudes and longitudes. */
interface Centroid {
  readonly lat: number;
  readonly lon: number;
  readonly count: number;
}

/** Parses a `geo_centroid` aggregation. */
export function parseGeoCentroid(head: AggregationHead, at: Cursor): Aggregation {
  const values = new Options(at, "geo_centroid", []).values();
  return defineMetric<Centroid>(head, {
    create: (context) => {
      const source = geoSource(context, values, "geo_centroid");
      const lats = new Sums();
      const lons = new Sums();
      const counts = new Doubles();
      return {
        open: (segment) => {
          const read = source(segment);
          if (read === undefined) return { collect: () => {} };
          return {
            collect: (docs, buckets, count) => {
              const most = maxBucket(buckets, count);
              lats.reserve(most);
              lons.reserve(most);
              const totals = counts.reserve(most);
              for (let i = 0; i < count; i += 1) {
                const bucket = buckets === undefined ? 0 : (buckets[i] as number);
                for (const { lat, lon } of read(docs[i] as number)) {
                  lats.add(bucket, lat);
                  lons.add(bucket, lon);
                  totals[bucket] = (totals[bucket] as number) + 1;
                }
              }
            },
          };
        },
        partial: (bucket) => ({
          lat: lats.get(bucket),
          lon: lons.get(bucket),
          count: counts.get(bucket),
        }),
      };
    },
    reduce: (partials) => ({
      lat: compensatedSum(partials.map(({ lat }) => lat)),
      lon: compensatedSum(partials.map(({ lon }) => lon)),
      count: partials.reduce((total, { count }) => total + count, 0),
    }),
    render: ({ lat, lon, count }) =>
      count === 0
        ? { count }
        : { location: { lat: double(lat / count), lon: double(lon / count) }, count },
  });
}
