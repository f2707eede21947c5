/** `cluster.put_component_template`: stores a component template. */
import { checkMapping, checkUsersOf, stateWith } from "../../templates/check.ts";
import { componentTemplateBody } from "../../templates/body.ts";
import { addedParameter, refusedParameter, templateSubmit } from "../../templates/parameters.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout, managerTimeoutMs, text } from "../../parameters.ts";

export const clusterPutComponentTemplate: Operation = defineOperation({
  group: "cluster.put_component_template",
  permission: "cluster:admin/component_template/put",
  routes: ["PUT /_component_template/{name}", "POST /_component_template/{name}"],
  query: { ...managerTimeout, create: flag(false), cause: text("api") },
  body: componentTemplateBody,
  deviations: [addedParameter("cause"), refusedParameter("timeout")],

  async handle({ path, query, body: template }, cluster) {
    const name = path["name"] ?? "";
    const task = { kind: "put-component-template", name, create: query.create, template } as const;
    const state = await cluster.managerState(managerTimeoutMs(query));
    const { language, rules } = cluster.product;
    const next = stateWith(state, task, rules);
    const { mappings, settings = {} } = template.template;
    checkMapping(language, mappings, settings);
    checkUsersOf(language, next, name);
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});
