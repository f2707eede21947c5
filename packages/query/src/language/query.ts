/**
 * A parsed query, and the context in which it builds a plan for one shard. Source: `QueryBuilder`,
 * `QueryShardContext`.
 */
import type { Plan } from "./plan.ts";
import type { Cursor } from "./cursor.ts";
import type { CompiledMapping } from "./mapping.ts";
import type { Searcher } from "./searcher.ts";
import type { BuildWork } from "./build-work.ts";
import type { QueryLimits } from "./query-limits.ts";
import type { Scripts } from "./script.ts";

/** A query as parsed from JSON, valid for any index. */
export interface Query {
  readonly boost: number;
  /** `_name`; `undefined`: the query is not named. */
  readonly label: string | undefined;
  /**
   * The plan for the context's shard. `boost` is the product of all boosts around the query and its
   * own.
   * @throws OperationError a shard failure
   */
  build(context: BuildContext, boost: number): Plan;
  /** The `inner_hits` of a nested query. */
  readonly innerHits?: InnerHitsRequest | undefined;
}

/** `inner_hits` of one nested query; `json` holds its options for the fetch phase. */
export interface InnerHitsRequest {
  readonly name: string;
  readonly path: string;
  readonly query: Query;
  readonly json: Cursor["json"];
}

/** Parses the body of one query; `parseInner` parses queries inside it. */
export type ParseQuery = (at: Cursor, parseInner: ParseInner) => Query;

/** Parses a query inside another one and counts its depth. */
export type ParseInner = (at: Cursor) => Query;

/** The shard for which plans are built, with the settings and accounts of the request. */
export interface BuildContext {
  readonly searcher: Searcher;
  readonly mapping: CompiledMapping;
  readonly nowMs: number;
  readonly allowExpensiveQueries: boolean;
  readonly limits: QueryLimits;
  readonly work: BuildWork;
  readonly scripts: Scripts;
  /** Named queries, added while plans are built. */
  readonly named: NamedPlan[];
  /** Path of the nested objects in which the query runs; `undefined`: root documents. */
  readonly nestedPath: string | undefined;
}

/** The plan of a query with a `_name`. */
export interface NamedPlan {
  readonly name: string;
  readonly plan: Plan;
}

/** A request prepared for one shard. */
export interface Prepared {
  readonly searcher: Searcher;
  readonly context: BuildContext;
  readonly plan: Plan;
  readonly named: readonly NamedPlan[];
  /** Plans of the alias and of the slice, which are part of `plan`. */
  readonly filters: readonly Plan[];
}
