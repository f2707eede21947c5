/** `indices.exists_template`: 200 when a legacy template of the name exists. */
import { legacyTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { expressionsOf, readState } from "../../state-reading.ts";
import { legacyTemplatesNamed } from "../../templates/find.ts";
import { readTemplates } from "../../templates/parameters.ts";

export const indicesExistsTemplate: Operation = defineOperation({
  group: "indices.exists_template",
  permission: "indices:admin/template/get",
  routes: ["HEAD /_template/{name}"],
  query: readTemplates,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const found = legacyTemplatesNamed(legacyTemplatesOf(state), expressionsOf(path["name"]));
    return { status: found.length === 0 ? 404 : 200, body: {} };
  },
});
