/** `get_source`: the `_source` of a document, as it was sent. */
import { getParameters } from "../../documents/get-parameters.ts";
import { sourceAnswer } from "../../documents/source-only.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const getSource: Operation = defineOperation({
  group: "get_source",
  permission: "indices:data/read/get",
  routes: ["GET /{index}/_source/{id}"],
  query: getParameters,
  deviations: [],
  handle: ({ path, query }, cluster) => sourceAnswer(path, query, cluster),
});
