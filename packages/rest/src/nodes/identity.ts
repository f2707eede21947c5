/** Responses of several nodes: the envelope, and the identity of each node. */
import type { ClusterState, DiscoveryNode } from "@orrery/cluster-state";
import type { NodesAnswer } from "@orrery/node";
import { isJsonObject, type JsonObject, type Problem } from "@orrery/stdx";
import { problemBody } from "../errors.ts";
import type { PrintableObject } from "../json/printable.ts";

/** The envelope with `_nodes`, `cluster_name` and `nodes`. */
export function nodesEnvelope(
  state: ClusterState,
  answer: NodesAnswer,
  nodes: readonly (readonly [id: string, body: PrintableObject])[],
): PrintableObject {
  const failures = answer.failures.map(({ nodeId, problem }) => ({
    type: "failed_node_exception",
    reason: `Failed node [${nodeId}]`,
    node_id: nodeId,
    caused_by: problemBody(problemOfJson(problem), { isDetailed: false }),
  }));
  return {
    _nodes: {
      total: nodes.length + failures.length,
      successful: nodes.length,
      failed: failures.length,
      failures: failures.length === 0 ? undefined : failures,
    },
    cluster_name: state.clusterName,
    nodes: Object.fromEntries(nodes),
  };
}

function problemOfJson(json: JsonObject): Problem {
  const { type, reason, status, metadata, causedBy } = json;
  return {
    type: typeof type === "string" ? type : "exception",
    reason: typeof reason === "string" ? reason : null,
    status: typeof status === "number" ? status : 500,
    ...(isJsonObject(metadata) ? { metadata: metadata as NonNullable<Problem["metadata"]> } : {}),
    ...(isJsonObject(causedBy) ? { causedBy: problemOfJson(causedBy) } : {}),
  };
}

export function nodeById(state: ClusterState, id: string): DiscoveryNode | undefined {
  return [...state.nodes.values()].find((node) => node.id === id);
}

/** Roles in alphabetical order, as the product prints them. */
export function rolesOf(node: DiscoveryNode): readonly string[] {
  return node.roles.toSorted();
}

/** Port of an address such as `127.0.0.1:9300`. */
export function portOf(address: string): string {
  return address.slice(address.lastIndexOf(":") + 1);
}
