/**
 * `geo_distance`, `geo_bounding_box` and `geo_polygon` over points, and the parsing of points,
 * boxes and distances that other files use. Source: `GeoDistanceQueryBuilder`,
 * `GeoBoundingBoxQueryBuilder`, `GeoPolygonQueryBuilder`.
 */
import {
  jsonNumber,
  forInputString,
  illegalArgument,
  isJsonObject,
  lookup,
  OperationError,
  type Json,
} from "@orrery/stdx";
import { javaDouble } from "../json/json-text.ts";
import { decodeGeohash, pointFromText, type GeoPoint } from "../mapping/types/geo-point.ts";
import { none, type Plan } from "../language/plan.ts";
import { geoSet } from "../execution/weights/columns.ts";
import { setWeight } from "../execution/weights/sets.ts";
import { booleanOf, child, boostOf, members, parsingError, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import { haversineMeters } from "./earth-distance.ts";
import { fieldOf, shardError } from "./query.ts";
import type { BuildContext, Query } from "../language/query.ts";

/**
 * Parses a `geo_distance` query: points within a distance of a center.
 * @throws BodyError or OperationError 400
 */
export function parseGeoDistance(at: Cursor): Query {
  const shape = parseGeo(at, "geo_distance", ["distance", "unit", "distance_type"]);
  const distanceAt = shape.parameters.get("distance");
  if (distanceAt === undefined || distanceAt.json === null)
    throw parsingError(at, "geo_distance requires 'distance' to be specified", "end");
  const unitAt = shape.parameters.get("unit");
  const given = scalarText(distanceAt);
  if (given === "") throw illegalArgument("distance must not be null or empty");
  const meters = parseDistance(given, unitAt === undefined ? "m" : scalarText(unitAt));
  if (meters <= 0) throw illegalArgument("distance must be greater than zero");
  const center = pointOf(shape.body.json);
  const metersTo = haversineMeters();
  return geoQuery(shape, "geo_distance", (lat, lon) => metersTo(center, { lat, lon }) <= meters);
}

/**
 * Parses a `geo_bounding_box` query: points in a box, which may cross the date line.
 * @throws BodyError or OperationError 400
 */
export function parseGeoBoundingBox(at: Cursor): Query {
  const shape = parseGeo(at, "geo_bounding_box", ["type"]);
  const box = parseBox(shape.body);
  if (box.top < box.bottom) {
    throw illegalArgument(
      `top is below bottom corner: ${javaDouble(box.top)} vs. ${javaDouble(box.bottom)}`,
    );
  }
  return geoQuery(shape, "geo_bounding_box", (lat, lon) => {
    if (lat > box.top || lat < box.bottom) return false;
    return box.left <= box.right
      ? lon >= box.left && lon <= box.right
      : lon >= box.left || lon <= box.right;
  });
}

/**
 * Parses a `geo_polygon` query: points inside a polygon.
 * @throws BodyError or OperationError 400
 */
export function parseGeoPolygon(at: Cursor): Query {
  const shape = parseGeo(at, "geo_polygon", []);
  const pointsAt = members(shape.body).find(([name]) => name === "points");
  const points = Array.isArray(pointsAt?.[1].json)
    ? (pointsAt[1].json as readonly Json[]).map(pointOf)
    : [];
  if (points.length < 3) throw illegalArgument("too few points defined for geo_polygon query");
  return geoQuery(shape, "geo_polygon", (lat, lon) => isInside(points, lat, lon));
}

/** The parameters of a query, with the field and its shape. */
interface GeoShape {
  readonly field: string;
  readonly body: Cursor;
  readonly parameters: ReadonlyMap<string, Cursor>;
  readonly boost: number;
  readonly label: string | undefined;
  readonly ignoreUnmapped: boolean;
}

/** Parameters that all accept and none reads. */
const COMMON = new Set(["validation_method", "ignore_malformed", "coerce"]);

function parseGeo(at: Cursor, query: string, known: readonly string[]): GeoShape {
  let boost = 1;
  let label: string | undefined;
  let ignoreUnmapped = false;
  let found: { readonly field: string; readonly body: Cursor } | undefined;
  const parameters = new Map<string, Cursor>();
  for (const [name, member] of members(at)) {
    if (name === "boost") boost = boostOf(member);
    else if (name === "_name") label = scalarText(member);
    else if (name === "ignore_unmapped") ignoreUnmapped = booleanOf(member);
    else if (known.includes(name)) parameters.set(name, member);
    else if (!COMMON.has(name)) {
      if (found !== undefined) {
        throw parsingError(
          member,
          `[${query}] query doesn't support multiple fields, found [${found.field}] and [${name}]`,
        );
      }
      found = { field: name, body: member };
    }
  }
  if (found === undefined)
    throw parsingError(at, `failed to parse [${query}] query. no field given`, "end");
  return { ...found, parameters, boost, label, ignoreUnmapped };
}

function geoQuery(
  shape: GeoShape,
  query: string,
  contains: (lat: number, lon: number) => boolean,
): Query {
  return {
    boost: shape.boost,
    label: shape.label,
    build: (context, boost) => geoPlan({ shape, query }, context, { contains, boost }),
  };
}

/** Tests every point of the column. */
function geoPlan(
  { shape, query }: { readonly shape: GeoShape; readonly query: string },
  context: BuildContext,
  {
    contains,
    boost,
  }: { readonly contains: (lat: number, lon: number) => boolean; readonly boost: number },
): Plan {
  const field = fieldOf(context, shape.field);
  if (field === undefined) {
    if (shape.ignoreUnmapped) return none(`unmapped field [${shape.field}]`);
    throw shardError(context, `failed to find geo field [${shape.field}]`);
  }
  if (field.values.kind !== "geo_point") {
    throw shardError(
      context,
      `type [${field.type}] for field [${shape.field}] is not supported for [${query}] queries. Must be one of [geo_point] or [geo_shape]`,
    );
  }
  const column = field.aliasOf ?? field.name;
  return {
    kind: "own",
    description: "geo",
    weight: () => setWeight(boost, (segment) => geoSet(column, contains, segment)),
  };
}

// ------------------------------------------------------------------------------------------ points, boxes, distances

/**
 * Parses a point: text, `[lon, lat]`, or an object with `lat` and `lon` or with `geohash`.
 * @throws OperationError 400
 */
export function pointOf(json: Json): GeoPoint {
  if (typeof json === "string") return pointFromText(json);
  if (Array.isArray(json)) return { lon: coordinate(json[0]), lat: coordinate(json[1]) };
  if (isJsonObject(json)) {
    if (typeof json["geohash"] === "string") return decodeGeohash(json["geohash"]);
    return { lat: coordinate(json["lat"]), lon: coordinate(json["lon"]) };
  }
  throw new OperationError({ type: "parse_exception", reason: "geo_point expected", status: 400 });
}

function coordinate(json: Json | undefined): number {
  const number = jsonNumber(json);
  if (json === undefined || json === null || Number.isNaN(number)) {
    throw new OperationError({
      type: "parse_exception",
      reason: "latitude must be a number",
      status: 400,
    });
  }
  return number;
}

/**
 * A box on the globe, in degrees; `left` is greater than `right` if the box crosses the date line.
 */
export interface Box {
  readonly top: number;
  readonly bottom: number;
  readonly left: number;
  readonly right: number;
}

/**
 * A box by its sides, two of its corners, or WKT.
 * @throws OperationError 400
 */
export function parseBox(at: Cursor): Box {
  if (!isJsonObject(at.json)) throw parsingError(at, "failed to parse bounding box");
  const { json } = at;
  const wkt = typeof json["wkt"] === "string" ? /^\s*BBOX\s*\(([^)]*)\)/i.exec(json["wkt"]) : null;
  if (wkt !== null) {
    const [left = 0, right = 0, top = 0, bottom = 0] = (wkt[1] ?? "").split(",").map(Number);
    return { left, right, top, bottom };
  }
  const side = (name: string): number | undefined =>
    lookup(json, name) === undefined ? undefined : coordinate(child(at, name).json);
  const corner = (name: string): GeoPoint | undefined =>
    lookup(json, name) === undefined ? undefined : pointOf(child(at, name).json);
  const topLeft = corner("top_left");
  const bottomRight = corner("bottom_right");
  const topRight = corner("top_right");
  const bottomLeft = corner("bottom_left");
  const top = side("top") ?? topLeft?.lat ?? topRight?.lat;
  const bottom = side("bottom") ?? bottomRight?.lat ?? bottomLeft?.lat;
  const left = side("left") ?? topLeft?.lon ?? bottomLeft?.lon;
  const right = side("right") ?? bottomRight?.lon ?? topRight?.lon;
  if (top === undefined || bottom === undefined || left === undefined || right === undefined) {
    throw new OperationError({
      type: "parse_exception",
      reason: "failed to parse bounding box. corners are missing",
      status: 400,
    });
  }
  return { top, bottom, left, right };
}

/** Metres of a unit. */
const UNITS: Readonly<Record<string, number>> = {
  m: 1,
  meters: 1,
  km: 1000,
  kilometers: 1000,
  cm: 0.01,
  centimeters: 0.01,
  mm: 0.001,
  millimeters: 0.001,
  mi: 1609.344,
  miles: 1609.344,
  yd: 0.9144,
  yards: 0.9144,
  ft: 0.3048,
  feet: 0.3048,
  in: 0.0254,
  inch: 0.0254,
  NM: 1852,
  nmi: 1852,
  nauticalmiles: 1852,
};

/**
 * Parses a distance such as `12km` to metres; `defaultUnit` is that of a number without unit.
 * @throws OperationError 400 `number_format_exception`
 */
export function parseDistance(text: string, defaultUnit: string): number {
  // No unit begins with `e`, so an exponent belongs to the number.
  const match = /^([\d.eE+-]+)\s*([A-DF-Za-df-z][A-Za-z]*)?$/.exec(text.trim());
  const number = Number(match?.[1]);
  const unit = lookup(UNITS, match?.[2] ?? defaultUnit);
  if (match === null || Number.isNaN(number) || unit === undefined) {
    throw new OperationError({
      type: "number_format_exception",
      reason: forInputString(text),
      status: 400,
    });
  }
  return number * unit;
}

/**
 * The length of a unit in metres.
 * @throws OperationError 400 for an unknown unit
 */
export function metersPer(unit: string): number {
  const meters = lookup(UNITS, unit);
  if (meters === undefined) throw illegalArgument(`No distance unit match [${unit}]`);
  return meters;
}

/** Counts the edges that a ray from the point crosses: an odd number of them is inside. */
function isInside(points: readonly GeoPoint[], lat: number, lon: number): boolean {
  let isIn = false;
  for (let i = 0, j = points.length - 1; i < points.length; j = i, i += 1) {
    const a = points[i] as GeoPoint;
    const b = points[j] as GeoPoint;
    const crosses = a.lat > lat !== b.lat > lat;
    if (crosses && lon < ((b.lon - a.lon) * (lat - a.lat)) / (b.lat - a.lat) + a.lon) isIn = !isIn;
  }
  return isIn;
}
