/** Limits of a node on clauses and texts of queries. */
import type { Problem } from "@orrery/stdx";

/** Limits on queries, from the cluster settings. */
export interface QueryLimits {
  /** `indices.query.bool.max_clause_count` */
  readonly maxClauseCount: number;
  /** `search.query.max_query_string_length`: characters. */
  readonly maxQueryStringLength: number;
}

/** The product's defaults. */
export const DEFAULT_LIMITS: QueryLimits = { maxClauseCount: 1024, maxQueryStringLength: 32_000 };

/** The error for a query with more leaves than `limit`. */
export function tooManyNested(limit: number): Problem {
  const reason = `Query contains too many nested clauses; maxClauseCount is set to ${limit}`;
  return { type: "too_many_nested_clauses", reason, status: 500 };
}
