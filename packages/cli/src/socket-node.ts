/** Node of this process that listens on sockets: its host, its stored plan and its server. */
import { dirname } from "node:path";
import { createNodeHost, type NodeHostOptions } from "@orrery/host-node";
import type { Network } from "@orrery/ports";
import type { NodePlan } from "./cluster-plan.ts";
import { withPaths, writePlan } from "./data-folder.ts";
import { loopbackAddresses } from "./listening/node-addresses.ts";
import { secretsIn } from "./secrets.ts";
import { serveNode, type ServedNode } from "./serve-node.ts";
import { shardWorkers } from "./shard-workers.ts";
import { openNodeTelemetry } from "./telemetry.ts";
import { openSocketNetwork } from "./transports.ts";

/** Changes to a node's host. */
export interface SocketNodeOptions {
  /** Decorator of the network. */
  readonly network?: ((network: Network) => Network) | undefined;
  readonly host?: Pick<NodeHostOptions, "around" | "threadEntry" | "trace" | "log"> | undefined;
}

/** Starts the node. `path` is its folder, which lies in the data folder of the cluster. */
export async function startSocketNode(
  plan: NodePlan,
  path: string,
  { network: around = (network) => network, host: options }: SocketNodeOptions = {},
): Promise<ServedNode> {
  const sockets = await openNetwork(plan);
  const telemetry = await openNodeTelemetry(plan);
  const host = createNodeHost({
    name: plan.name,
    folder: path,
    network: around(sockets),
    secrets: secretsIn(dirname(path)),
    settings: plan.settings,
    spans: telemetry?.spans,
    ...shardWorkers,
    ...options,
  });
  // The plan is written by the process that holds the lock of the folder.
  writePlan(path, plan);
  return serveNode(host, withPaths(plan, path), { telemetry });
}

function openNetwork(plan: NodePlan): Promise<Network> {
  const { transportPort: port = 0, publishPorts } = plan;
  const { bind, publish } = (plan.addresses ?? loopbackAddresses).transport;
  const [host, ...moreHosts] = bind;
  return openSocketNetwork(plan.transport, {
    ...{ host, moreHosts, port, publishHost: publish.address },
    ...(publishPorts?.transport === undefined ? {} : { publishPort: publishPorts.transport }),
  });
}
