/**
 * Prepares a request for one shard: the searcher, the plan with the alias's filter and the slice,
 * and the named queries.
 */
import type { Prepared, BuildContext, NamedPlan, Query } from "../language/query.ts";
import { OperationError } from "@orrery/stdx";
import { rootCursor } from "../body/cursor.ts";
import { DEFAULT_LIMITS } from "../language/query-limits.ts";
import { parseQuery } from "../queries/parse-query.ts";
import { BuildWork } from "../language/build-work.ts";
import { buildRootSteps, buildUnexpanded } from "../queries/query.ts";
import { located } from "./check.ts";
import { type Slice, slicePlan } from "./slice.ts";
import type { SearchOptions, ShardView } from "../language/view.ts";
import type { Plan } from "../language/plan.ts";
import { createSearcher } from "../execution/searcher.ts";
import { allSteps, restOf } from "../work/steps.ts";
import { plainScripts } from "../scripts/script-compiler.ts";

/** The parts of a request that become plans. */
export interface PrepareInput {
  readonly query: Query | undefined;
  /** The `post_filter`, which is built only for its named queries. */
  readonly postFilter?: Query | undefined;
  readonly slice?: Slice | undefined;
  /** Only the shape of the plan is read: near terms are not looked up. */
  readonly isUnexpanded?: boolean;
}

/** Prepares a request at once; see `prepareSteps`. */
export function prepareSearch(
  view: ShardView,
  input: PrepareInput,
  options: SearchOptions,
): Prepared {
  return allSteps(prepareSteps(view, input, { ...options, isTurnOver: undefined }));
}

/**
 * Prepares a request for one shard: builds the plan of query, alias filter and slice, and collects
 * the named queries. Yields between terms that queries look up.
 * @throws OperationError a shard failure
 */
export function* prepareSteps(
  view: ShardView,
  { query, postFilter, slice, isUnexpanded = false }: PrepareInput,
  options: SearchOptions,
): Generator<undefined, Prepared> {
  const searcher = createSearcher(view, options);
  const named: NamedPlan[] = [];
  const context: BuildContext = {
    searcher,
    mapping: searcher.mapping,
    nowMs: options.nowMs,
    allowExpensiveQueries: options.allowExpensiveQueries ?? true,
    limits: options.limits ?? DEFAULT_LIMITS,
    work: new BuildWork(),
    scripts: options.scripts ?? plainScripts(view.mapping.language),
    named,
    nestedPath: undefined,
  };
  const boost = options.indexBoost ?? 1;
  const how: Building = { isUnexpanded, options };
  const main: Plan =
    query === undefined ? { kind: "all", boost } : yield* build(query, context, { ...how, boost });
  const filters: Plan[] = [];
  const { aliasFilter } = options;
  if (aliasFilter !== undefined) {
    const filter = located(undefined, () =>
      parseQuery(rootCursor(aliasFilter, view.mapping.language)),
    );
    filters.push(yield* build(filter, { ...context, named: [] }, how));
  }
  if (postFilter !== undefined) yield* build(postFilter, context, how);
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
  return { searcher, context, plan, named, filters };
}

/** How a query is built. */
interface Building {
  readonly isUnexpanded: boolean;
  readonly options: SearchOptions;
  readonly boost?: number;
}

function build(
  root: Query,
  context: BuildContext,
  { isUnexpanded, options, boost = 1 }: Building,
): Generator<undefined, Plan> {
  return isUnexpanded
    ? atOnce(buildUnexpanded(root, context, boost))
    : buildRootSteps(root, context, { boost, rest: () => restOf(options) });
}

/** A plan that exists already, as steps. */
// oxlint-disable-next-line require-yield -- it is there already
function* atOnce(plan: Plan): Generator<undefined, Plan> {
  return plan;
}

/** The product's `search_exception`, with status 500. */
export function searchFailure(reason: string): OperationError {
  return new OperationError({ type: "search_exception", reason, status: 500 });
}
