/** Health by awareness attribute: number of shard copies in each zone. Source: `ClusterAwarenessHealth`. */
import { lookup } from "@orrery/stdx";
import {
  awarenessAttributes,
  isActive,
  weightedRoutingOf,
  type ClusterState,
  type ShardRouting,
} from "@orrery/cluster-state";
import { javaDouble, type PrintableObject } from "./json/printable.ts";

/** Health by awareness attribute, then by value of the attribute. `attribute`: only this one; `undefined`: all. */
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
    // The product computes this number only when copies must be balanced evenly over zones, and prints -1 otherwise.
    unassigned_shards: -1,
    data_nodes: nodeIds.length,
    weight: javaDouble(weightOf(state, zone)),
  };
}

/** Weight of a zone; 1 when it has none. */
function weightOf(state: ClusterState, zone: string): number {
  return weightedRoutingOf(state)?.weights.get(zone) ?? 1;
}
