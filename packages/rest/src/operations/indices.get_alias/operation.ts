/** `indices.get_alias`: aliases by index and by name. */
import { aliasesAnswer, getAliasParameters } from "../../indices/get-aliases.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const indicesGetAlias: Operation = defineOperation({
  group: "indices.get_alias",
  permission: "indices:admin/aliases/get",
  routes: [
    "GET /_alias",
    "GET /_aliases",
    "GET /_alias/{name}",
    "GET /{index}/_alias",
    "GET /{index}/_alias/{name}",
  ],
  query: getAliasParameters,
  deviations: [
    {
      kind: "route",
      name: "GET /_aliases",
      reason: "plural spelling of the product, not in the description",
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
