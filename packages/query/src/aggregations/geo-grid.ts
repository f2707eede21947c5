/**
 * `geohash_grid` and `geotile_grid`: points by the cell of a grid that contains them. Source:
 * `GeoGridAggregator`.
 */
import { illegalArgument, isJsonObject } from "@orrery/stdx";
import { lazyItems } from "../json/json-text.ts";
import { encodeGeohash, type GeoPoint } from "../mapping/types/geo-point.ts";
import { intOf, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { parseBox, parseDistance, type Box } from "../queries/geo.ts";
import { renderChildren } from "./children.ts";
import { defineBuckets } from "./define.ts";
import { geoSource } from "./geo-source.ts";
import { KeyedBuckets, mergeBuckets, reduceMerged, type PartialBucket } from "./keyed-buckets.ts";
import { Options } from "./options.ts";
import type { AggregationHead, Aggregation } from "../language/aggregation.ts";
import { partialOf } from "./reduce-steps.ts";

/** The grid of one precision. */
interface Grid {
  readonly type: "geohash_grid" | "geotile_grid";
  /** Name of the cell that contains the point. */
  cell(point: GeoPoint): string;
  /** Ascending order of cells; cells with equal counts are sorted in its reverse. */
  compare(a: string, b: string): number;
}

/** The cells with most documents. */
interface GridPartial {
  readonly buckets: readonly PartialBucket<string>[];
}

/** Parses a `geohash_grid` aggregation. */
export function parseGeohashGrid(head: AggregationHead, at: Cursor): Aggregation {
  const options = gridOptions(at, "geohash_grid");
  const precision = options.read("precision", hashPrecision, 5);
  return gridAggregation(head, options, {
    type: "geohash_grid",
    cell: (point) => encodeGeohash(point, precision),
    compare: (a, b) => (a < b ? -1 : a > b ? 1 : 0),
  });
}

/** Parses a `geotile_grid` aggregation. */
export function parseGeotileGrid(head: AggregationHead, at: Cursor): Aggregation {
  const options = gridOptions(at, "geotile_grid");
  const zoom = options.read("precision", tileZoom, 7);
  return gridAggregation(head, options, {
    type: "geotile_grid",
    cell: (point) => tileOf(point, zoom),
    compare: (a, b) => {
      const [, ax = 0, ay = 0] = a.split("/").map(Number);
      const [, bx = 0, by = 0] = b.split("/").map(Number);
      return ax - bx || ay - by;
    },
  });
}

function gridOptions(at: Cursor, type: string): Options {
  return new Options(at, type, ["precision", "size", "shard_size", "bounds"]);
}

function tileZoom(at: Cursor): number {
  const zoom = intOf(at);
  if (zoom >= 0 && zoom <= 29) return zoom;
  throw illegalArgument(`Invalid geotile_grid precision of ${zoom}. Must be between 0 and 29.`);
}

/** A length of geohashes from 1 to 12, also given as the width of a cell in a unit of distance. */
function hashPrecision(at: Cursor): number {
  const text = scalarText(at);
  const number = Number(text);
  const precision = Number.isNaN(number) ? levelFor(parseDistance(text, "m")) : number;
  if (precision < 1 || precision > 12) {
    throw illegalArgument(
      `Invalid geohash aggregation precision of ${precision}. Must be between 1 and 12.`,
    );
  }
  return precision;
}

/** Circumference of the earth at the equator. Source: `GeoUtils.EARTH_EQUATOR`. */
const EQUATOR_METERS = 40_075_016.685_578_5;

/** The shortest geohash whose cells are at most this wide and high. */
function levelFor(meters: number): number {
  for (let level = 1; level <= 12; level += 1) {
    const width = EQUATOR_METERS / 2 ** Math.ceil((level * 5) / 2);
    const height = EQUATOR_METERS / 2 / 2 ** Math.floor((level * 5) / 2);
    if (width <= meters && height <= meters) return level;
  }
  throw illegalArgument(`precision too high [${meters}m]`);
}

/** The highest latitude of the Web Mercator projection. */
const MAX_LATITUDE = 85.051_128_779_806_6;

/** The tile of a point, `zoom/x/y`. Source: `GeoTileUtils`. */
function tileOf({ lat, lon }: GeoPoint, zoom: number): string {
  const tiles = 2 ** zoom;
  const x = Math.floor(((lon + 180) / 360) * tiles);
  const sine = Math.sin((Math.max(-MAX_LATITUDE, Math.min(MAX_LATITUDE, lat)) * Math.PI) / 180);
  const y = Math.floor((0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * tiles);
  const inside = (tile: number): number => Math.max(0, Math.min(tiles - 1, tile));
  return `${zoom}/${inside(x)}/${inside(y)}`;
}

/** The aggregation over either grid. */
function gridAggregation(head: AggregationHead, options: Options, grid: Grid): Aggregation {
  const size = options.int("size", 10_000);
  const given = options.int("shard_size", -1);
  const shardSize = given < 0 ? Math.floor(size * 1.5 + 10) : Math.max(given, size);
  if (size <= 0)
    throw illegalArgument(`[size] must be greater than 0. Found [${size}] in [${head.name}]`);
  const values = options.values();
  const box = options.read<Box | undefined>(
    "bounds",
    (cursor) => (isJsonObject(cursor.json) ? parseBox(cursor) : undefined),
    undefined,
  );
  const better = (
    a: { readonly key: string; readonly count: number },
    b: { readonly key: string; readonly count: number },
  ): number => b.count - a.count || grid.compare(b.key, a.key);
  return defineBuckets<GridPartial>(head, {
    create: (context) => {
      const source = geoSource(context, values, grid.type);
      const buckets = new KeyedBuckets<string>(head.children, context);
      return {
        open: (segment) => {
          const read = source(segment);
          return buckets.open(segment, (doc, put) => {
            const points = (read?.(doc) ?? []).filter(
              (point) => box === undefined || isInside(point, box),
            );
            const cells = points.map((point) => grid.cell(point));
            for (const cell of cells.length < 2 ? cells : new Set(cells)) put(cell);
          });
        },
        partial: (owner) => ({
          buckets: buckets
            .of(owner)
            .toSorted(better)
            .slice(0, shardSize)
            .map(({ key, count, bucket }) => ({
              k: key,
              n: count,
              c: buckets.children.partials(bucket),
            })),
        }),
      };
    },
    reduce: (partials, context) => {
      const merged = mergeBuckets(
        partials.map(({ buckets }) => buckets),
        String,
      )
        .toSorted(better)
        .slice(0, context.isFinal ? size : shardSize);
      if (context.isFinal) context.addBuckets(merged.length);
      return partialOf(reduceMerged(head.children, merged, context), (buckets) => ({ buckets }));
    },
    bucketsOf: ({ buckets }) =>
      buckets.map(({ k, n, c }) => ({ key: k, keyText: k, count: n, children: c })),
    render: ({ buckets }, rendering) => ({
      buckets: lazyItems(buckets, ({ k, n, c }) => ({
        key: k,
        doc_count: n,
        ...renderChildren(head.children, c, rendering),
      })),
    }),
  });
}

/** Whether a point is in the box, which may cross the date line. */
function isInside({ lat, lon }: GeoPoint, { top, bottom, left, right }: Box): boolean {
  if (lat > top || lat < bottom) return false;
  return left <= right ? lon >= left && lon <= right : lon >= left || lon <= right;
}
