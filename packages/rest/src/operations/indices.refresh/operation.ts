/** `indices.refresh`: makes writes visible to searches. */
import { broadcastAnswer, broadcastRequest } from "../../broadcast.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { indexTargets } from "../../parameters.ts";

export const indicesRefresh: Operation = defineOperation({
  group: "indices.refresh",
  permission: "indices:admin/refresh",
  routes: ["GET /_refresh", "POST /_refresh", "GET /{index}/_refresh", "POST /{index}/_refresh"],
  query: indexTargets,
  deviations: [],

  async handle({ path, query }, cluster) {
    const { shards } = await cluster.refresh(broadcastRequest(path["index"], query));
    return broadcastAnswer(shards);
  },
});
