/**
 * Reads follow the weights of zones: copies by weight, those without weight last and only when the cluster fails open.
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

export interface Weights {
  readonly isStrict: boolean;
  /** Drawn by weight, or turned by a hash; copies without weight come last, or not at all. */
  order(copies: readonly ShardRouting[], by: Random | number): readonly ShardRouting[];
}

/** `undefined` while no weights are to be followed. */
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
      const away = failsOpen ? copies.filter((copy) => weigh(copy) === 0) : [];
      return typeof by === "number"
        ? [...turned(kept, by), ...turned(away, by)]
        : [...drawn(kept, weigh, by), ...drawn(away, () => 1, by)];
    },
  };
}

function weightOf(seen: ClusterState, routing: WeightedRouting, { nodeId }: ShardRouting): number {
  const node = nodeId === undefined ? undefined : seen.nodes.get(nodeId);
  const fallback = Number(clusterSetting(seen, "cluster.routing.weighted.default_weight"));
  return weightOfNode(routing, node, fallback);
}

/** Each place goes to one of the copies that are left, as often as its weight says. */
function drawn(
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

export function turned<T>(items: readonly T[], by: number): readonly T[] {
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

export interface Retry {
  readonly index: string;
  readonly shard: number;
  readonly copy: ShardRouting;
  /** Why the copy before it did not answer; `undefined` on the first try. */
  readonly problem: Problem | undefined;
}

/**
 * Whether a copy without weight is left out after another copy failed: it is asked only where that failure is the
 * cluster's, not the request's, or where the shard has lost copies. Counts each time the cluster fails open: not when a copy is
 * asked first, because it is the only one, or preferred.
 */
export function isPassedOver(deps: CoordinatorDeps, retry: Retry): boolean {
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
