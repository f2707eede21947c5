/** What a health request waits for, as one claim about a cluster state. */
import {
  clusterHealth,
  indicesOptions,
  resolveIndices,
  type ClusterState,
} from "@orrery/cluster-state";
import { OperationError } from "@orrery/stdx";
import { numberFormatProblem, parseInt32 } from "../../parameters.ts";

/** From worst to best: a status is "at least" every status before it. */
export const STATUSES = ["red", "yellow", "green"] as const;

export interface Wishes {
  readonly expressions: readonly string[];
  readonly status: (typeof STATUSES)[number] | undefined;
  /** `undefined`: not asked for. */
  readonly nodes: ((count: number) => boolean) | undefined;
  /** `all` or a number. */
  readonly activeShards: string | undefined;
  readonly noRelocatingShards: boolean;
  readonly noInitializingShards: boolean;
  readonly nowMs: number;
}

export function isReached(
  state: ClusterState,
  names: readonly string[] | undefined,
  wishes: Wishes,
): boolean {
  if (!areThere(state, wishes)) return false;
  const health = clusterHealth(state, names);
  const { status, activeShards } = wishes;
  if (status !== undefined && STATUSES.indexOf(health.status) < STATUSES.indexOf(status))
    return false;
  if (wishes.nodes !== undefined && !wishes.nodes(health.numberOfNodes)) return false;
  if (wishes.noRelocatingShards && health.relocatingShards > 0) return false;
  if (wishes.noInitializingShards && health.initializingShards > 0) return false;
  if (activeShards === "all")
    return health.unassignedShards === 0 && health.initializingShards === 0;
  return activeShards === undefined || health.activeShards >= Number(activeShards);
}

/** Named indices are waited for, too. */
function areThere(state: ClusterState, { expressions, nowMs }: Wishes): boolean {
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

/** `wait_for_nodes`: `3`, `>=2`, `ge(2)`, `<4` … */
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
