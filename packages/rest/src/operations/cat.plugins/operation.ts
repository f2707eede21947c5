/** `cat.plugins`: plugins by node. */
import { resolveNodes } from "@orrery/cluster-state";
import type { NodeInfoFacts } from "@orrery/node";
import { column } from "../../cat/column.ts";
import { defineCat } from "../../cat/operation.ts";
import { nodeById } from "../../nodes/identity.ts";
import type { Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { readState } from "../../state-reading.ts";

interface Row {
  readonly id: string;
  readonly node: string;
  readonly plugin: NodeInfoFacts["plugins"][number];
}

const query = { ...managerTimeout, local: flag(false) };

export const catPlugins: Operation = defineCat<typeof query, Row>({
  group: "cat.plugins",
  permission: "cluster:monitor/nodes/info",
  routes: ["GET /_cat/plugins"],
  query,
  deviations: [],
  columns: [
    column("id", ({ id }) => id, { description: "unique node id", isDefault: false }),
    column("name", ({ node }) => node, { aliases: "n", description: "node name" }),
    column("component", ({ plugin }) => plugin.name, { aliases: "c", description: "component" }),
    column("version", ({ plugin }) => plugin.version, {
      aliases: "v",
      description: "component version",
    }),
    column("description", ({ plugin }) => plugin.description, {
      aliases: "d",
      description: "plugin details",
      isDefault: false,
    }),
  ],

  async rows(call, cluster) {
    const state = await readState(cluster, call.query);
    const answer = await cluster.nodesInfo(resolveNodes(state, []), ["plugins"]);
    return answer.nodes.flatMap(({ nodeId, body: { plugins } }) => {
      const node = nodeById(state, nodeId)?.name ?? "";
      return plugins.map((plugin) => ({ id: nodeId, node, plugin }));
    });
  },
});
