/**
 * Begins a decommission (`DecommissionService.startDecommissionAction`, its checks in their order): registers the zone,
 * and excludes its cluster-manager-eligible nodes from the voting configuration in the same version.
 */
import { lookup } from "@orrery/stdx";
import type { Problem } from "@orrery/stdx";
import { awarenessAttributes, forcedAwareness } from "../awareness.ts";
import { decommissionOf, describeZone, isInZone, withDecommission } from "../decommission.ts";
import { withNodeSettings } from "../settings/registry.ts";
import type { ClusterState, Outcome, Settings } from "../types.ts";
import { rejected, unchanged, updated } from "../updates.ts";
import {
  INITIAL_WEIGHTS_VERSION,
  weightedRoutingOf,
  weightText,
  withWeightedRouting,
} from "../weighted-routing.ts";
import { addVotingConfigExclusions } from "./add-voting-config-exclusions.ts";

export interface DecommissionZone {
  readonly kind: "decommission-zone";
  readonly attribute: string;
  readonly value: string;
  readonly requestId: string;
  /** Whether to set the zone's weight to 0 if no weights are set; otherwise their absence is an error. */
  readonly weighsAway?: boolean;
  /** Node settings of the elected cluster manager, which apply where the cluster settings have no value. */
  readonly nodeSettings?: Settings;
}

/**
 * Begins the decommission of a zone. Unchanged for a repeated request whose decommission has not failed. Rejected if
 * the attribute is no forced awareness attribute, if the zone's weight is not 0, if no cluster-manager-eligible node is
 * in the zone, or if another decommission that has not failed is registered.
 */
export function decommissionZone(state: ClusterState, task: DecommissionZone): Outcome {
  const { attribute, value, requestId } = task;
  const seen = withNodeSettings(state, task.nodeSettings ?? {});
  const held = decommissionOf(state);
  // A retry of the request that began the decommission, on another elected cluster manager. A failed one begins anew.
  if (held?.requestId === requestId && held.status !== "failed") return unchanged;
  const weighed = task.weighsAway === true ? weighedAway(state, seen, task) : state;
  const reason =
    awarenessComplaint(seen, attribute) ??
    inFlightComplaint(state, task) ??
    weightComplaint(weighed, task);
  if (reason !== undefined) return rejected(failed(task, reason));
  const registered = withDecommission(weighed, { attribute, value, requestId, status: "init" });
  const exclusions = [...state.nodes.values()]
    .filter((node) => node.roles.includes("cluster_manager") && isInZone(node, task))
    .map(({ id, name }) => ({ nodeId: id, nodeName: name }));
  if (exclusions.length === 0) return rejected(noNodeToExclude());
  const excluded = addVotingConfigExclusions(registered, {
    kind: "add-voting-config-exclusions",
    exclusions,
    ...(task.nodeSettings === undefined ? {} : { nodeSettings: task.nodeSettings }),
  });
  if (excluded.kind === "rejected") return rejected(failed(task, excluded.error.reason ?? ""));
  return excluded.kind === "unchanged" ? updated(registered) : excluded;
}

type Zone = Pick<DecommissionZone, "attribute" | "value">;

function awarenessComplaint(seen: ClusterState, attribute: string): string | undefined {
  if (!awarenessAttributes(seen).includes(attribute)) {
    return "invalid awareness attribute requested for decommissioning";
  }
  const forced = forcedAwareness(seen);
  if (forced.has(attribute)) return undefined;
  const shown = [...forced].map(([name, values]) => `${name}=[${values.join(", ")}]`).join(", ");
  return `forced awareness attribute [{${shown}}] doesn't have the decommissioning attribute`;
}

function inFlightComplaint(state: ClusterState, zone: Zone): string | undefined {
  const held = decommissionOf(state);
  if (held === undefined || held.status === "failed") return undefined;
  if (held.attribute === zone.attribute && held.value === zone.value) {
    return `same request is already in status [${held.status.toUpperCase()}]`;
  }
  return held.status === "successful"
    ? `one awareness attribute [${describeZone(held)}] already successfully decommissioned, recommission before triggering another decommission`
    : `there's an inflight decommission request for attribute [${describeZone(held)}] is in progress, cannot process this request`;
}

/** Why the weights forbid it. A value without a weight passes: its zone may consist of cluster-manager-eligible nodes only. */
function weightComplaint(state: ClusterState, { attribute, value }: Zone): string | undefined {
  const routing = weightedRoutingOf(state);
  if (routing === undefined) {
    return "no weights are set to the attribute. Please set appropriate weights before triggering decommission action";
  }
  if (routing.attribute !== attribute)
    return `no weights are specified to attribute [${attribute}]`;
  const weight = routing.weights.get(value) ?? 0;
  return weight === 0
    ? undefined
    : `weight for decommissioned attribute is expected to be [0.0] but found [${weightText(weight)}]`;
}

/** The state with weight 0 for the zone and 1 for every other known value; existing weights stay as they are. */
function weighedAway(state: ClusterState, seen: ClusterState, zone: Zone): ClusterState {
  const { attribute, value } = zone;
  const held = weightedRoutingOf(state);
  if (held !== undefined && held.weights.size > 0) return state;
  const live = [...state.nodes.values()].flatMap(
    ({ attributes }) => lookup(attributes, attribute) ?? [],
  );
  const values = new Set([...live, ...(forcedAwareness(seen).get(attribute) ?? []), value]);
  return withWeightedRouting(state, {
    attribute,
    weights: new Map([...values].map((other) => [other, other === value ? 0 : 1])),
    version: (held?.version ?? INITIAL_WEIGHTS_VERSION) + 1,
  });
}

/** The problem of a zone without cluster-manager-eligible nodes: the product's error for an exclusion request that names none. */
function noNodeToExclude(): Problem {
  return {
    type: "illegal_argument_exception",
    reason:
      "Please set node identifiers correctly. One and only one of [node_name], [node_names] and [node_ids] has to be set",
    status: 400,
  };
}

function failed(zone: Zone, reason: string): Problem {
  return {
    type: "decommissioning_failed_exception",
    reason: `[${describeZone(zone)}] ${reason}`,
    status: 400,
  };
}
