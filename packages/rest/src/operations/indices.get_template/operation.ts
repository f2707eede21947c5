/** `indices.get_template`: legacy templates by names and patterns. */
import { legacyTemplatesOf } from "@orrery/cluster-state";
import { defineOperation, type Operation } from "../../operation.ts";
import { expressionsOf, readState } from "../../state-reading.ts";
import { legacyTemplatesNamed } from "../../templates/find.ts";
import { readTemplates } from "../../templates/parameters.ts";
import { legacyTemplateJson } from "../../templates/print.ts";

export const indicesGetTemplate: Operation = defineOperation({
  group: "indices.get_template",
  permission: "indices:admin/template/get",
  routes: ["GET /_template", "GET /_template/{name}"],
  query: readTemplates,
  deviations: [],

  async handle({ path, query }, cluster) {
    const state = await readState(cluster, query);
    const names = expressionsOf(path["name"]);
    const found = legacyTemplatesNamed(legacyTemplatesOf(state), names);
    const shown = found.map(([name, template]) => [
      name,
      legacyTemplateJson(template, query.flat_settings),
    ]);
    const status = shown.length === 0 && names.length > 0 ? 404 : 200;
    return { status, body: Object.fromEntries(shown) };
  },
});
