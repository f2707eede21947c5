/** `nodes.stats`: statistics of nodes and their shard copies. */
import { resolveNodes } from "@orrery/cluster-state";
import { nodeStatsMetrics, type NodesAnswer, type NodeStatsFacts } from "@orrery/node";
import { illegalArgument } from "@orrery/stdx";
import type { PrintableObject } from "../../json/printable.ts";
import { nodeById, nodesEnvelope } from "../../nodes/identity.ts";
import { nodeStatsJson } from "../../nodes/stats-sections.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { duration, flag, list, onDemand, splitList, text } from "../../parameters.ts";
import { humanized } from "../../stats/human.ts";
import { checkedMetrics, indexMetrics, sectionsOf } from "../../stats/metrics.ts";
import { unrecognized } from "../../unrecognized.ts";

const extra = "not in the description; the product takes it";

export const nodesStats: Operation = defineOperation({
  group: "nodes.stats",
  permission: "cluster:monitor/nodes/stats",
  routes: [
    "GET /_nodes/stats",
    "GET /_nodes/{node_id}/stats",
    "GET /_nodes/stats/{metric}",
    "GET /_nodes/{node_id}/stats/{metric}",
    "GET /_nodes/stats/{metric}/{index_metric}",
    "GET /_nodes/{node_id}/stats/{metric}/{index_metric}",
  ],
  query: {
    completion_fields: onDemand(list()),
    fielddata_fields: onDemand(list()),
    fields: onDemand(list()),
    groups: onDemand(list()),
    include_segment_file_sizes: onDemand(flag(false)),
    include_unloaded_segments: onDemand(flag(false)),
    level: onDemand(text("node")),
    timeout: duration(),
    types: onDemand(list()),
  },
  deviations: [
    { kind: "parameter", name: "include_unloaded_segments", reason: extra },
    {
      kind: "behaviour",
      name: "jvm",
      reason: "describes the JavaScript engine, since there is no JVM",
    },
  ],

  async handle({ path, query, request }, cluster) {
    const added = [...cluster.product.statsSections.keys()];
    const known = [...nodeStatsMetrics, ...added];
    const metrics = checkedMetrics(path["metric"], { known, path: request.path });
    const sections = sectionsOf(indexMetricsOf(path["index_metric"], metrics, request.path));
    const wanted = new Set(known.filter((name) => metrics === undefined || metrics.includes(name)));
    const state = cluster.state();
    const ids = resolveNodes(
      state,
      path["node_id"] === undefined ? [] : splitList(path["node_id"]),
      cluster.localNode.id,
    );
    const isLevelKnown =
      ["node", "indices", "shards"].includes(query.level) || !wanted.has("indices");
    const asked = await cluster.nodesStats(ids, {
      metrics: [...wanted],
      indexMetrics: [...sections],
      level: query.level,
      parameters: {},
    });
    const answer = isLevelKnown ? asked : refused(asked);
    const bodies = answer.nodes.flatMap(({ nodeId, body }) => {
      const node = nodeById(state, nodeId);
      if (node === undefined) return [];
      const processors = cluster.process.os.availableProcessors;
      const { level } = query;
      const json = nodeStatsJson(node, body, { wanted, added, sections, level, processors });
      return [[nodeId, request.isHuman ? (humanized(json) as PrintableObject) : json] as const];
    });
    return { body: nodesEnvelope(state, answer, bodies) };
  },
});

function indexMetricsOf(
  given: string | undefined,
  metrics: readonly string[] | undefined,
  path: string,
): readonly string[] | undefined {
  if (given === undefined) return undefined;
  if (metrics === undefined) {
    throw illegalArgument(
      `request [${path}] contains index metrics [${given}] but all stats requested`,
    );
  }
  if (metrics.includes("caches") && !metrics.includes("indices")) {
    const unknown = splitList(given).filter((name) => name !== "request_cache");
    if (unknown.length > 0) throw unrecognized(path, "cache type", unknown, ["request_cache"]);
    return undefined;
  }
  if (!metrics.includes("indices")) {
    throw illegalArgument(
      `request [${path}] contains index metrics [${given}] but indices stats not requested`,
    );
  }
  const names = splitList(given);
  if (names.length === 1 && names[0] === "_all") return undefined;
  const unknown = names.filter((name) => !indexMetrics.includes(name));
  if (unknown.length > 0) throw unrecognized(path, "index metric", unknown, indexMetrics);
  return names;
}

/** The response when every node refuses an unknown `level`. */
function refused(answer: NodesAnswer): NodesAnswer<NodeStatsFacts> {
  const problem = {
    type: "illegal_argument_exception",
    reason: "Level provided is not supported by NodeIndicesStats",
    status: 400,
  };
  const failures = answer.nodes.map(({ nodeId }) => ({ nodeId, problem }));
  return { nodes: [], failures: [...answer.failures, ...failures] };
}
