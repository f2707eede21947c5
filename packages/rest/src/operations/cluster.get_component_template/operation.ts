/** `cluster.get_component_template`: component templates by name or pattern. */
import { componentTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { readState } from "../../state-reading.ts";
import { templatesNamed } from "../../templates/find.ts";
import { readTemplates } from "../../templates/parameters.ts";
import { componentTemplateJson } from "../../templates/print.ts";

export const clusterGetComponentTemplate: Operation = defineOperation({
  group: "cluster.get_component_template",
  permission: "cluster:admin/component_template/get",
  routes: ["GET /_component_template", "GET /_component_template/{name}"],
  query: readTemplates,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const found = templatesNamed(componentTemplatesOf(state), path["name"], "component");
    const shown = found.map(([name, template]) => ({
      name,
      component_template: componentTemplateJson(template, query.flat_settings),
    }));
    const status = shown.length === 0 && path["name"] !== undefined ? 404 : 200;
    return { status, body: { component_templates: shown } };
  },
});
