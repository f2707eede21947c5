/** `nodes.info`: configuration and properties of nodes. */
import { resolveNodes } from "@orrery/cluster-state";
import { nodeInfoMetrics } from "@orrery/node";
import { nodeInfoJson } from "../../nodes/info-sections.ts";
import { bundledRuntimeDeviation } from "../../product.ts";
import { nodeById, nodesEnvelope } from "../../nodes/identity.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, onDemand, parseTime, splitList, type Parameter } from "../../parameters.ts";
import { humanized } from "../../stats/human.ts";

/** The timeout; its error names the setting, not the parameter, as in the product. */
const timeout: Parameter<number | undefined> = {
  parse: (given) =>
    given === undefined ? undefined : parseTime(given, "NodesInfoRequest.timeout"),
  isSuggested: true,
};

export const nodesInfo: Operation = defineOperation({
  group: "nodes.info",
  permission: "cluster:monitor/nodes/info",
  routes: [
    "GET /_nodes",
    "GET /_nodes/{node_id}",
    "GET /_nodes/{node_id}/{metric}",
    "GET /_nodes/{node_id}/info/{metric}",
  ],
  query: { timeout, flat_settings: onDemand(flag(false)) },
  deviations: [
    {
      kind: "route",
      name: "GET /_nodes/{node_id}/info/{metric}",
      reason: "routed by the product, not in the description",
    },
    {
      kind: "behaviour",
      name: "jvm",
      reason: "describes the JavaScript engine, since there is no JVM",
    },
    bundledRuntimeDeviation,
    {
      kind: "behaviour",
      name: "discovery.seed_hosts",
      reason:
        "a text, as the product has it from the environment of its image; typed clients reject the list of a settings file",
      isLeniency: true,
    },
    {
      kind: "behaviour",
      name: "thread_pool",
      reason:
        "the sizes that the product's pools would have with as many processors; here pools limit the requests in progress and own no threads",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const added = [...cluster.product.infoSections.keys()];
    const known: readonly string[] = [...nodeInfoMetrics, ...added];
    const { nodes, metrics } = selection(known, path["node_id"], path["metric"]);
    const state = cluster.state();
    const ids = resolveNodes(state, nodes, cluster.localNode.id);
    const wanted = new Set(
      metrics === undefined ? known : known.filter((metric) => metrics.includes(metric)),
    );
    const answer = await cluster.nodesInfo(ids, [...wanted]);
    const bodies = answer.nodes.flatMap(({ nodeId, body }) => {
      const node = nodeById(state, nodeId);
      if (node === undefined) return [];
      const json = nodeInfoJson(node, body, {
        wanted,
        added,
        isFlat: query.flat_settings,
        isStrict: cluster.isStrict,
      });
      return [[nodeId, request.isHuman ? (humanized(json) as PrintableObject) : json] as const];
    });
    return { body: nodesEnvelope(state, answer, bodies) };
  },
});

/** A single path segment is a list of metrics if all its parts are metrics, else a list of nodes. */
function selection(
  known: readonly string[],
  nodeIds: string | undefined,
  metrics: string | undefined,
): { readonly nodes: readonly string[]; readonly metrics: readonly string[] | undefined } {
  const first = nodeIds === undefined ? [] : splitList(nodeIds);
  if (metrics !== undefined) {
    const names = splitList(metrics);
    return { nodes: first, metrics: names.includes("_all") ? undefined : names };
  }
  const isMetrics = first.length > 0 && first.every((name) => known.includes(name));
  return isMetrics ? { nodes: [], metrics: first } : { nodes: first, metrics: undefined };
}
