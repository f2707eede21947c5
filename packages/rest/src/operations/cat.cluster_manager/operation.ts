/** `cat.cluster_manager`: the elected cluster manager. */
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

interface Row {
  readonly id: string;
  readonly host: string;
  readonly ip: string;
  readonly node: string;
}

const query = { ...managerTimeout, local: flag(false) };

export const catClusterManager: Operation = defineCat<typeof query, Row>({
  group: "cat.cluster_manager",
  permission: "cluster:monitor/state",
  routes: ["GET /_cat/cluster_manager", "GET /_cat/master"],
  query,
  deviations: [
    {
      kind: "route",
      name: "GET /_cat/master",
      reason:
        "the old name, which the product still routes; in the description it is a separate operation",
    },
  ],
  columns: [
    column("id", ({ id }) => id, { description: "node id" }),
    column("host", ({ host }) => host, { aliases: "h", description: "host name" }),
    column("ip", ({ ip }) => ip, { description: "ip address " }),
    column("node", ({ node }) => node, { aliases: "n", description: "node name" }),
  ],

  async rows(call, cluster) {
    const state = await readState(cluster, call.query);
    const node = [...state.nodes.values()].find(({ id }) => id === state.managerNodeId);
    if (node === undefined) return [{ id: "-", host: "-", ip: "-", node: "-" }];
    return [{ id: node.id, host: node.hostName, ip: node.hostAddress, node: node.name }];
  },
});
