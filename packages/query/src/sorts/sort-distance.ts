/** Sorting by distance from a point. */
import { illegalArgument } from "@orrery/stdx";
import { decodePoint } from "../mapping/types/geo-point.ts";
import { haversineMeters } from "../queries/geo.ts";
import type { BuildContext } from "../language/query.ts";
import type { SortKey } from "./parse-sort.ts";
import type { SortValue } from "../language/results.ts";
import { parseNumber, pickFrom } from "./sort-numbers.ts";
import type { SortReader } from "./sort-reader.ts";

/** Of a distance. */
const DISTANCE_STEPS = 10;

export function geoReader(
  key: Extract<SortKey, { kind: "geo-distance" }>,
  context: BuildContext,
): SortReader {
  const field = context.mapping.compiledField(key.field);
  if (field === undefined)
    throw illegalArgument(`failed to find mapper for [${key.field}] for geo distance based sort`);
  const mode = key.mode ?? (key.isDescending ? "max" : "min");
  return {
    isDescending: key.isDescending,
    isMissingFirst: false,
    isScore: false,
    isDoc: false,
    print: undefined,
    open: ({ reader, budget }) => {
      const column = reader.numbers(field.aliasOf ?? field.name);
      const value = (doc: number): SortValue => {
        if (column === undefined || !column.has(doc))
          return key.isDescending ? -Infinity : Infinity;
        const distances: number[] = [];
        budget.step((column.end(doc) - column.start(doc)) * key.points.length * DISTANCE_STEPS);
        for (let i = column.start(doc); i < column.end(doc); i += 1) {
          const point = decodePoint(column.bigintAt(i));
          for (const origin of key.points)
            distances.push(haversineMeters(origin, point) / key.unitMeters);
        }
        return pickFrom(distances, mode) ?? Infinity;
      };
      return {
        value,
        rank: { of: (doc) => Number(value(doc)), ofValue: Number },
        ranks: undefined,
      };
    },
    parse: (value) => parseNumber(value, key.field, false),
  };
}
