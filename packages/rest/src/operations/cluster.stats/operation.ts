/** `cluster.stats`: statistics of all indices and nodes of the cluster. */
import { clusterHealth, resolveNodes } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { illegalArgument, type NodeId } from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { nodeById, nodesEnvelope } from "../../nodes/identity.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { parseTime, splitList, type Parameter } from "../../parameters.ts";
import { bundledRuntimeDeviation } from "../../product.ts";
import { humanized } from "../../stats/human.ts";
import { checkedMetrics } from "../../stats/metrics.ts";
import { unrecognized } from "../../unrecognized.ts";
import { indexStatsMetrics, indicesSection, type IndexStatsMetric } from "./indices-section.ts";
import {
  nodesSection,
  nodeStatsMetrics,
  type NodeFacts,
  type NodeStatsMetric,
} from "./nodes-section.ts";

const METRICS = ["indices", ...nodeStatsMetrics] as const;

/** The timeout; its error names the setting, not the parameter, as in the product. */
const timeout: Parameter<number | undefined> = {
  parse: (given) =>
    given === undefined ? undefined : parseTime(given, "ClusterStatsRequest.timeout"),
  isSuggested: true,
};

export const clusterStats: Operation = defineOperation({
  group: "cluster.stats",
  permission: "cluster:monitor/stats",
  routes: [
    "GET /_cluster/stats",
    "GET /_cluster/stats/nodes/{node_id}",
    "GET /_cluster/stats/{metric}/nodes/{node_id}",
    "GET /_cluster/stats/{metric}/{index_metric}/nodes/{node_id}",
  ],
  query: { timeout },
  deviations: [
    { kind: "parameter", name: "flat_settings", reason: "the product refuses it as unknown" },
    {
      kind: "behaviour",
      name: "discovery_type",
      reason:
        "the product's metric is `discovery_types`; the description's name `discovery_type` is accepted, too",
      isLeniency: true,
    },
    {
      kind: "behaviour",
      name: "jvm",
      reason: "describes the JavaScript engine, since there is no JVM",
    },
    bundledRuntimeDeviation,
  ],

  async handle({ path, request }, cluster) {
    const given = cluster.isStrict
      ? path["metric"]
      : path["metric"]?.replace(/\bdiscovery_type\b/, "discovery_types");
    const metrics = checkedMetrics(given, { known: METRICS, path: request.path });
    const has = (metric: string): boolean => metrics === undefined || metrics.includes(metric);
    const indexMetrics = indexMetricsOf(path["index_metric"], has("indices"), request.path);
    const state = cluster.state();
    const expressions = path["node_id"] === undefined ? [] : splitList(path["node_id"]);
    const ids = resolveNodes(state, expressions, cluster.localNode.id);
    const { facts, envelope } = await ask(cluster, ids);
    const nodeMetrics = new Set<NodeStatsMetric>(nodeStatsMetrics.filter(has));
    const { nodes: _, ...head } = envelope;
    const body = {
      ...head,
      cluster_uuid: state.metadata.clusterUuid,
      timestamp: cluster.clock.nowMs(),
      // The product reports the status only if the elected cluster manager is among the selected nodes.
      status: ids.some((id) => id === state.managerNodeId)
        ? clusterHealth(state).status
        : undefined,
      indices: has("indices")
        ? indicesSection(
            state,
            facts.flatMap(({ stats }) => stats.shards),
            indexMetrics,
          )
        : undefined,
      nodes:
        nodeMetrics.size === 0 ? undefined : nodesSection(facts, nodeMetrics, cluster.isStrict),
    };
    return { body: request.isHuman ? (humanized(body) as PrintableObject) : body };
  },
});

async function ask(
  cluster: Cluster,
  ids: readonly NodeId[],
): Promise<{ readonly facts: readonly NodeFacts[]; readonly envelope: PrintableObject }> {
  const state = cluster.state();
  const request = { metrics: ["_all"], indexMetrics: [], level: "node", parameters: {} };
  const [infos, stats] = await Promise.all([
    cluster.nodesInfo(ids, []),
    cluster.nodesStats(ids, request),
  ]);
  const facts = stats.nodes.flatMap(({ nodeId, body }): NodeFacts[] => {
    const node = nodeById(state, nodeId);
    const info = infos.nodes.find((one) => one.nodeId === nodeId)?.body;
    if (node === undefined || info === undefined) return [];
    return [{ node, info, stats: body }];
  });
  return {
    facts,
    envelope: nodesEnvelope(
      state,
      stats,
      facts.map(({ node }) => [node.id, {}]),
    ),
  };
}

function indexMetricsOf(
  given: string | undefined,
  hasIndices: boolean,
  path: string,
): ReadonlySet<IndexStatsMetric> {
  if (given === undefined) return new Set(indexStatsMetrics);
  if (!hasIndices) {
    throw illegalArgument(
      `request [${path}] contains index metrics [${given}] but indices stats not requested`,
    );
  }
  const names = splitList(given);
  if (names.length === 1 && names[0] === "_all") return new Set(indexStatsMetrics);
  const known: readonly string[] = indexStatsMetrics;
  const unknown = names.filter((name) => !known.includes(name));
  if (unknown.length > 0) throw unrecognized(path, "index metric", unknown, known);
  return new Set(indexStatsMetrics.filter((metric) => names.includes(metric)));
}
