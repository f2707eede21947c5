/** Health by awareness attribute: how many copies lie in each zone. Source: `ClusterAwarenessHealth`. */
import { lookup } from "@orrery/stdx";
import {
  awarenessAttributes,
  isActive,
  weightedRoutingOf,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { javaDouble, type PrintableObject } from "./json/printable.ts";

export function awarenessHealth(
  state: ClusterState,
  attribute: string | undefined,
): PrintableObject {
  const attributes = attribute === undefined ? awarenessAttributes(state) : [attribute];
  return Object.fromEntries(attributes.map((name) => [name, zones(state, name)]));
}

function zones(state: ClusterState, attribute: string): PrintableObject {
  const found = new Map<string, string[]>();
  for (const node of state.nodes.values()) {
    const zone = lookup(node.attributes, attribute);
    if (zone === undefined || !node.roles.includes("data")) continue;
    found.set(zone, [...(found.get(zone) ?? []), node.id]);
  }
  const copies = [...state.routingTable.values()].flatMap(({ shards }) => shards.flat());
  return Object.fromEntries(
    [...found].map(([zone, nodeIds]) => [zone, zoneHealth(state, zone, { nodeIds, copies })]),
  );
}

function zoneHealth(
  state: ClusterState,
  zone: string,
  {
    nodeIds,
    copies,
  }: { readonly nodeIds: readonly string[]; readonly copies: readonly ShardRouting[] },
): PrintableObject {
  const here = copies.filter(({ nodeId }) => nodeId !== undefined && nodeIds.includes(nodeId));
  return {
    active_shards: here.filter(isActive).length,
    initializing_shards: here.filter((copy) => copy.state === "INITIALIZING").length,
    relocating_shards: here.filter((copy) => copy.state === "RELOCATING").length,
    // Known only when copies are forced to spread evenly; the product says -1 otherwise.
    unassigned_shards: -1,
    data_nodes: nodeIds.length,
    weight: javaDouble(weightOf(state, zone)),
  };
}

/** A zone without a weight counts 1. */
function weightOf(state: ClusterState, zone: string): number {
  return weightedRoutingOf(state)?.weights.get(zone) ?? 1;
}
