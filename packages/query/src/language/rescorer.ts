/** A rescorer: it gives the best documents of a shard other scores and another order. Shards alone rescore. */
import type { Cursor } from "./cursor.ts";
import type { Prepared } from "./query.ts";
import type { TopDoc } from "./results.ts";

/** A row of the language: reads the body of one kind of rescorer. */
export type ParseRescorer = (at: Cursor) => Rescorer;

export interface Rescorer {
  /** `window`: the best documents so far, best first. Gives the same documents, best first, with their new scores. */
  rescore(window: readonly TopDoc[], prepared: Prepared): readonly TopDoc[];
}
