/** `cat.help`: paths of all cat operations that exist here, in the product's order. */
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, list, onDemand } from "../../parameters.ts";

const PATHS = [
  "/_cat/allocation",
  "/_cat/segment_replication",
  "/_cat/segment_replication/{index}",
  "/_cat/shards",
  "/_cat/shards/{index}",
  "/_cat/cluster_manager",
  "/_cat/nodes",
  "/_cat/indices",
  "/_cat/indices/{index}",
  "/_cat/segments",
  "/_cat/segments/{index}",
  "/_cat/count",
  "/_cat/count/{index}",
  "/_cat/recovery",
  "/_cat/recovery/{index}",
  "/_cat/health",
  "/_cat/pending_tasks",
  "/_cat/aliases",
  "/_cat/aliases/{alias}",
  "/_cat/plugins",
  "/_cat/nodeattrs",
  "/_cat/templates",
];

export const catHelp: Operation = defineOperation({
  group: "cat.help",
  permission: "none",
  routes: ["GET /_cat"],
  query: { help: onDemand(flag()), s: onDemand(list()) },
  deviations: [
    {
      kind: "behaviour",
      name: "paths",
      reason: "lists only the cat operations that are implemented",
    },
  ],
  handle: () => ({ text: `=^.^=\n${PATHS.map((path) => `${path}\n`).join("")}` }),
});
