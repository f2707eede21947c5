/** `cat.nodeattrs`: custom attributes of nodes. */
import { resolveNodes, type DiscoveryNode } from "@orrery/cluster-state";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { portOf } from "../../nodes/identity.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

interface Row {
  readonly node: DiscoveryNode;
  readonly pid: number | undefined;
  readonly attribute: string;
  readonly value: string;
}

const query = { ...managerTimeout, local: flag(false) };

export const catNodeattrs: Operation = defineCat<typeof query, Row>({
  group: "cat.nodeattrs",
  permission: "cluster:monitor/nodes/info",
  routes: ["GET /_cat/nodeattrs"],
  query,
  deviations: [],
  columns: [
    column("node", ({ node }) => node.name, { aliases: "name", description: "node name" }),
    column("id", ({ node }) => node.id.slice(0, 4), {
      aliases: "id,nodeId",
      description: "unique node id",
      isDefault: false,
    }),
    column("pid", ({ pid }) => pid, { aliases: "p", description: "process id", isDefault: false }),
    column("host", ({ node }) => node.hostName, { aliases: "h", description: "host name" }),
    column("ip", ({ node }) => node.hostAddress, { aliases: "i", description: "ip address" }),
    column("port", ({ node }) => portOf(node.transportAddress), {
      aliases: "po",
      description: "bound transport port",
      isDefault: false,
    }),
    column("attr", ({ attribute }) => attribute, {
      aliases: "attr.name",
      description: "attribute description",
    }),
    column("value", ({ value }) => value, {
      aliases: "attr.value",
      description: "attribute value",
    }),
  ],

  async rows(call, cluster) {
    const state = await readState(cluster, call.query);
    const answer = await cluster.nodesInfo(resolveNodes(state, []), ["process"]);
    return [...state.nodes.values()].flatMap((node) => {
      const facts = answer.nodes.find(({ nodeId }) => nodeId === node.id)?.body;
      return Object.entries(node.attributes).map(([attribute, value]) => ({
        node,
        pid: facts?.process.pid,
        attribute,
        value,
      }));
    });
  },
});
