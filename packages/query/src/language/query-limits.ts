/** Limits of a node on the clauses and the text of a query. */
import type { Problem } from "@orrery/stdx";

export interface QueryLimits {
  /** `indices.query.bool.max_clause_count` */
  readonly maxClauseCount: number;
  /** `search.query.max_query_string_length` */
  readonly maxQueryStringLength: number;
}

export const DEFAULT_LIMITS: QueryLimits = { maxClauseCount: 1024, maxQueryStringLength: 32_000 };

export function tooManyNested(limit: number): Problem {
  const reason = `Query contains too many nested clauses; maxClauseCount is set to ${limit}`;
  return { type: "too_many_nested_clauses", reason, status: 500 };
}
