/** A request made ready for one shard: searcher, plan with alias filter and slice, named queries. */
import { OperationError } from "@orrery/stdx";
import { rootCursor } from "../queries/cursor.ts";
import { DEFAULT_LIMITS } from "../queries/limits.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { buildRoot, type BuildContext, type NamedPlan, type Query } from "../queries/query.ts";
import { located } from "../request/check.ts";
import type { Slice } from "../request/options.ts";
import type { SearchOptions, ShardView } from "../types.ts";
import type { Plan } from "./plan.ts";
import { createSearcher, type Searcher } from "./searcher.ts";
import { slicePlan } from "./slice.ts";

export interface Prepared {
  readonly searcher: Searcher;
  readonly context: BuildContext;
  readonly plan: Plan;
  readonly named: readonly NamedPlan[];
}

export interface PrepareInput {
  readonly query: Query | undefined;
  /** Only for its named queries. */
  readonly postFilter?: Query | undefined;
  readonly slice?: Slice | undefined;
}

export function prepareSearch(
  view: ShardView,
  { query, postFilter, slice }: PrepareInput,
  options: SearchOptions,
): Prepared {
  const searcher = createSearcher(view, options);
  const named: NamedPlan[] = [];
  const context: BuildContext = {
    searcher,
    mapping: searcher.mapping,
    nowMs: options.nowMs,
    allowExpensiveQueries: options.allowExpensiveQueries ?? true,
    limits: options.limits ?? DEFAULT_LIMITS,
    named,
    nestedPath: undefined,
  };
  const boost = options.indexBoost ?? 1;
  const main: Plan =
    query === undefined ? { kind: "all", boost } : buildRoot(query, context, boost);
  const filters: Plan[] = [];
  const { aliasFilter } = options;
  if (aliasFilter !== undefined) {
    const filter = located(undefined, () => parseQuery(rootCursor(aliasFilter)));
    filters.push(buildRoot(filter, { ...context, named: [] }));
  }
  if (postFilter !== undefined) buildRoot(postFilter, context);
  const part =
    slice === undefined
      ? undefined
      : slicePlan(slice, options.slicing ?? { shard: 0, shards: 1 }, searcher.mapping);
  if (part !== undefined) filters.push(part);
  const plan: Plan =
    filters.length === 0
      ? main
      : {
          kind: "bool",
          must: [main],
          filter: filters,
          should: [],
          mustNot: [],
          minimumShouldMatch: 0,
        };
  return { searcher, context, plan, named };
}

export function searchFailure(reason: string): OperationError {
  return new OperationError({ type: "search_exception", reason, status: 500 });
}
