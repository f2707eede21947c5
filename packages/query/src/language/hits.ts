/** Hits of the fetch phase, as structures until they are printed. */
import type { Json } from "@orrery/stdx";
import type { Explanation } from "./explanation.ts";
import type { Decimal } from "../json/printable.ts";
import type { SortValue } from "./results.ts";

/** The result of a fetch on one shard. */
export interface FetchResult {
  /** In the order of the documents requested. */
  readonly hits: readonly Hit[];
}

/**
 * A document found by a search, from its shard to the response. Members that are `undefined` are
 * not printed.
 */
export interface Hit {
  readonly index: string;
  readonly id: string | undefined;
  /** NaN: scores are not tracked. */
  readonly score: number;
  /** The indexed bytes, or those that a source filter left. */
  readonly source: Uint8Array | undefined;
  /** Printed sort values in the order of the keys. */
  readonly sort: readonly HitSortValue[] | undefined;
  /** Rare parts of the hit; `undefined`: it has none. */
  readonly details: HitDetails | undefined;
}

/** Parts of a hit that few requests ask for, and few documents have. */
export interface HitDetails {
  /** The shard copy that answered, printed with `explain`. */
  readonly copy?: { readonly shard: number; readonly nodeId: string } | undefined;
  readonly version?: number | undefined;
  readonly seqNo?: number | undefined;
  readonly primaryTerm?: number | undefined;
  /** Fields whose values were malformed and not indexed. */
  readonly ignored?: readonly string[] | undefined;
  readonly routing?: string | undefined;
  readonly fields?: HitFields | undefined;
  /** Fragments with markup, by field. */
  readonly highlight?: { readonly [field: string]: readonly string[] } | undefined;
  readonly matchedQueries?: readonly MatchedQuery[] | undefined;
  readonly explanation?: Explanation | undefined;
}

/** Values by field. */
export type HitFields = { readonly [field: string]: readonly HitValue[] };

/** A value as it is printed. */
export type HitValue = Json | Decimal;

export type HitSortValue = SortValue | Decimal;

/** A named query that the hit matches. */
export interface MatchedQuery {
  readonly name: string;
  /**
   * Score of the hit under the named query; `undefined`: the request does not ask for such scores.
   */
  readonly score: number | undefined;
}
