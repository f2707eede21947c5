/**
 * Automatic index creation: makes the indices and data streams that a write names and that do not exist, unless
 * `action.auto_create_index` forbids it. Source: `TransportBulkAction.createIndex`, `AutoCreateIndex`.
 */
import {
  clusterSetting,
  dataStreamsOf,
  findIndexTemplate,
  indexTemplatesOf,
  resolveDateMath,
  validateNewIndexName,
  type ClusterState,
  type Task,
} from "@orrery/cluster-state";
import { matchesGlob, OperationError, type Problem, problemOf } from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";
import { planDataStream, planIndex } from "./new-index.ts";

/** Why an index could not be created, by the expression of the request. An expression that resolves after the call has no entry. */
export type CreationProblems = ReadonlyMap<string, Problem>;

/**
 * Creates an index or a data stream for each expression that resolves to none, and returns the failures. Never
 * rejects for an operating error: the caller fails only the items of that name.
 */
export async function createMissing(
  deps: CoordinatorDeps,
  expressions: Iterable<string>,
  timeoutMs: number,
): Promise<CreationProblems> {
  const problems = new Map<string, Problem>();
  const nowMs = deps.clock.nowMs();
  const missing = [...new Set(expressions)].filter((name) => !isKnown(deps.state(), name, nowMs));
  await Promise.all(
    missing.map(async (expression) => {
      const problem = await create(deps, expression, timeoutMs);
      if (problem) problems.set(expression, problem);
      // An index that another node has just created may not be in this node's applied state yet.
      else await deps.stateWhen((state) => isKnown(state, expression, nowMs), timeoutMs);
    }),
  );
  return problems;
}

function isKnown(state: ClusterState, expression: string, nowMs: number): boolean {
  const { metadata } = state;
  const name = resolveDateMath(expression, nowMs);
  if (dataStreamsOf(state).has(name)) return true;
  if (metadata.indices.has(name)) return true;
  return [...metadata.indices.values()].some((index) => index.aliases.has(name));
}

async function create(
  deps: CoordinatorDeps,
  expression: string,
  timeoutMs: number,
): Promise<Problem | undefined> {
  const nowMs = deps.clock.nowMs();
  try {
    const name = resolveDateMath(expression, nowMs);
    const state = deps.state();
    const refusal = refuse(state, name) ?? validateNewIndexName(state, name);
    if (refusal) return refusal.type === "resource_already_exists_exception" ? undefined : refusal;
    await deps.submit(creationOf(deps, state, { name, providedName: expression }), {
      managerTimeoutMs: timeoutMs,
      ackTimeoutMs: timeoutMs,
    });
    return undefined;
  } catch (error) {
    if (!(error instanceof OperationError)) throw error;
    const problem = problemOf(error);
    // A concurrent write created the index first: that is success.
    return problem.type === "resource_already_exists_exception" ? undefined : problem;
  }
}

/** A data stream when the matching template has `data_stream`, else an index. */
function creationOf(
  { language, random, clock }: CoordinatorDeps,
  state: ClusterState,
  { name, providedName }: { readonly name: string; readonly providedName: string },
): Task {
  const input = { language, random, nowMs: clock.nowMs() };
  const template = findIndexTemplate(state, name, false);
  const isStream =
    template !== undefined && indexTemplatesOf(state).get(template)?.data_stream !== undefined;
  if (isStream) return planDataStream(state, name, input);
  const request = { name, providedName, settings: {}, mapping: {}, aliases: {} };
  return planIndex(state, request, input).task;
}

function refuse(state: ClusterState, name: string): Problem | undefined {
  const rule = clusterSetting(state, "action.auto_create_index");
  if (rule === "true") return undefined;
  if (rule === "false") return notFound(name, `[action.auto_create_index] is [false]`);
  for (const part of rule.split(",")) {
    const isAllowed = !part.startsWith("-");
    const pattern = part.replace(/^[+-]/, "");
    if (!matchesGlob(pattern, name)) continue;
    if (isAllowed) return undefined;
    return notFound(
      name,
      `[action.auto_create_index] contains [-${pattern}] which forbids automatic creation of the index`,
    );
  }
  return notFound(name, `[action.auto_create_index] ([${rule}]) doesn't match`);
}

function notFound(name: string, why: string): Problem {
  return {
    type: "index_not_found_exception",
    reason: `no such index [${name}] and ${why}`,
    status: 404,
    metadata: { index: name, index_uuid: "_na_" },
  };
}
