/** The building of a parsed query into a plan for one shard, and the words of its failures. */
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

export function buildQuery(query: Query, context: BuildContext, boost: number): Plan {
  checkBoost(query.boost);
  const plan = query.build(context, Math.fround(boost * query.boost));
  if (query.label !== undefined) context.named.push({ name: query.label, plan });
  return plan;
}

/** Source: Lucene's `BoostQuery`. */
export function checkBoost(given: number): void {
  const boost = Math.fround(given);
  if (Number.isFinite(boost)) return;
  throw illegalArgument(`boost must be a positive float, got ${javaFloat(boost)}`);
}

/** The outermost call: failures become the shard's `query_shard_exception`. */
export function buildRoot(query: Query, context: BuildContext, boost = 1): Plan {
  return allSteps(buildRootSteps(query, context, { boost, rest: NO_REST }));
}

/** The same, resting between the terms that it looks up. */
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

/** Without the words of a root for its failures. */
export function buildExpanded(query: Query, context: BuildContext, boost: number): Plan {
  const { work, limits } = context;
  work.begin();
  const plan = buildQuery(query, context, boost);
  allSteps(work.expandAll(NO_REST, limits.maxClauseCount, () => checkPlan(plan, limits)));
  return plan;
}

/** Near terms are not looked up: their plans may match anything. */
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

const PASSED_ON = new Set([
  "query_shard_exception",
  "parsing_exception",
  "parse_exception",
  "too_many_nested_clauses",
  "circuit_breaking_exception",
]);

function shardFailure(context: BuildContext, error: OperationError): OperationError {
  const { problem } = error;
  const wrapping = error instanceof CompileFailure ? error.wrapping : undefined;
  if (wrapping === undefined && PASSED_ON.has(problem.type)) return new OperationError(problem);
  const reason = `failed to create query: ${wrapping ?? problem.reason}`;
  return new OperationError({ ...shardProblem(context.searcher, reason), causedBy: problem });
}

export function shardProblem(searcher: Searcher, reason: string): Problem {
  const { index, indexUuid } = searcher.view;
  return {
    type: "query_shard_exception",
    reason,
    status: 400,
    metadata: { index, index_uuid: indexUuid },
  };
}

export function shardError(context: BuildContext, reason: string): OperationError {
  return new OperationError(shardProblem(context.searcher, reason));
}

/** Refuses an analyzer that the index does not have, before a field is looked at. */
export function requireAnalyzer(
  context: BuildContext,
  query: string,
  name: string | undefined,
): void {
  if (name === undefined || context.mapping.analysis.hasAnalyzer(name)) return;
  throw shardError(context, `[${query}] analyzer [${name}] not found`);
}

export function fieldOf(context: BuildContext, name: string): CompiledField | undefined {
  return context.mapping.compiledField(name);
}
