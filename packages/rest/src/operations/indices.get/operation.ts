/** `indices.get`: aliases, mapping and settings of indices. */
import { getIndexParameters, indexInformation } from "../../indices/get-index.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const indicesGet: Operation = defineOperation({
  group: "indices.get",
  permission: "indices:admin/get",
  routes: ["GET /{index}"],
  query: getIndexParameters,
  deviations: [],
  handle: async ({ path, query, request }, cluster) => ({
    body: await indexInformation(path["index"], query, { cluster, isHuman: request.isHuman }),
  }),
});
