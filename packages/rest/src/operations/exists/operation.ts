/** `exists`: whether a document exists. */
import { getJson } from "../../documents/get-answer.ts";
import {
  getParameters,
  getRequest,
  storedFieldsParameter,
} from "../../documents/get-parameters.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const exists: Operation = defineOperation({
  group: "exists",
  permission: "indices:data/read/get",
  routes: ["HEAD /{index}/_doc/{id}"],
  query: { ...getParameters, stored_fields: storedFieldsParameter },
  deviations: [],

  async handle({ path, query }, cluster) {
    const request = getRequest(path["index"] ?? "", path["id"] ?? "", query, query.stored_fields);
    const result = await cluster.get(request);
    return { status: result.found ? 200 : 404, body: getJson(result) };
  },
});
