/** `indices.get_index_template`: index templates by name or pattern. */
import { indexTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { readState } from "../../state-reading.ts";
import { templatesNamed } from "../../templates/find.ts";
import { readTemplates } from "../../templates/parameters.ts";
import { indexTemplateJson } from "../../templates/print.ts";

export const indicesGetIndexTemplate: Operation = defineOperation({
  group: "indices.get_index_template",
  permission: "indices:admin/index_template/get",
  routes: ["GET /_index_template", "GET /_index_template/{name}"],
  query: readTemplates,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const found = templatesNamed(indexTemplatesOf(state), path["name"], "index");
    const shown = found.map(([name, template]) => ({
      name,
      index_template: indexTemplateJson(template, query.flat_settings),
    }));
    const status = shown.length === 0 && path["name"] !== undefined ? 404 : 200;
    return { status, body: { index_templates: shown } };
  },
});
