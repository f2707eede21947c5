/** A request made ready for one shard: searcher, plan with alias filter and slice, named queries. */
import { murmur3, OperationError, utf8Encode } from "@orrery/stdx";
import { rootCursor } from "../queries/cursor.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { buildRoot, type BuildContext, type NamedPlan, type Query } from "../queries/query.ts";
import { located } from "../request/check.ts";
import type { SearchOptions, ShardView } from "../types.ts";
import type { Plan } from "./plan.ts";
import { createSearcher, type Searcher } from "./searcher.ts";

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
  readonly slice?: { readonly id: number; readonly max: number } | undefined;
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
  if (slice !== undefined) filters.push(slicePlan(slice));
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

/** Splits documents by a hash of their `_id`, so that every slice of one view is a part of it, and no two overlap. */
function slicePlan({ id, max }: { readonly id: number; readonly max: number }): Plan {
  return {
    kind: "document-test",
    label: `slice:${id}/${max}`,
    test: (reader) => (doc) => {
      const hash = murmur3(utf8Encode(reader.id(doc)), 7919);
      return ((hash % max) + max) % max === id;
    },
    boost: 0,
  };
}

export function searchFailure(reason: string): OperationError {
  return new OperationError({ type: "search_exception", reason, status: 500 });
}
