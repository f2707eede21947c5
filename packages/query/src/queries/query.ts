/**
 * Builds a parsed query into a plan for one shard, and wraps its failures. Source:
 * `QueryShardContext.toQuery`.
 */
import type { Query, BuildContext } from "../language/query.ts";
import { InnerHitsRefusal } from "./inner-hits.ts";
import { javaFloat } from "../json/json-text.ts";
import { illegalArgument, OperationError, type Problem } from "@orrery/stdx";
import type { CompiledField } from "../language/field-type.ts";
import type { Plan } from "../language/plan.ts";
import { CompileFailure } from "../scripts/compile-failure.ts";
import { allSteps, NO_REST, type Rest } from "../work/steps.ts";
import type { Searcher } from "../language/searcher.ts";
import { checkPlan } from "./limits.ts";

/**
 * Builds the plan of a query within another one: `boost` is multiplied with the query's own, and a
 * `_name` is registered. A boost of 0 makes every hit score 0, also where functions inside add to the
 * score. Source: Lucene's `BoostQuery.rewrite`.
 */
export function buildQuery(query: Query, context: BuildContext, boost: number): Plan {
  checkBoost(query.boost);
  const isZero = Math.fround(query.boost) === 0;
  const own = query.build(context, isZero ? 1 : Math.fround(boost * query.boost));
  const plan = isZero ? withoutScore(own) : own;
  if (query.label !== undefined) context.named.push({ name: query.label, plan });
  return plan;
}

/** The documents of a plan, each with score 0. */
function withoutScore(plan: Plan): Plan {
  if (plan.kind === "none") return plan;
  if (plan.kind === "all" || plan.kind === "constant") return { ...plan, boost: 0 };
  return { kind: "constant", plan, boost: 0 };
}

/**
 * Rejects a boost that is not finite as a float. Source: Lucene's `BoostQuery`.
 * @throws OperationError 400
 */
export function checkBoost(given: number): void {
  const boost = Math.fround(given);
  if (Number.isFinite(boost)) return;
  throw illegalArgument(`boost must be a positive float, got ${javaFloat(boost)}`);
}

/**
 * Builds the plan of a request's query at once.
 * @throws OperationError 400 `query_shard_exception` and others
 */
export function buildRoot(query: Query, context: BuildContext, boost = 1): Plan {
  return allSteps(buildRootSteps(query, context, { boost, rest: NO_REST }));
}

/** `buildRoot` in steps: rests between terms that the query looks up. */
export function* buildRootSteps(
  query: Query,
  context: BuildContext,
  { boost, rest }: { readonly boost: number; readonly rest: Rest },
): Generator<undefined, Plan> {
  const { work, limits } = context;
  const plan = buildUnexpanded(query, context, boost);
  if (work.isUnfinished)
    yield* work.expandAll(rest, limits.maxClauseCount, () => checkPlan(plan, limits));
  return plan;
}

/**
 * Builds the plan of a query in one go. Unlike `buildRoot`, it does not wrap failures in a
 * `query_shard_exception`.
 */
export function buildExpanded(query: Query, context: BuildContext, boost: number): Plan {
  const { work, limits } = context;
  work.begin();
  const plan = buildQuery(query, context, boost);
  allSteps(work.expandAll(NO_REST, limits.maxClauseCount, () => checkPlan(plan, limits)));
  return plan;
}

/**
 * Builds the plan of a query without looking up near terms; a clause that needs them matches every
 * document.
 */
export function buildUnexpanded(query: Query, context: BuildContext, boost: number): Plan {
  context.work.begin();
  const plan = buildOrFail(query, context, boost);
  checkPlan(plan, context.limits);
  return plan;
}

function buildOrFail(query: Query, context: BuildContext, boost: number): Plan {
  try {
    return buildQuery(query, context, boost);
  } catch (error) {
    if (!(error instanceof OperationError) || error instanceof InnerHitsRefusal) throw error;
    throw shardFailure(context, error);
  }
}

/** Errors that are reported as they are. */
const PASSED_ON = new Set([
  "query_shard_exception",
  "parsing_exception",
  "parse_exception",
  "too_many_nested_clauses",
  "circuit_breaking_exception",
]);

/** Wraps a failure in the product's `query_shard_exception`. */
function shardFailure(context: BuildContext, error: OperationError): OperationError {
  const { problem } = error;
  const wrapping = error instanceof CompileFailure ? error.wrapping : undefined;
  if (wrapping === undefined && PASSED_ON.has(problem.type)) return new OperationError(problem);
  const reason = `failed to create query: ${wrapping ?? problem.reason}`;
  return new OperationError({ ...shardProblem(context.searcher, reason), causedBy: problem });
}

/** A `query_shard_exception` of the shard's index. */
export function shardProblem(searcher: Searcher, reason: string): Problem {
  const { index, indexUuid } = searcher.view;
  return {
    type: "query_shard_exception",
    reason,
    status: 400,
    metadata: { index, index_uuid: indexUuid },
  };
}

/** A `query_shard_exception` as an error. */
export function shardError(context: BuildContext, reason: string): OperationError {
  return new OperationError(shardProblem(context.searcher, reason));
}

/**
 * Rejects an unknown analyzer, before the query examines a field.
 * @throws OperationError 400
 */
export function requireAnalyzer(
  context: BuildContext,
  query: string,
  name: string | undefined,
): void {
  if (name === undefined || context.mapping.analysis.hasAnalyzer(name)) return;
  throw shardError(context, `[${query}] analyzer [${name}] not found`);
}

/** The field of this name; `undefined`: it is not mapped. */
export function fieldOf(context: BuildContext, name: string): CompiledField | undefined {
  return context.mapping.compiledField(name);
}
