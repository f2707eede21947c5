/** The wait conditions of a health request as one predicate over cluster states. */
import {
  clusterHealth,
  indicesOptions,
  resolveIndices,
  type ClusterState,
} from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { numberFormatProblem, parseInt32 } from "../../parameters.ts";

/** Statuses from worst to best: a status satisfies a wait for itself and for those before it. */
export const STATUSES = ["red", "yellow", "green"] as const;

/** Conditions of the request, all of which must hold. */
export interface WaitConditions {
  readonly expressions: readonly string[];
  readonly status: (typeof STATUSES)[number] | undefined;
  /** Condition of `wait_for_nodes`; `undefined`: none. */
  readonly nodes: ((count: number) => boolean) | undefined;
  /** `all` or a number; `undefined`: no condition. */
  readonly activeShards: string | undefined;
  readonly noRelocatingShards: boolean;
  readonly noInitializingShards: boolean;
  readonly nowMs: number;
}

/** Whether a state satisfies all conditions; `names`: the indices whose health counts; `undefined`: all. */
export function isReached(
  state: ClusterState,
  names: readonly string[] | undefined,
  conditions: WaitConditions,
): boolean {
  if (!areThere(state, conditions)) return false;
  const health = clusterHealth(state, names);
  const { status, activeShards } = conditions;
  if (status !== undefined && STATUSES.indexOf(health.status) < STATUSES.indexOf(status))
    return false;
  if (conditions.nodes !== undefined && !conditions.nodes(health.numberOfNodes)) return false;
  if (conditions.noRelocatingShards && health.relocatingShards > 0) return false;
  if (conditions.noInitializingShards && health.initializingShards > 0) return false;
  if (activeShards === "all")
    return health.unassignedShards === 0 && health.initializingShards === 0;
  return activeShards === undefined || health.activeShards >= Number(activeShards);
}

/** Whether all named indices exist: a health request waits for their creation. */
function areThere(state: ClusterState, { expressions, nowMs }: WaitConditions): boolean {
  if (expressions.length === 0) return true;
  try {
    resolveIndices(state, expressions, indicesOptions.strictExpand, nowMs);
    return true;
  } catch (error) {
    if (error instanceof OperationError && error.problem.type === "index_not_found_exception")
      return false;
    throw error;
  }
}

const COMPARISONS: readonly (readonly [RegExp, (count: number, wanted: number) => boolean])[] = [
  [/^>=(.*)$/, (count, wanted) => count >= wanted],
  [/^ge\((.*)\)$/, (count, wanted) => count >= wanted],
  [/^<=(.*)$/, (count, wanted) => count <= wanted],
  [/^le\((.*)\)$/, (count, wanted) => count <= wanted],
  [/^>(.*)$/, (count, wanted) => count > wanted],
  [/^gt\((.*)\)$/, (count, wanted) => count > wanted],
  [/^<(.*)$/, (count, wanted) => count < wanted],
  [/^lt\((.*)\)$/, (count, wanted) => count < wanted],
  [/^(.*)$/, (count, wanted) => count === wanted],
];

/** The predicate of the number of nodes that `wait_for_nodes` states: `3`, `>=2`, `ge(2)`, `<4` … */
export function parseNodeCount(given: string): (count: number) => boolean {
  for (const [pattern, compare] of COMPARISONS) {
    const text = pattern.exec(given)?.[1];
    if (text === undefined) continue;
    const wanted = parseInt32(text);
    if (wanted === undefined) throw new OperationError(numberFormatProblem(text));
    return (count) => compare(count, wanted);
  }
  return () => false;
}
