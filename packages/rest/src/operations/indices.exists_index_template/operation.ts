/** `indices.exists_index_template`: 200 when an index template of the name exists. */
import { indexTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { readState } from "../../state-reading.ts";
import { templatesNamed } from "../../templates/find.ts";
import { readTemplates } from "../../templates/parameters.ts";

export const indicesExistsIndexTemplate: Operation = defineOperation({
  group: "indices.exists_index_template",
  permission: "indices:admin/index_template/get",
  routes: ["HEAD /_index_template/{name}"],
  query: readTemplates,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const found = templatesNamed(indexTemplatesOf(state), path["name"], "index");
    return { status: found.length === 0 ? 404 : 200, body: {} };
  },
});
