/** `exists_source`: whether a document has a `_source`. */
import { getParameters } from "../../documents/get-parameters.ts";
import { sourceAnswer } from "../../documents/source-only.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const existsSource: Operation = defineOperation({
  group: "exists_source",
  permission: "indices:data/read/get",
  routes: ["HEAD /{index}/_source/{id}"],
  query: getParameters,
  deviations: [],
  handle: ({ path, query }, cluster) => sourceAnswer(path, query, cluster),
});
