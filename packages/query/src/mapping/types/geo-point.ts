/**
 * `geo_point`: latitude and longitude in one long, as Lucene's `LatLonDocValuesField`. Source:
 * `GeoPointFieldMapper`, `GeoPoint`.
 */
import type { SegmentReader } from "@orrery/segment";
import { jsonNumber, OperationError, type Json, type Problem } from "@orrery/stdx";
import { javaDouble } from "../../json/json-text.ts";
import { treeText, JsonLiteral, type JsonTree } from "../../json/exact-json.ts";
import { none } from "../../language/plan.ts";
import type {
  CompiledType,
  CompileInput,
  DocumentSink,
  FieldQueries,
  FieldType,
} from "../../language/field-type.ts";
import { explicitFlag, anything, decimal, flag, meta } from "../parameters.ts";
import { coercionFailure } from "./coercion.ts";

/** A point on the globe; both coordinates are in degrees. */
export interface GeoPoint {
  readonly lat: number;
  readonly lon: number;
}

/** The field type `geo_point`. */
export const geoPointType: FieldType = {
  parameters: {
    boost: decimal(1, true),
    index: flag(true),
    doc_values: flag(true),
    store: flag(false),
    meta,
    ignore_malformed: explicitFlag(false),
    ignore_z_value: flag(true, true),
    null_value: anything(null),
  },
  compile: compileGeoPoint,
};

function compileGeoPoint({ name, parameters, ignoreMalformedDefault }: CompileInput): CompiledType {
  const isIndexed = parameters["index"] === true;
  const hasDocValues = parameters["doc_values"] === true;
  const spec = {
    name,
    type: "long",
    index: "none",
    norms: false,
    // Geo queries read the column, also if only `index` is set.
    docValues: isIndexed || hasDocValues,
    points: false,
  } as const;
  const isLenient = parameters["ignore_malformed"] === true || ignoreMalformedDefault;
  return {
    spec,
    values: { kind: "geo_point" },
    takesWholeValue: true,
    queries: { anyOf: refuseExact(name) },
    columnValues: pointsOfColumn,
    showsFailedValue: false,
    index: (value, sink) => {
      for (const point of pointsOf(value, sink)) {
        const shown = isLenient ? wrap(point) : check(point, name);
        if (spec.docValues) sink.add(spec, encodePoint(shown));
      }
    },
    nullValue: (parameters["null_value"] as JsonTree | null) ?? undefined,
    ignoreMalformed: isLenient,
    present: (value) => {
      const points = pointsOf(value, SILENT);
      return points.length === 1 ? presentPoint(points[0]) : points.map(presentPoint);
    },
    hasConstantTermScore: true,
    isIndexed,
    hasDocValues,
  };
}

function refuseExact(name: string): NonNullable<FieldQueries["anyOf"]> {
  return ({ searcher }, values) => {
    if (values.length === 0) return none("no terms");
    const { index, indexUuid } = searcher.view;
    throw new OperationError({
      type: "query_shard_exception",
      reason: `Geometry fields do not support exact searching, use dedicated geometry queries instead: [${name}]`,
      status: 400,
      metadata: { index, index_uuid: indexUuid },
    });
  };
}

/** The doc values of a document as texts. */
function* pointsOfColumn(reader: SegmentReader, name: string, doc: number): Generator<string> {
  const column = reader.numbers(name);
  if (column?.has(doc) !== true) return;
  for (let index = column.start(doc); index < column.end(doc); index += 1) {
    const { lat, lon } = decodePoint(column.bigintAt(index));
    yield `${lat}, ${lon}`;
  }
}

/** A sink for values that are not indexed. */
const SILENT: DocumentSink = {
  add: () => {},
  location: undefined,
  needLiterals: () => {},
  growth: undefined,
};

function presentPoint(point: GeoPoint | undefined): Json {
  return { type: "Point", coordinates: [point?.lon ?? 0, point?.lat ?? 0] };
}

/** The points of a value in any of its forms: array, object, text, or a list of them. */
function pointsOf(value: JsonTree, sink: DocumentSink): GeoPoint[] {
  if (Array.isArray(value)) {
    const items = value as readonly JsonTree[];
    const [first] = items;
    if (isNumber(first)) return [pointFromArray(items, sink)];
    return items.flatMap((item) => pointsOf(item, sink));
  }
  if (typeof value === "string") return [pointFromText(value)];
  if (typeof value === "object" && value !== null && !(value instanceof JsonLiteral)) {
    return [pointFromObject(value as { readonly [key: string]: JsonTree })];
  }
  throw parseFailure("geo_point expected");
}

function pointFromArray(items: readonly JsonTree[], sink: DocumentSink): GeoPoint {
  if (items.length < 2) {
    throw coercionFailure(
      "Current token (END_ARRAY) not numeric, cannot use numeric value accessors",
      sink,
    );
  }
  if (items.length > 3)
    throw parseFailure("[geo_point] field type does not accept more than 3 values");
  return { lat: numberOf(items[1], "lat"), lon: numberOf(items[0], "lon") };
}

function pointFromObject(object: { readonly [key: string]: JsonTree }): GeoPoint {
  if (object["geohash"] !== undefined) return decodeGeohash(treeText(object["geohash"]));
  if (object["coordinates"] !== undefined && object["type"] !== undefined) {
    const coordinates = object["coordinates"] as readonly JsonTree[];
    return { lat: numberOf(coordinates[1], "lat"), lon: numberOf(coordinates[0], "lon") };
  }
  for (const key of Object.keys(object)) {
    if (key !== "lat" && key !== "lon" && key !== "z") {
      throw parseFailure("field must be either [lon|lat], [type|coordinates], or [geohash]");
    }
  }
  if (object["lon"] === undefined) throw parseFailure("field [lon] missing");
  if (object["lat"] === undefined) throw parseFailure("field [lat] missing");
  return { lat: numberOf(object["lat"], "lat"), lon: numberOf(object["lon"], "lon") };
}

/**
 * A point as `lat,lon`, as WKT, or as a geohash.
 * @throws OperationError 400
 */
export function pointFromText(text: string): GeoPoint {
  const wkt = /^\s*POINT\s*\(\s*(\S+)\s+(\S+)(?:\s+\S+)?\s*\)\s*$/i.exec(text);
  if (wkt !== null) return { lat: numberOf(wkt[2], "lat"), lon: numberOf(wkt[1], "lon") };
  if (!text.includes(",")) return decodeGeohash(text);
  const parts = text.split(",").map((part) => part.trim());
  if (parts.length > 3)
    throw parseFailure(
      `failed to parse [${text}], expected 2 or 3 coordinates but found: [${parts.length}]`,
    );
  return { lat: numberOf(parts[0], "latitude"), lon: numberOf(parts[1], "longitude") };
}

function isNumber(value: JsonTree | undefined): boolean {
  return typeof value === "number" || typeof value === "bigint" || value instanceof JsonLiteral;
}

function numberOf(value: JsonTree | undefined, what: string): number {
  const given = value instanceof JsonLiteral ? value.text : value;
  const number = jsonNumber(given);
  if (given === null || given === "" || typeof given === "boolean" || Number.isNaN(number)) {
    throw parseFailure(`${what} must be a number`);
  }
  return number;
}

/** Digits of geohashes. */
const BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz";

/** The corner of a geohash's cell at which latitude and longitude are lowest. */
export function decodeGeohash(hash: string): GeoPoint {
  const lat = { low: -90, high: 90 };
  const lon = { low: -180, high: 180 };
  let isLon = true;
  for (const char of hash) {
    const value = BASE32.indexOf(char);
    if (value < 0) {
      const reason = `unsupported symbol [${char}] in geohash [${hash}]`;
      throw parseFailure(reason, { type: "illegal_argument_exception", reason, status: 400 });
    }
    for (let bit = 4; bit >= 0; bit -= 1) {
      const range = isLon ? lon : lat;
      const middle = (range.low + range.high) / 2;
      if (((value >> bit) & 1) === 1) range.low = middle;
      else range.high = middle;
      isLon = !isLon;
    }
  }
  return { lat: lat.low, lon: lon.low };
}

/** The geohash of `length` characters whose cell contains the point. */
export function encodeGeohash({ lat, lon }: GeoPoint, length: number): string {
  const lats = { low: -90, high: 90 };
  const lons = { low: -180, high: 180 };
  let hash = "";
  let value = 0;
  for (let bit = 0; bit < length * 5; bit += 1) {
    const range = bit % 2 === 0 ? lons : lats;
    const middle = (range.low + range.high) / 2;
    const isUpper = (bit % 2 === 0 ? lon : lat) >= middle;
    if (isUpper) range.low = middle;
    else range.high = middle;
    value = value * 2 + (isUpper ? 1 : 0);
    if (bit % 5 !== 4) continue;
    hash += BASE32.charAt(value);
    value = 0;
  }
  return hash;
}

/** Rejects coordinates out of range. */
function check(point: GeoPoint, name: string): GeoPoint {
  if (!(point.lat >= -90 && point.lat <= 90)) {
    throw refused(`illegal latitude value [${javaDouble(point.lat)}] for ${name}`);
  }
  if (!(point.lon >= -180 && point.lon <= 180)) {
    throw refused(`illegal longitude value [${javaDouble(point.lon)}] for ${name}`);
  }
  return point;
}

/** Brings coordinates into their range, as for fields that ignore malformed values. */
function wrap({ lat, lon }: GeoPoint): GeoPoint {
  const wrapped = ((((lon + 180) % 360) + 360) % 360) - 180;
  return { lat: Math.max(-90, Math.min(90, lat)), lon: wrapped };
}

function refused(reason: string): OperationError {
  return new OperationError({ type: "illegal_argument_exception", reason, status: 400 });
}

function parseFailure(reason: string, causedBy?: Problem): OperationError {
  const problem: Problem = { type: "parse_exception", reason, status: 400 };
  return new OperationError(causedBy === undefined ? problem : { ...problem, causedBy });
}

const LAT_SCALE = 4_294_967_296 / 180;
const LON_SCALE = 4_294_967_296 / 360;

/**
 * Latitude in the upper and longitude in the lower 32 bits, each rounded down as by
 * `GeoEncodingUtils`. The greatest values are those just below 90 and 180.
 */
export function encodePoint({ lat, lon }: GeoPoint): bigint {
  const y = Math.floor((lat === 90 ? 89.99999999999999 : lat) * LAT_SCALE);
  const x = Math.floor((lon === 180 ? 179.99999999999997 : lon) * LON_SCALE);
  return (BigInt(y) << 32n) | BigInt.asUintN(32, BigInt(x));
}

/** The point of an encoded value. */
export function decodePoint(raw: bigint): GeoPoint {
  const y = Number(BigInt.asIntN(32, raw >> 32n));
  const x = Number(BigInt.asIntN(32, raw));
  return { lat: y / LAT_SCALE, lon: x / LON_SCALE };
}
