/** `indices.exists`: 200 when all named indices exist. */
import { getIndexParameters, indexInformation } from "../../indices/get-index.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const indicesExists: Operation = defineOperation({
  group: "indices.exists",
  permission: "indices:admin/get",
  routes: ["HEAD /{index}"],
  query: getIndexParameters,
  deviations: [
    {
      kind: "parameter",
      name: "master_timeout",
      reason: "not in the description; the product takes it",
    },
  ],
  handle: async ({ path, query, request }, cluster) => ({
    body: await indexInformation(path["index"], query, { cluster, isHuman: request.isHuman }),
  }),
});
