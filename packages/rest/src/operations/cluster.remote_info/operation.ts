/** `cluster.remote_info`: configured remote clusters and this node's connections to them. */
import type { RemoteInfo } from "@orrery/node";
import { formatDuration } from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const clusterRemoteInfo: Operation = defineOperation({
  group: "cluster.remote_info",
  permission: "cluster:monitor/remote/info",
  routes: ["GET /_remote/info"],
  query: {},
  deviations: [
    {
      kind: "behaviour",
      name: "order",
      reason:
        "remote clusters are listed in the order of their aliases, in the product in that of a hash table",
    },
    {
      kind: "behaviour",
      name: "addresses without a port",
      reason: "seeds may be node names, since an in-memory or simulated network has no ports",
    },
  ],
  handle: (_, cluster) => ({
    body: Object.fromEntries(cluster.remotes.info().map((remote) => [remote.alias, print(remote)])),
  }),
});

function print(remote: RemoteInfo): PrintableObject {
  return {
    connected: remote.connections > 0,
    mode: remote.mode,
    ...(remote.mode === "sniff" ? sniffed(remote) : proxied(remote)),
    initial_connect_timeout: formatDuration(remote.initialConnectTimeoutMs),
    skip_unavailable: remote.skipUnavailable,
  };
}

function sniffed({ addresses, connections, maxConnections }: RemoteInfo): PrintableObject {
  return {
    seeds: [...addresses],
    num_nodes_connected: connections,
    max_connections_per_cluster: maxConnections,
  };
}

function proxied(remote: RemoteInfo): PrintableObject {
  const { addresses, serverName, connections, maxConnections } = remote;
  return {
    proxy_address: addresses[0] ?? "",
    server_name: serverName,
    num_proxy_sockets_connected: connections > 0 ? maxConnections : 0,
    max_proxy_socket_connections: maxConnections,
  };
}
