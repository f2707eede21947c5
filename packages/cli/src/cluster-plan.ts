/**
 * Plan of a cluster's nodes with their ports and zones: node i is named `node-i`, the first one bootstraps, others may
 * join later.
 */
import type { NodeConfig } from "@orrery/node";
import { transportName } from "./data-folder.ts";
import { loopback, type NodeAddresses } from "./listening/node-addresses.ts";
import type { TransportKind } from "./transports.ts";
import { UsageError } from "./usage.ts";

/** Configuration that a node needs to start, stored as `DIR/NAME/node.json`. */
export interface NodePlan {
  readonly name: string;
  readonly transport: TransportKind;
  readonly httpPort: number;
  /** Transport port; `undefined` in memory. */
  readonly transportPort: number | undefined;
  /** Ports under which the node is published, where they are not those it listens on. */
  readonly publishPorts?: PublishPorts;
  /** Addresses of the machine, resolved at each start and not stored; default: the loopback address. */
  readonly addresses?: NodeAddresses;
  readonly settings: NodeConfig["settings"];
}

export interface PublishPorts {
  readonly http?: number;
  readonly transport?: number;
}

export interface ClusterPlan {
  readonly nodes: number;
  readonly transport: TransportKind;
  /** Port of the first node; those of the others follow. The same holds for the other ports. */
  readonly httpPort: number;
  /** Default: the HTTP port and 100. */
  readonly transportPort?: number;
  readonly publishPorts?: PublishPorts;
  readonly addresses?: NodeAddresses;
  /** Zones in the sequence in which nodes get them; empty text: the node has none. */
  readonly zones: readonly string[];
  readonly settings: NodeConfig["settings"];
}

export const host: string = loopback;

/** Distance of a node's transport port from its HTTP port, unless one is set. */
export const PORTS_APART = 100;

/** Limit of nodes: HTTP ports of more nodes would collide with the transport ports. */
export const MOST_NODES = 64;

/** Plans of the nodes 1 to N. Ports follow those of the first node, zones are assigned in turn. */
export function planNodes(plan: ClusterPlan): readonly NodePlan[] {
  const numbers = Array.from({ length: plan.nodes }, (_, i) => i + 1);
  const places = numbers.map((i) => placeOf(plan, nameOf(plan, i), i));
  const seeds = places.map(transportName);
  return places.map((place, at) => ({
    ...place,
    settings: {
      "discovery.seed_hosts": seeds,
      "cluster.initial_cluster_manager_nodes": [nameOf(plan, 1)],
      ...zoneOf(plan, at + 1),
      ...plan.settings,
    },
  }));
}

/** Throws `UsageError` for a name that no node can have; its folder has the same name. */
export function refuseNodeName(name: string): void {
  if (name === "") throw new UsageError("the name of a node must not be empty");
  if (/^[\w-][\w.-]*$/.test(name)) return;
  throw new UsageError(
    `[${name}] cannot be the name of a node: letters, digits, [_], [-] and [.] can`,
  );
}

/** A node alone may have a name of its own. */
function nameOf({ nodes, settings }: ClusterPlan, number: number): string {
  const given = nodes === 1 ? settings["node.name"] : undefined;
  return given === undefined ? `node-${number}` : String(given);
}

/** Node that joins a running cluster. */
export interface AddedNode {
  readonly name: string;
  /** Number of the node, which determines its ports, and its zone unless one is named. */
  readonly number: number;
  readonly zone?: string;
  readonly roles?: readonly string[];
  /** Transport addresses of the nodes that it contacts. */
  readonly seeds: readonly string[];
}

/** Plan of a joining node. It never bootstraps a cluster. */
export function planAddedNode(plan: ClusterPlan, node: AddedNode): NodePlan {
  const { name, number, zone, roles, seeds } = node;
  return {
    ...placeOf(plan, name, number),
    settings: {
      "discovery.seed_hosts": seeds,
      ...zoneOf(plan, number),
      ...plan.settings,
      ...(zone === undefined ? {} : { "node.attr.zone": zone }),
      ...(roles === undefined ? {} : { "node.roles": roles }),
      "cluster.initial_cluster_manager_nodes": [],
    },
  };
}

function placeOf(plan: ClusterPlan, name: string, number: number): Omit<NodePlan, "settings"> {
  const { transport, addresses, publishPorts } = plan;
  const at = number - 1;
  const transportPort = (plan.transportPort ?? plan.httpPort + PORTS_APART) + at;
  const { http, transport: between } = publishPorts ?? {};
  const ports: PublishPorts = {
    ...(http === undefined ? {} : { http: http + at }),
    ...(between === undefined ? {} : { transport: between + at }),
  };
  return {
    ...{ name, transport, httpPort: plan.httpPort + at },
    transportPort: transport === "memory" ? undefined : transportPort,
    ...(publishPorts === undefined ? {} : { publishPorts: ports }),
    ...(addresses === undefined ? {} : { addresses }),
  };
}

function zoneOf({ zones }: ClusterPlan, number: number): NodeConfig["settings"] {
  const zone = zones[(number - 1) % zones.length];
  return zone === undefined || zone === "" ? {} : { "node.attr.zone": zone };
}
