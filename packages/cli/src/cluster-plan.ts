/** Which nodes a cluster has, on which ports, in which zones: node i is `node-i`, the first one bootstraps. */
import type { NodeConfig } from "@orrery/node";

export type TransportKind = "grpc" | "websocket" | "memory";

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

export function planNodes(plan: ClusterPlan): readonly NodePlan[] {
  const numbers = Array.from({ length: plan.nodes }, (_, i) => i + 1);
  const portOf = (i: number): number => plan.httpPort + 100 + i - 1;
  const addressOf = (i: number): string =>
    plan.transport === "memory" ? `node-${i}` : `${host}:${portOf(i)}`;
  return numbers.map((i) => {
    const zone = plan.zones.length === 0 ? undefined : plan.zones[(i - 1) % plan.zones.length];
    return {
      name: `node-${i}`,
      transport: plan.transport,
      httpPort: plan.httpPort + i - 1,
      transportPort: plan.transport === "memory" ? undefined : portOf(i),
      settings: {
        "discovery.seed_hosts": numbers.map(addressOf),
        "cluster.initial_cluster_manager_nodes": ["node-1"],
        ...(zone === undefined ? {} : { "node.attr.zone": zone }),
        ...plan.settings,
      },
    };
  });
}
