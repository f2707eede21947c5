/** `info`: name and version of the node that serves the request. */
import { defineOperation, type Operation } from "../../operation.ts";
import { buildDate, buildHash, buildType, luceneVersion, version } from "../../product.ts";

export const info: Operation = defineOperation({
  group: "info",
  permission: "cluster:monitor/main",
  routes: ["GET /", "HEAD /"],
  query: {},
  deviations: [
    {
      kind: "route",
      name: "HEAD /",
      reason:
        "in the description it is the operation `ping`; the product serves both by one handler",
    },
  ],

  handle(_call, cluster) {
    const state = cluster.state();
    const isUnavailable = state.blocks.global.some(
      (block) => block.status === "SERVICE_UNAVAILABLE",
    );
    return {
      status: isUnavailable ? 503 : 200,
      isPretty: true,
      body: {
        name: cluster.localNode.name,
        cluster_name: state.clusterName,
        cluster_uuid: state.metadata.clusterUuid,
        version: {
          distribution: "opensearch",
          number: version,
          build_type: buildType,
          build_hash: buildHash,
          build_date: buildDate,
          build_snapshot: false,
          lucene_version: luceneVersion,
          minimum_wire_compatibility_version: "2.19.0",
          minimum_index_compatibility_version: "2.0.0",
        },
        tagline: "The OpenSearch Project: https://opensearch.org/",
      },
    };
  },
});
