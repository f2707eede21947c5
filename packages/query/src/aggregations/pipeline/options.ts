/** Parameters that pipeline aggregations have in common, with the errors of each one's parser. */
import { illegalArgument } from "@orrery/stdx";
import { items, parsingError, scalarText } from "../../body/cursor.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Aggregation, AggregationHead } from "../../language/aggregation.ts";
import type { Options } from "../options.ts";
import type { GapPolicy } from "./buckets-path.ts";

/**
 * Parses `buckets_path` of a pipeline.
 * @throws BodyError or OperationError 400 if it is missing
 */
export function pathsOf(options: Options, { type, name }: AggregationHead): string[] {
  const at = options.cursor("buckets_path");
  if (at !== undefined) return items(at).map(scalarText);
  if (type === "cumulative_sum") throw illegalArgument("Required [buckets_path]");
  const kind =
    type === "derivative" || type === "serial_diff" ? "derivative aggregation" : "aggregation";
  throw parsingError(
    options.at,
    `Missing required field [buckets_path] for ${kind} [${name}]`,
    "end",
  );
}

/** Parses `gap_policy` of a pipeline; default: `skip`. */
export function gapPolicy(options: Options): GapPolicy {
  const at = options.cursor("gap_policy");
  return at === undefined ? "skip" : gapPolicyOf(at);
}

export function gapPolicyOf(at: Cursor): GapPolicy {
  const word = scalarText(at);
  if (word === "skip" || word === "insert_zeros") return word;
  throw parsingError(at, `Invalid gap policy: [${word}], accepted values: [insert_zeros, skip]`);
}

/**
 * The error text for a pipeline that compares successive buckets and whose parent is not a
 * histogram with its empty buckets; `undefined`: the pipeline may stand in this parent.
 */
export function seriesComplaint(
  { type, name }: AggregationHead,
  parent: Aggregation | undefined,
): string | undefined {
  if (parent?.series === "whole") return undefined;
  if (parent?.series === "gapped")
    return `parent histogram of ${type} aggregation [${name}] must have min_doc_count of 0`;
  const place = `${type} aggregation [${name}] must have a histogram, date_histogram or auto_date_histogram as parent`;
  return parent === undefined ? `${place} but doesn't have a parent` : place;
}
