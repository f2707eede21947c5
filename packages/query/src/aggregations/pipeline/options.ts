/** Parameters that pipeline aggregations share. */
import { illegalArgument } from "@orrery/stdx";
import { items, scalarText } from "../../queries/cursor.ts";
import type { Options } from "../options.ts";
import type { AggregationHead } from "../parse.ts";
import { atOnce } from "../reduce-steps.ts";
import type { Aggregation } from "../types.ts";
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

/** Pipelines collect nothing. */
export function pipelineHead(
  head: AggregationHead,
): Pick<Aggregation, "name" | "type" | "meta" | "children" | "needsScores" | "create" | "reduce"> {
  return {
    name: head.name,
    type: head.type,
    meta: head.meta,
    children: [],
    needsScores: false,
    create: () => ({ open: () => ({ collect: () => {} }), partial: () => undefined }),
    reduce: atOnce(() => undefined),
  };
}
