/** `dangling_indices.list_dangling_indices`: indices on nodes' disks that the cluster state does not contain. */
import { isoDate } from "../../dates.ts";
import { nodesEnvelope } from "../../nodes/identity.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const danglingIndicesList: Operation = defineOperation({
  group: "dangling_indices.list_dangling_indices",
  permission: "cluster:admin/indices/dangling/list",
  routes: ["GET /_dangling"],
  query: {},
  deviations: [],

  async handle({ request }, cluster) {
    const state = cluster.state();
    const { indices, answer } = await cluster.danglingIndices([...state.nodes.keys()]);
    const answered = answer.nodes.map(({ nodeId }) => [nodeId, {}] as const);
    const { nodes: _, ...envelope } = nodesEnvelope(state, answer, answered);
    const rows = indices.map(({ index, nodeIds }) => ({
      index_name: index.name,
      index_uuid: index.uuid,
      creation_date: request.isHuman ? isoDate(index.creationDateMs) : undefined,
      creation_date_millis: index.creationDateMs,
      node_ids: nodeIds,
    }));
    return {
      status: answer.failures.length > 0 ? 500 : 200,
      body: { ...envelope, dangling_indices: rows },
    };
  },
});
