/** `indices.clear_cache`: clears the caches of indices. */
import { broadcastAnswer, broadcastRequest } from "../../broadcast.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, list, onDemand } from "../../parameters.ts";

export const indicesClearCache: Operation = defineOperation({
  group: "indices.clear_cache",
  permission: "indices:admin/cache/clear",
  routes: ["POST /_cache/clear", "POST /{index}/_cache/clear"],
  query: {
    ...indexTargets,
    query: flag(false),
    fielddata: flag(false),
    request: flag(false),
    file: onDemand(flag(false)),
    fields: list([]),
    index: onDemand(list()),
  },
  deviations: [],

  async handle({ path, query }, cluster) {
    const index = path["index"] ?? query.index?.join(",");
    const { shards } = await cluster.clearCache({
      ...broadcastRequest(index, query),
      parameters: {
        query: query.query,
        fielddata: query.fielddata,
        request: query.request,
        fields: query.fields,
      },
    });
    return broadcastAnswer(shards);
  },
});
