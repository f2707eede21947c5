/** Weighted routing (`WeightedRoutingMetadata`): weights of an awareness attribute's values, by which reads are distributed over zones. */
import { isJsonObject, lookup, type Json } from "@orrery/stdx";
import { customOf, withCustom } from "./customs.ts";
import { clusterSetting } from "./settings/registry.ts";
import type { ClusterState, DiscoveryNode } from "./types.ts";

/** The weights of a cluster. */
export interface WeightedRouting {
  /** The awareness attribute; empty after the weights were deleted. */
  readonly attribute: string;
  readonly weights: ReadonlyMap<string, number>;
  /** Counter of changes, deletions included; never reset. */
  readonly version: number;
}

/** Name of the custom section of weighted routing. */
export const WEIGHTED_ROUTING = "weighted_shard_routing";

/** Version of a cluster in which weights were never set. */
export const INITIAL_WEIGHTS_VERSION = -1;

/** The weights in the state; undefined when none were ever set. */
export function weightedRoutingOf(state: ClusterState): WeightedRouting | undefined {
  const section = customOf(state, WEIGHTED_ROUTING);
  if (!isJsonObject(section)) return undefined;
  const { awareness, _version: version } = section;
  const [entry] = isJsonObject(awareness) ? Object.entries(awareness) : [];
  const weights = isJsonObject(entry?.[1]) ? Object.entries(entry[1]) : [];
  return {
    attribute: entry?.[0] ?? "",
    weights: new Map(weights.map(([value, weight]) => [value, Number(weight)])),
    version: Number(version),
  };
}

/** The state with the weights replaced. */
export function withWeightedRouting(
  state: ClusterState,
  { attribute, weights, version }: WeightedRouting,
): ClusterState {
  const section: Json = {
    awareness: attribute === "" ? {} : { [attribute]: Object.fromEntries(weights) },
    _version: version,
  };
  return withCustom(state, WEIGHTED_ROUTING, section);
}

/** The weights that reads obey; undefined when there are none, or a setting disables them. */
export function activeWeights(state: ClusterState): WeightedRouting | undefined {
  const routing = weightedRoutingOf(state);
  if (routing === undefined || routing.weights.size === 0) return undefined;
  return clusterSetting(state, "cluster.routing.ignore_weighted_routing") === true
    ? undefined
    : routing;
}

/**
 * The weight of a node by its value of the attribute; `fallback` for a node without the attribute, and for a value
 * without a weight.
 */
export function weightOfNode(
  { attribute, weights }: WeightedRouting,
  node: DiscoveryNode | undefined,
  fallback: number,
): number {
  const value = lookup(node?.attributes, attribute);
  return (value === undefined ? undefined : weights.get(value)) ?? fallback;
}

/** Whether the node's weight is 0, so that reads avoid it. */
export function isWeighedAway(state: ClusterState, node: DiscoveryNode | undefined): boolean {
  const routing = weightedRoutingOf(state);
  return routing !== undefined && weightOfNode(routing, node, 1) === 0;
}

/** Text of a weight as Java's `Double.toString` prints it. */
export function weightText(weight: number): string {
  const size = Math.abs(weight);
  const withFraction = (digits: string): string => (digits.includes(".") ? digits : `${digits}.0`);
  if (size === 0 || (size >= 1e-3 && size < 1e7)) return withFraction(String(weight));
  const [digits = "", exponent] = weight.toExponential().split("e");
  return `${withFraction(digits)}E${Number(exponent)}`;
}
