/** `cluster.exists_component_template`: 200 when a component template of the name exists. */
import { componentTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { readState } from "../../state-reading.ts";
import { templatesNamed } from "../../templates/find.ts";
import { addedParameter, readTemplates } from "../../templates/parameters.ts";

export const clusterExistsComponentTemplate: Operation = defineOperation({
  group: "cluster.exists_component_template",
  permission: "cluster:admin/component_template/get",
  routes: ["HEAD /_component_template/{name}"],
  query: readTemplates,
  deviations: [addedParameter("flat_settings")],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const found = templatesNamed(componentTemplatesOf(state), path["name"], "component");
    return { status: found.length === 0 ? 404 : 200, body: {} };
  },
});
