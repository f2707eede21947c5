/** What the kinds of `terms` share: their options, and what a shard or a reduction leaves. */
import { illegalArgument } from "@orrery/stdx";
import type { Cursor } from "../language/cursor.ts";
import { intOf } from "../body/cursor.ts";
import type { Plain } from "../json/plain.ts";
import type { KeySource } from "./key-source.ts";
import type { Options } from "./options.ts";
import { type BucketKey, BY_COUNT, type OrderKey, parseOrder } from "./order.ts";
import type { AggregationHead } from "../language/aggregation.ts";
import type { KeyChoice } from "./terms-filter.ts";
import type { ValueFormat } from "./value-format.ts";
import type { ValuesSpec } from "./values.ts";

export interface TermsSpec {
  readonly values: ValuesSpec;
  readonly size: number;
  readonly shardSize: number | undefined;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: readonly OrderKey[];
  readonly filter: KeyChoice | undefined;
  readonly showsError: boolean;
  readonly head: AggregationHead;
}

export type KeyKind = "string" | "long" | "double" | "boolean" | "unmapped";

/** What a shard, or a reduction, leaves. */
export interface TermsPartial {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  readonly buckets: readonly PartialBucket[];
  readonly other: number;
  /** Of this partial when it is already reduced; -1: unknown. */
  readonly error: number;
  readonly shardSize: number;
}

interface PartialBucket {
  readonly k: BucketKey;
  readonly n: number;
  readonly c: readonly Plain[];
  /** Error of the count, after a reduction. */
  readonly e?: number;
}

export const BUCKET_OPTIONS: readonly string[] = [
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "order",
  "collect_mode",
  "show_term_doc_count_error",
];

export function positiveSize(
  head: AggregationHead,
  name: "size" | "shard_size",
): (cursor: Cursor) => number {
  return (cursor) => {
    const value = intOf(cursor);
    if (value > 0) return value;
    const shown = name === "shard_size" ? "shardSize" : name;
    throw illegalArgument(`[${shown}] must be greater than 0. Found [${value}] in [${head.name}]`);
  };
}

export function parseBuckets(
  head: AggregationHead,
  options: Options,
): Omit<TermsSpec, "filter" | "values"> {
  return {
    head,
    size: options.read("size", positiveSize(head, "size"), 10),
    shardSize: options.read<number | undefined>(
      "shard_size",
      positiveSize(head, "shard_size"),
      undefined,
    ),
    minDocCount: options.docCount("min_doc_count", head.name, 1),
    shardMinDocCount: options.docCount("shard_min_doc_count", head.name, 0),
    order: options.read("order", parseOrder, BY_COUNT),
    showsError: options.flag("show_term_doc_count_error", false),
  };
}

export function shardSizeOf(spec: TermsSpec): number {
  const given = spec.shardSize;
  if (given !== undefined) return Math.max(given, spec.size);
  // Asking shards for more makes the counts of the final buckets better.
  return Math.min(2_147_483_647, Math.floor(spec.size * 1.5 + 10));
}

/** What a tuple's values are, behind the word `tuple`. */
export type TupleShapes = readonly {
  readonly kind: KeySource["kind"];
  readonly format: ValueFormat;
}[];
