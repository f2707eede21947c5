/**
 * Plan of a cluster's nodes with their ports and zones: node i is named `node-i`, the first one bootstraps, others may
 * join later.
 */
import type { NodeConfig } from "@orrery/node";
import type { TransportKind } from "./transports.ts";

/** Configuration that a node needs to start, stored as `DIR/NAME/node.json`. */
export interface NodePlan {
  readonly name: string;
  readonly transport: TransportKind;
  readonly httpPort: number;
  /** Transport port; `undefined` in memory. */
  readonly transportPort: number | undefined;
  readonly settings: NodeConfig["settings"];
}

export interface ClusterPlan {
  readonly nodes: number;
  readonly transport: TransportKind;
  readonly httpPort: number;
  readonly zones: readonly string[];
  readonly settings: NodeConfig["settings"];
}

export const host = "127.0.0.1";

/** Limit of nodes: HTTP ports of more nodes would collide with the transport ports. */
export const MOST_NODES = 64;

/** Plans of the nodes 1 to N. Ports follow those of the first node, zones are assigned in turn. */
export function planNodes(plan: ClusterPlan): readonly NodePlan[] {
  const numbers = Array.from({ length: plan.nodes }, (_, i) => i + 1);
  const portOf = (i: number): number => plan.httpPort + 100 + i - 1;
  const addressOf = (i: number): string =>
    plan.transport === "memory" ? `node-${i}` : `${host}:${portOf(i)}`;
  return numbers.map((i) => ({
    ...placeOf(plan, `node-${i}`, i),
    settings: {
      "discovery.seed_hosts": numbers.map(addressOf),
      "cluster.initial_cluster_manager_nodes": ["node-1"],
      ...zoneOf(plan, i),
      ...plan.settings,
    },
  }));
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
  const httpPort = plan.httpPort + number - 1;
  const { transport } = plan;
  return {
    ...{ name, transport, httpPort },
    transportPort: transport === "memory" ? undefined : httpPort + 100,
  };
}

function zoneOf({ zones }: ClusterPlan, number: number): NodeConfig["settings"] {
  const zone = zones[(number - 1) % zones.length];
  return zone === undefined ? {} : { "node.attr.zone": zone };
}
