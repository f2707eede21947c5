/** Node in this process: host, roles, HTTP server. */
import type { Host } from "@orrery/ports";
import {
  corsPolicyOf,
  inFlightLimitOf,
  maxContentLengthOf,
  startNode,
  type Cluster,
  type Node,
  type NodeConfig,
} from "@orrery/node";
import { createHttpServer, type HttpServer } from "@orrery/http-server";
import { dispatch } from "@orrery/rest";
import { stackOf } from "@orrery/stdx";
import type { Telemetry } from "@orrery/telemetry";
import type { NodePlan } from "./cluster-plan.ts";
import { addressText } from "./listening/machine-addresses.ts";
import { boundAddresses, loopbackAddresses } from "./listening/node-addresses.ts";
import { product } from "./product.ts";
import { measureNode } from "./telemetry.ts";

export interface ServedNode {
  readonly cluster: Cluster;
  readonly node: Node;
  stop(): Promise<void>;
  /** Closes the HTTP server and frees the address, without stopping the node. */
  hangUp(): Promise<void>;
}

export interface ServeOptions {
  /** Exporters of the node, which end with it. */
  readonly telemetry: Telemetry | undefined;
  /** Awaited before each request. */
  readonly whenReady?: () => Promise<void>;
}

/** Starts a node and its server. */
export async function serveNode(
  nodeHost: Host,
  plan: NodePlan,
  { telemetry, whenReady }: ServeOptions,
): Promise<ServedNode> {
  const [host, ...moreHosts] = (plan.addresses ?? loopbackAddresses).http.bind;
  const node = await startOn(nodeHost, telemetry, configOf(plan));
  let http: HttpServer;
  try {
    http = await createHttpServer({
      ...{ host, moreHosts, port: plan.httpPort },
      dispatch: async (request) => {
        await whenReady?.();
        return dispatch(request, node.cluster);
      },
      onUnforeseen: (thrown) =>
        node.cluster.log("error", `failed to answer a request: ${stackOf(thrown)}`),
      cors: corsPolicyOf(plan.settings),
      maxContentLengthBytes: maxContentLengthOf(plan.settings),
      inFlight: inFlightLimitOf(plan.settings, node.cluster.process.stats().heapMaxBytes),
    });
  } catch (error) {
    await node.stop();
    void telemetry?.close();
    throw error;
  }
  node.countHttp(() => ({ currentOpen: http.openConnections, totalOpened: http.totalOpened }));
  await measureNode(telemetry, node.cluster);
  return {
    cluster: node.cluster,
    node,
    stop: async () => {
      await http.close();
      // The last figures are those of a node that still answers.
      const exported = telemetry?.close();
      await node.stop();
      await exported;
    },
    hangUp: async () => {
      void telemetry?.close();
      await http.close(0);
    },
  };
}

/** Starts the node; a failed start releases its folder, addresses and exporters. */
async function startOn(
  nodeHost: Host,
  telemetry: Telemetry | undefined,
  config: NodeConfig,
): Promise<Node> {
  try {
    return await startNode(nodeHost, config, product);
  } catch (error) {
    await nodeHost.network.close();
    nodeHost.store.close();
    void telemetry?.close();
    throw error;
  }
}

function configOf(plan: NodePlan): NodeConfig {
  const { httpPort, transportPort, publishPorts } = plan;
  const { http, transport } = plan.addresses ?? loopbackAddresses;
  const httpAddress = addressText(http.publish.address, publishPorts?.http ?? httpPort);
  const { name } = http.publish;
  return {
    name: plan.name,
    clusterName: String(plan.settings["cluster.name"] ?? "orrery"),
    httpAddress: name === undefined ? httpAddress : `${name}/${httpAddress}`,
    hostAddress: transport.publish.address,
    hostName: transport.publish.name ?? transport.publish.address,
    boundAddresses: {
      http: boundAddresses(http, httpPort),
      ...(transportPort === undefined
        ? {}
        : { transport: boundAddresses(transport, transportPort) }),
    },
    settings: plan.settings,
  };
}

/** Resolves when the node has joined: it knows an elected cluster manager whose state contains it. */
export async function untilJoined(cluster: Cluster): Promise<void> {
  await cluster.stateWhen(
    (state) => state.managerNodeId !== undefined && state.nodes.has(cluster.localNode.id),
    Number.MAX_SAFE_INTEGER,
  );
}

/** Resolves when every node has joined and every shard copy is started. */
export async function untilGreen(cluster: Cluster, nodes: number): Promise<void> {
  await cluster.stateWhen((state) => {
    if (state.managerNodeId === undefined || state.nodes.size < nodes) return false;
    if (state.blocks.global.some((held) => held.disableStatePersistence)) return false;
    const copies = [...state.routingTable.values()].flatMap((table) => table.shards.flat());
    return copies.every(({ state: at }) => at === "STARTED" || at === "RELOCATING");
  }, Number.MAX_SAFE_INTEGER);
}
