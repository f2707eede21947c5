/** Which nodes a cluster has, on which ports, in which zones: node i is `node-i`, the first one bootstraps, others may come later. */
import type { NodeConfig } from "@orrery/node";
import type { TransportKind } from "./transports.ts";

/** Everything a node needs to start; kept as `DIR/NAME/node.json`. */
export interface NodePlan {
  readonly name: string;
  readonly transport: TransportKind;
  readonly httpPort: number;
  /** `undefined` in memory. */
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

/** HTTP ports of more would be transport ports of others. */
export const MOST_NODES = 64;

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

/** A node that comes when the cluster is there. */
export interface Newcomer {
  readonly name: string;
  /** Counted as the others are: it says which ports it has, and which zone when none is named. */
  readonly number: number;
  readonly zone?: string;
  readonly roles?: readonly string[];
  /** Where the nodes are that it will find. */
  readonly seeds: readonly string[];
}

/** It can join a cluster, and never makes one of its own. */
export function planNewcomer(plan: ClusterPlan, newcomer: Newcomer): NodePlan {
  const { name, number, zone, roles, seeds } = newcomer;
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
