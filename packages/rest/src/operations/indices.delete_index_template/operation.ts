/** `indices.delete_index_template`: removes index templates by name or pattern. */
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { refusedParameter, templateSubmit } from "../../templates/parameters.ts";

export const indicesDeleteIndexTemplate: Operation = defineOperation({
  group: "indices.delete_index_template",
  permission: "indices:admin/index_template/delete",
  routes: ["DELETE /_index_template/{name}"],
  query: managerTimeout,
  deviations: [refusedParameter("timeout")],

  async handle({ path, query }, cluster) {
    const task = { kind: "delete-templates", of: "index", pattern: path["name"] ?? "" } as const;
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});
