/** `cluster.delete_component_template`: removes component templates by name or pattern. */
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { refusedParameter, templateSubmit } from "../../templates/parameters.ts";

export const clusterDeleteComponentTemplate: Operation = defineOperation({
  group: "cluster.delete_component_template",
  permission: "cluster:admin/component_template/delete",
  routes: ["DELETE /_component_template/{name}"],
  query: managerTimeout,
  deviations: [refusedParameter("timeout")],

  async handle({ path, query }, cluster) {
    const task = {
      kind: "delete-templates",
      of: "component",
      pattern: path["name"] ?? "",
    } as const;
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});
