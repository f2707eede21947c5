/** Hits of the fetch phase, as structures until they are printed. */
import type { Json } from "@orrery/stdx";
import type { Explanation } from "./explanation.ts";
import type { Decimal } from "../json/printable.ts";
import type { SortValue } from "./results.ts";

export interface FetchResult {
  /** In the order of the documents asked for. */
  readonly hits: readonly Hit[];
}

/** A document that a search found, from the shard that has it to the answer. What is `undefined` is not shown. */
export interface Hit {
  readonly index: string;
  readonly id: string | undefined;
  /** `NaN`: scores are not tracked. */
  readonly score: number;
  /** The bytes that were indexed, or what a filter left of them. */
  readonly source: Uint8Array | undefined;
  /** As they are shown, in the order of the sort keys. */
  readonly sort: readonly HitSortValue[] | undefined;
  /** `undefined`: none of them. */
  readonly details: HitDetails | undefined;
}

/** Parts of a hit that few requests ask for, and few documents have. */
export interface HitDetails {
  /** The copy that was asked, with `explain`. */
  readonly copy?: { readonly shard: number; readonly nodeId: string } | undefined;
  readonly version?: number | undefined;
  readonly seqNo?: number | undefined;
  readonly primaryTerm?: number | undefined;
  /** Fields whose values were not indexed. */
  readonly ignored?: readonly string[] | undefined;
  readonly routing?: string | undefined;
  readonly fields?: HitFields | undefined;
  /** Marked fragments by field. */
  readonly highlight?: { readonly [field: string]: readonly string[] } | undefined;
  readonly matchedQueries?: readonly MatchedQuery[] | undefined;
  readonly explanation?: Explanation | undefined;
}

/** Values by field. */
export type HitFields = { readonly [field: string]: readonly HitValue[] };

export type HitValue = Json | Decimal;

export type HitSortValue = SortValue | Decimal;

export interface MatchedQuery {
  readonly name: string;
  /** `undefined`: not asked for. */
  readonly score: number | undefined;
}
