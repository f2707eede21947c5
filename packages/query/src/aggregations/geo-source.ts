/** Points of a `geo_point` field, by document. */
import { illegalArgument } from "@orrery/stdx";
import { decodePoint, type GeoPoint } from "../mapping/types/geo-point.ts";
import type { SegmentContext } from "../language/searcher.ts";
import type { AggregationContext } from "../language/aggregation.ts";
import { aggregatedField, type ValuesSpec } from "./values.ts";
import { pointOf } from "../queries/geo.ts";

/** Steps of the budget for decoding a point. */
const POINT_STEPS = 10;

/** Returns the points of a document, or those of `missing` if the document has none. */
export type ReadPoints = (doc: number) => readonly GeoPoint[];

/**
 * Returns a function that opens a segment; its result `undefined`: no document of the segment has a
 * point, and `missing` is not given.
 * @throws OperationError 400 for fields of other types
 */
export function geoSource(
  context: AggregationContext,
  spec: ValuesSpec,
  type: string,
): (segment: SegmentContext) => ReadPoints | undefined {
  const field = aggregatedField(context, spec);
  const missing = spec.missing === undefined ? [] : [pointOf(spec.missing)];
  if (field === undefined) return () => (missing.length === 0 ? undefined : () => missing);
  if (field.values.kind !== "geo_point") {
    throw illegalArgument(
      `Field [${field.name}] of type [${field.type}] is not supported for aggregation [${type}]`,
    );
  }
  const name = field.aliasOf ?? field.name;
  const { budget } = context;
  return ({ reader }) => {
    const column = reader.numbers(name);
    if (column === undefined) return missing.length === 0 ? undefined : () => missing;
    return (doc) => {
      if (!column.has(doc)) return missing;
      const points: GeoPoint[] = [];
      budget.step((column.end(doc) - column.start(doc)) * POINT_STEPS);
      for (let i = column.start(doc); i < column.end(doc); i += 1)
        points.push(decodePoint(column.bigintAt(i)));
      return points;
    };
  };
}
