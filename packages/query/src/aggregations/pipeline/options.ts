/** Parameters that pipeline aggregations share. */
import { illegalArgument } from "@orrery/stdx";
import { items, scalarText } from "../../body/cursor.ts";
import type { Options } from "../options.ts";
import type { GapPolicy } from "./buckets-path.ts";

export function pathsOf(options: Options, type: string): string[] {
  const at = options.cursor("buckets_path");
  if (at === undefined) throw illegalArgument(`Required [buckets_path] for [${type}] aggregation`);
  return items(at).map(scalarText);
}

export function gapPolicy(options: Options): GapPolicy {
  const word = options.text("gap_policy") ?? "skip";
  if (word === "skip" || word === "insert_zeros") return word;
  throw illegalArgument(`Invalid gap policy: [${word}], accepted values: [insert_zeros, skip]`);
}
