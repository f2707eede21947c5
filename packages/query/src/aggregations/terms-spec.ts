/**
 * Options and partials of all kinds of `terms`. Source: `TermsAggregationBuilder`, `InternalTerms`.
 */
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

/** The parsed parameters of a `terms` aggregation, or of one like it. */
export interface TermsSpec {
  readonly values: ValuesSpec;
  readonly size: number;
  /** Buckets that a shard returns; `undefined`: derived from `size` (`shardSizeOf`). */
  readonly shardSize: number | undefined;
  readonly minDocCount: number;
  readonly shardMinDocCount: number;
  readonly order: readonly OrderKey[];
  /** `include` and `exclude`; `undefined`: all keys count. */
  readonly filter: KeyChoice | undefined;
  /** Whether each bucket prints the bound of its count's error. */
  readonly showsError: boolean;
  readonly head: AggregationHead;
}

/** The kind of keys, on which printing depends; `unmapped`: the shard's index lacks the field. */
export type KeyKind = "string" | "long" | "double" | "boolean" | "unmapped";

/** The result of a shard, or of a reduction. */
export interface TermsPartial {
  readonly kind: KeyKind;
  readonly format: ValueFormat;
  readonly buckets: readonly PartialBucket[];
  /** Documents of buckets that are left out. */
  readonly other: number;
  /**
   * Bound on the documents that a term not listed here may have, if this partial is reduced
   * already; -1: unknown. 0 before a reduction.
   */
  readonly error: number;
  /** Number of buckets to which the shard cut its list. */
  readonly shardSize: number;
}

/** Key, count, partials of the sub-aggregations. */
interface PartialBucket {
  readonly k: BucketKey;
  readonly n: number;
  readonly c: readonly Plain[];
  /** Bound on the error of the count, after a reduction. */
  readonly e?: number;
}

/** Parameters that all kinds accept. */
export const BUCKET_OPTIONS: readonly string[] = [
  "size",
  "shard_size",
  "min_doc_count",
  "shard_min_doc_count",
  "order",
  "collect_mode",
  "show_term_doc_count_error",
];

/**
 * Returns a reader of a size.
 * @throws OperationError 400 unless it is positive
 */
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

/** Parses the parameters that all kinds have. */
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

/**
 * The number of buckets that a shard returns. It exceeds `size`, because a term that is frequent
 * overall may be outside of the best `size` on one shard. Source:
 * `BucketUtils.suggestShardSideQueueSize`.
 */
export function shardSizeOf(spec: TermsSpec): number {
  const given = spec.shardSize;
  if (given !== undefined) return Math.max(given, spec.size);
  // Asking shards for more makes the counts of the final buckets better.
  return Math.min(2_147_483_647, Math.floor(spec.size * 1.5 + 10));
}

/**
 * Kind and format of each value of a tuple. As JSON, after the word `tuple`, they are the format of
 * a `multi_terms` aggregation.
 */
export type TupleShapes = readonly {
  readonly kind: KeySource["kind"];
  readonly format: ValueFormat;
}[];
