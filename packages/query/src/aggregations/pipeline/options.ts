/** Parameters that pipeline aggregations share, in the words of each one's parser. */
import { illegalArgument } from "@orrery/stdx";
import { items, parsingError, scalarText } from "../../body/cursor.ts";
import type { Cursor } from "../../language/cursor.ts";
import type { Aggregation, AggregationHead } from "../../language/aggregation.ts";
import type { Options } from "../options.ts";
import type { GapPolicy } from "./buckets-path.ts";

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

export function gapPolicy(options: Options): GapPolicy {
  const at = options.cursor("gap_policy");
  return at === undefined ? "skip" : gapPolicyOf(at);
}

export function gapPolicyOf(at: Cursor): GapPolicy {
  const word = scalarText(at);
  if (word === "skip" || word === "insert_zeros") return word;
  throw parsingError(at, `Invalid gap policy: [${word}], accepted values: [insert_zeros, skip]`);
}

/** Pipelines that go from one bucket to the next need them in order, with the empty ones among them. */
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
