/** Results of the query phase on one shard, as plain data for the codec. */
import type { Plain } from "../json/plain.ts";
import type { SuggestPartial } from "./suggester.ts";

/**
 * A sort value as it crosses the wire: a number (a bigint beyond 2^53) or a text; `null`: the
 * document has no value.
 */
export type SortValue = number | bigint | string | null;

/** One of the best documents of a shard. */
export interface TopDoc {
  readonly segment: number;
  readonly doc: number;
  /** NaN: scores are not tracked. */
  readonly score: number;
  /** The comparable value of each sort key; `undefined`: the order is by score. */
  readonly sort?: readonly SortValue[] | undefined;
  /** The printed values, if they differ from `sort` (formatted dates, decoded addresses). */
  readonly sortText?: readonly SortValue[] | undefined;
  /** Value of the document's group, with `collapse`. */
  readonly collapse?: SortValue | undefined;
}

/** Number of hits: exact (`eq`), or a lower bound (`gte`). */
export interface TotalHits {
  readonly value: number;
  readonly relation: "eq" | "gte";
}

/** The result of one shard. */
export interface QueryResult {
  /** `undefined` with `track_total_hits: false`. */
  readonly totalHits: TotalHits | undefined;
  /** The best score of the hits; NaN: scores are not tracked, or the shard returns no document. */
  readonly maxScore: number;
  /** Best first, at most `from + size`. */
  readonly topDocs: readonly TopDoc[];
  /**
   * Partials of the aggregations in the order of the request, read by the reducer alone;
   * `undefined`: the request has none.
   */
  readonly aggregations: Plain | undefined;
  readonly suggest: SuggestPartial | undefined;
  /** The shard's part of the `profile` section; `undefined`: not requested. */
  readonly profile: Plain | undefined;
  readonly timedOut: boolean;
  /**
   * Whether the shard ended early; `undefined`: not reported. Without `terminate_after` the value
   * is `undefined` or true.
   */
  readonly terminatedEarly: boolean | undefined;
}
