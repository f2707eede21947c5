/** Results of the query phase on one shard, as plain data with a codec. */
import type { Plain } from "../json/plain.ts";
import type { SuggestPartial } from "./suggester.ts";

/** A sort value as on the wire: numbers (bigint beyond 2^53), text, booleans never; `null` is a missing keyword. */
export type SortValue = number | bigint | string | null;

export interface TopDoc {
  readonly segment: number;
  readonly doc: number;
  /** `NaN` when scores are not tracked. */
  readonly score: number;
  /** Present when the request sorts: the comparable value of each sort key. */
  readonly sort?: readonly SortValue[] | undefined;
  /** What the hit prints under `sort`, when it differs from `sort` (formatted dates, decoded ips). */
  readonly sortText?: readonly SortValue[] | undefined;
  /** With `collapse`: the group's value. */
  readonly collapse?: SortValue | undefined;
}

export interface TotalHits {
  readonly value: number;
  readonly relation: "eq" | "gte";
}

export interface QueryResult {
  /** `undefined` with `track_total_hits: false`. */
  readonly totalHits: TotalHits | undefined;
  /** `NaN` when there is none. */
  readonly maxScore: number;
  /** Best first, at most `from + size`. */
  readonly topDocs: readonly TopDoc[];
  /** Partial aggregations by name; opaque but for the reducer. `undefined` when none were asked for. */
  readonly aggregations: Plain | undefined;
  readonly suggest: SuggestPartial | undefined;
  /** `"profile"` section of this shard, when asked for. */
  readonly profile: Plain | undefined;
  readonly timedOut: boolean;
  /** `undefined` unless `terminate_after` was given. */
  readonly terminatedEarly: boolean | undefined;
}
