/**
 * A rescorer gives the best documents of a shard new scores, and so another order. It runs on
 * shards alone; the coordinating node only merges.
 */
import type { Cursor } from "./cursor.ts";
import type { Prepared, Query } from "./query.ts";
import type { TopDoc } from "./results.ts";

/**
 * A kind of rescorer of the search language: parses its body.
 * @throws BodyError or OperationError 400
 */
export type ParseRescorer = (at: Cursor) => Rescorer;

/** A parsed rescorer. */
export interface Rescorer {
  /** Queries whose terms count for statistics over all shards; absent: none. */
  readonly queries?: readonly Query[];
  /** Rescores the best documents, best first; returns the same documents, best first. */
  rescore(window: readonly TopDoc[], prepared: Prepared): readonly TopDoc[];
  /** The new score of a document behind the window, which stays in its place; absent: the same. */
  readonly scoreBehind?: (score: number) => number;
}
