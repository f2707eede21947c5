/**
 * `_geo_distance`: sorts by the distance from a point, or from several. Source:
 * `GeoDistanceSortBuilder`.
 */
import { illegalArgument, type Json } from "@orrery/stdx";
import { booleanOf, members, scalarText } from "../body/cursor.ts";
import type { Cursor } from "../language/cursor.ts";
import type { BuildContext } from "../language/query.ts";
import type { SortValue } from "../language/results.ts";
import type { SortKey, SortReader, SortType } from "../language/sort.ts";
import { decodePoint, type GeoPoint } from "../mapping/types/geo-point.ts";
import { haversineMeters, planeMeters } from "../queries/earth-distance.ts";
import { metersPer, pointOf } from "../queries/geo.ts";
import { fieldKey } from "./field-sort.ts";
import { parseMode, type SortMode } from "./sort-mode.ts";
import { parseNumber, pickFrom } from "./sort-numbers.ts";
import { parseOrder } from "./sort-options.ts";

/** Steps of the budget for a distance. */
const DISTANCE_STEPS = 10;

/** A parsed sort; `unitMeters` is the length of the unit in which distances print. */
interface DistanceSort {
  readonly field: string;
  readonly points: readonly GeoPoint[];
  readonly unitMeters: number;
  readonly isDescending: boolean;
  readonly mode: SortMode | undefined;
  readonly isPlane: boolean;
  readonly ignoresUnmapped: boolean;
}

/** The sort `_geo_distance`. */
export const geoDistanceSort: SortType = {
  // Without a field and points the name is that of a field.
  named: (isDescending) => fieldKey("_geo_distance", isDescending),
  parse: parseGeoSort,
};

function parseGeoSort(at: Cursor): SortKey {
  let isDescending = false;
  let unitMeters = 1;
  let mode: SortMode | undefined;
  let isPlane = false;
  let ignoresUnmapped = false;
  let field: string | undefined;
  let points: GeoPoint[] = [];
  for (const [name, member] of members(at)) {
    if (name === "order") isDescending = parseOrder(scalarText(member));
    else if (name === "unit") unitMeters = metersPer(scalarText(member));
    else if (name === "mode") mode = parseMode(scalarText(member));
    else if (name === "distance_type") isPlane = scalarText(member).toLowerCase() === "plane";
    else if (name === "ignore_unmapped") ignoresUnmapped = booleanOf(member);
    else if (!["validation_method", "nested"].includes(name)) {
      field = name;
      points = geoPoints(member.json);
    }
  }
  if (field === undefined)
    throw illegalArgument("Field and points must be specified for _geo_distance sort");
  const sort: DistanceSort = {
    field,
    points,
    unitMeters,
    isDescending,
    mode,
    isPlane,
    ignoresUnmapped,
  };
  return {
    name: "_geo_distance",
    isDescending,
    isMissingFirst: false,
    isScore: false,
    field: undefined,
    printsAs: () => "double",
    reader: (context) => geoReader(sort, context),
  };
}

/** One point, or a list of points; a list of numbers is one point. */
function geoPoints(json: Json): GeoPoint[] {
  const isList = Array.isArray(json) && typeof json[0] !== "number";
  return isList ? (json as readonly Json[]).map(pointOf) : [pointOf(json)];
}

/**
 * The reader of the field's points: every distance from an origin counts as a value, of which the
 * mode picks one.
 */
function geoReader(sort: DistanceSort, context: BuildContext): SortReader {
  const field = context.mapping.compiledField(sort.field);
  if (field === undefined && !sort.ignoresUnmapped)
    throw illegalArgument(`failed to find mapper for [${sort.field}] for geo distance based sort`);
  const metersTo = sort.isPlane ? planeMeters() : haversineMeters();
  const mode = sort.mode ?? (sort.isDescending ? "max" : "min");
  return {
    isDescending: sort.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open: ({ reader, budget }) => {
      const column = field && reader.numbers(field.aliasOf ?? field.name);
      const value = (doc: number): SortValue => {
        // A document without a point is infinitely far away, in either direction.
        if (column === undefined || !column.has(doc)) return Infinity;
        const distances: number[] = [];
        budget.step((column.end(doc) - column.start(doc)) * sort.points.length * DISTANCE_STEPS);
        for (let i = column.start(doc); i < column.end(doc); i += 1) {
          const point = decodePoint(column.bigintAt(i));
          for (const origin of sort.points)
            distances.push(metersTo(origin, point) / sort.unitMeters);
        }
        return pickFrom(distances, mode) ?? Infinity;
      };
      return {
        value,
        rank: { of: (doc) => Number(value(doc)), ofValue: Number },
        ranks: undefined,
      };
    },
    parse: (value) => parseNumber(value, sort.field, false),
  };
}
