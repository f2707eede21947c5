/** Sets the weights of an awareness attribute's values (`WeightedRoutingService`, its checks in their order). */
import { lookup } from "@orrery/stdx";
import type { Problem } from "@orrery/stdx";
import { awarenessAttributes, forcedAwareness } from "../awareness.ts";
import { decommissionOf } from "../decommission.ts";
import { withNodeSettings } from "../settings/registry.ts";
import type { ClusterState, Outcome, Settings } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import {
  INITIAL_WEIGHTS_VERSION,
  weightedRoutingOf,
  withWeightedRouting,
} from "../weighted-routing.ts";

export interface PutWeightedRouting {
  readonly kind: "put-weighted-routing";
  readonly attribute: string;
  readonly weights: Readonly<Record<string, number>>;
  /** Version of the weights to be replaced; the task is rejected when they have another one. */
  readonly version: number;
  /** Node settings of the elected cluster manager, which apply where the cluster settings have no value. */
  readonly nodeSettings?: Settings;
}

/**
 * Stores the weights of weighted routing. Rejected for an attribute that is no awareness attribute, when a value of the
 * attribute that is live or forced has no weight, when the weights contradict a decommission, and for another version
 * than the stored one.
 */
export function putWeightedRouting(state: ClusterState, task: PutWeightedRouting): Outcome {
  const weights = new Map(Object.entries(task.weights));
  const error =
    attributeProblem(withNodeSettings(state, task.nodeSettings ?? {}), task.attribute) ??
    missingWeight(state, task, weights) ??
    decommissionProblem(state, task.attribute, weights) ??
    versionProblem(state, task.version);
  if (error !== undefined) return rejected(error);
  const held = weightedRoutingOf(state);
  if (held !== undefined && held.attribute === task.attribute && isSame(held.weights, weights)) {
    return unchanged;
  }
  const version = (held?.version ?? INITIAL_WEIGHTS_VERSION) + 1;
  return updated(withWeightedRouting(state, { attribute: task.attribute, weights, version }));
}

/** The problem of a request whose attribute is no awareness attribute. `state` must include the node's settings. */
export function attributeProblem(state: ClusterState, attribute: string): Problem | undefined {
  if (awarenessAttributes(state).includes(attribute)) return undefined;
  return {
    type: "action_request_validation_exception",
    reason: `Validation Failed: 1: invalid awareness attribute ${attribute} requested for weighted routing;`,
    status: 400,
  };
}

function missingWeight(
  state: ClusterState,
  { attribute, nodeSettings }: PutWeightedRouting,
  weights: ReadonlyMap<string, number>,
): Problem | undefined {
  const live = [...state.nodes.values()].flatMap(({ roles, attributes }) =>
    roles.includes("data") ? (lookup(attributes, attribute) ?? []) : [],
  );
  const forced = forcedAwareness(withNodeSettings(state, nodeSettings ?? {})).get(attribute) ?? [];
  const missing = [...live, ...forced].find((value) => !weights.has(value));
  if (missing === undefined) return undefined;
  return unsupported(
    `weight for [${missing}] is not set and it is part of forced awareness value or a routing node has this attribute.`,
  );
}

/** The problem of a weight for a decommissioned zone, which must stay 0. */
function decommissionProblem(
  state: ClusterState,
  attribute: string,
  weights: ReadonlyMap<string, number>,
): Problem | undefined {
  const decommission = decommissionOf(state);
  if (decommission === undefined || decommission.status === "failed") return undefined;
  if (decommission.attribute !== attribute) {
    return unsupported(
      `decommission action ongoing for attribute [${decommission.attribute}], cannot update weight for [${attribute}]`,
    );
  }
  const weight = weights.get(decommission.value);
  if (weight === 0) return undefined;
  return unsupported(
    weight === undefined
      ? `weight for [${decommission.value}] is not specified. Please specify its weight to [0.0] as it is under decommission action`
      : `weight for [${decommission.value}] must be set to [0.0] as it is under decommission action`,
  );
}

/** The problem of a request for another version than that of the weights; undefined when they match. */
export function versionProblem(state: ClusterState, requested: number): Problem | undefined {
  const version = weightedRoutingOf(state)?.version ?? INITIAL_WEIGHTS_VERSION;
  if (version === requested) return undefined;
  return unsupported(
    `requested version is ${requested} but cluster weighted routing metadata is at a different version ${version} `,
  );
}

function isSame(a: ReadonlyMap<string, number>, b: ReadonlyMap<string, number>): boolean {
  return a.size === b.size && [...a].every(([value, weight]) => b.get(value) === weight);
}

function unsupported(reason: string): Problem {
  return { type: "unsupported_weighted_routing_state_exception", reason, status: 409 };
}
