/** A parsed query, and what it needs to become a plan for one shard. */
import type { Plan } from "./plan.ts";
import type { Cursor } from "./cursor.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { Searcher } from "./searcher.ts";
import type { BuildWork } from "./build-work.ts";
import type { QueryLimits } from "./query-limits.ts";
import type { Scripts } from "./script.ts";

export interface Query {
  readonly boost: number;
  /** `_name`. */
  readonly label: string | undefined;
  /** `boost` is the product of all boosts around, this query's own included. Throws `OperationError`. */
  build(context: BuildContext, boost: number): Plan;
  /** `inner_hits` definitions on the way down, for nested queries. */
  readonly innerHits?: InnerHitsRequest | undefined;
}

export interface InnerHitsRequest {
  readonly name: string;
  readonly path: string;
  readonly query: Query;
  readonly json: Cursor["json"];
}

/** `parseInner` reads a query within this one. */
export type ParseQuery = (at: Cursor, parseInner: ParseInner) => Query;

export type ParseInner = (at: Cursor) => Query;

export interface BuildContext {
  readonly searcher: Searcher;
  readonly mapping: CompiledMapping;
  readonly nowMs: number;
  readonly allowExpensiveQueries: boolean;
  readonly limits: QueryLimits;
  readonly work: BuildWork;
  readonly scripts: Scripts;
  /** Queries with a `_name`, collected while building. */
  readonly named: NamedPlan[];
  /** Path of the nested object the query runs in. */
  readonly nestedPath: string | undefined;
}

export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
}

/** A request made ready for one shard. */
export interface Prepared {
  readonly searcher: Searcher;
  readonly context: BuildContext;
  readonly plan: Plan;
  readonly named: readonly NamedPlan[];
}
