/**
 * Weighted routing: reads prefer copies by the weight of their zone; copies of weight 0 come last, and are read only
 * when the cluster fails open.
 *
 * Source: `IndexShardRoutingTable.activeInitializingShardsWithWeights`, `FailAwareWeightedRouting`.
 */
import {
  activeWeights,
  clusterSetting,
  copiesOf,
  isActive,
  weightedRoutingOf,
  weightOfNode,
  withNodeSettings,
  type ClusterState,
  type ShardRouting,
  type WeightedRouting,
} from "@orrery/cluster-state";
import { appendAll, OperationError, type Problem, type Random } from "@orrery/stdx";
import type { CoordinatorDeps } from "./deps.ts";

/** Weighted routing of one cluster state. */
export interface Weights {
  readonly isStrict: boolean;
  /**
   * Orders copies: drawn by weight with a generator, or rotated by a hash. Copies of weight 0 come last, or are left
   * out when fail-open is off.
   */
  order(copies: readonly ShardRouting[], by: Random | number): readonly ShardRouting[];
}

/** The weights that reads obey; `undefined` when none are set, or a setting disables them. */
export function weightsIn(deps: CoordinatorDeps, state: ClusterState): Weights | undefined {
  if (weightedRoutingOf(state) === undefined) return undefined;
  const seen = withNodeSettings(state, deps.nodeSettings ?? {});
  const routing = activeWeights(seen);
  if (routing === undefined) return undefined;
  const failsOpen = clusterSetting(seen, "cluster.routing.weighted.fail_open") === true;
  const weigh = (copy: ShardRouting): number => weightOf(seen, routing, copy);
  return {
    isStrict: clusterSetting(seen, "cluster.routing.weighted.strict") === true,
    order(copies, by) {
      const kept = copies.filter((copy) => weigh(copy) > 0);
      const zeroWeight = failsOpen ? copies.filter((copy) => weigh(copy) === 0) : [];
      return typeof by === "number"
        ? [...rotated(kept, by), ...rotated(zeroWeight, by)]
        : [...drawnByWeight(kept, weigh, by), ...drawnByWeight(zeroWeight, () => 1, by)];
    },
  };
}

function weightOf(seen: ClusterState, routing: WeightedRouting, { nodeId }: ShardRouting): number {
  const node = nodeId === undefined ? undefined : seen.nodes.get(nodeId);
  const fallback = Number(clusterSetting(seen, "cluster.routing.weighted.default_weight"));
  return weightOfNode(routing, node, fallback);
}

/** Draws the order of the copies: each place goes to one of the remaining copies with a probability in proportion to its weight. */
function drawnByWeight(
  copies: readonly ShardRouting[],
  weigh: (copy: ShardRouting) => number,
  random: Random,
): readonly ShardRouting[] {
  const left = [...copies];
  const ordered: ShardRouting[] = [];
  while (left.length > 0) {
    let rest = random.float() * left.reduce((sum, copy) => sum + weigh(copy), 0);
    const at = left.findIndex((copy) => {
      rest -= weigh(copy);
      return rest < 0;
    });
    appendAll(ordered, left.splice(Math.max(0, at), 1));
  }
  return ordered;
}

/** The list rotated left by `by` places. */
export function rotated<T>(items: readonly T[], by: number): readonly T[] {
  if (items.length === 0) return items;
  const start = ((by % items.length) + items.length) % items.length;
  return [...items.slice(start), ...items.slice(0, start)];
}

export function preferenceNotAllowed(): OperationError {
  return new OperationError({
    type: "preference_based_search_not_allowed_exception",
    reason: "Preference type based routing not allowed with strict weighted shard routing enabled",
    status: 403,
  });
}

/** A candidate for the next attempt of a read. */
export interface Retry {
  readonly index: string;
  readonly shard: number;
  readonly copy: ShardRouting;
  /** Problem of the previous copy; `undefined` on the first attempt. */
  readonly problem: Problem | undefined;
}

/**
 * Whether a copy of weight 0 is skipped after another copy failed. The copy is asked nevertheless (the cluster fails
 * open) when that failure was internal (500, 502 to 504), or when a copy of the shard is not active; each such call is
 * counted. A copy that is asked first, as the only or the preferred one, is never skipped.
 */
export function isSkipped(deps: CoordinatorDeps, retry: Retry): boolean {
  const state = deps.state();
  if (weightedRoutingOf(state) === undefined) return false;
  const seen = withNodeSettings(state, deps.nodeSettings ?? {});
  const routing = activeWeights(seen);
  if (routing === undefined || weightOf(seen, routing, retry.copy) > 0) return false;
  const { index, shard, problem } = retry;
  const isOpen =
    (problem !== undefined && isInternal(problem)) ||
    copiesOf(seen, index, shard).some((copy) => !isActive(copy));
  if (isOpen) deps.onFailOpen?.();
  return !isOpen && problem !== undefined;
}

function isInternal({ status }: Problem): boolean {
  return status === 500 || (status >= 502 && status <= 504);
}
