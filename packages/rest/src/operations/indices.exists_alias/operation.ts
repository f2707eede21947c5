/** `indices.exists_alias`: 200 when all named aliases exist. */
import { aliasesAnswer, getAliasParameters } from "../../indices/get-aliases.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const indicesExistsAlias: Operation = defineOperation({
  group: "indices.exists_alias",
  permission: "indices:admin/aliases/get",
  routes: ["HEAD /_alias/{name}", "HEAD /{index}/_alias", "HEAD /{index}/_alias/{name}"],
  query: getAliasParameters,
  deviations: [
    {
      kind: "route",
      name: "HEAD /{index}/_alias",
      reason: "routed by the product, not in the description",
    },
    {
      kind: "parameter",
      name: "cluster_manager_timeout",
      reason: "not in the description; the product takes it",
    },
    {
      kind: "parameter",
      name: "master_timeout",
      reason: "not in the description; the product takes it",
    },
  ],
  handle: ({ path, query }, cluster) => aliasesAnswer(path, query, cluster),
});
