/** `indices.delete_template`: removes legacy templates by name or pattern. */
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { refusedParameter, templateSubmit } from "../../templates/parameters.ts";

export const indicesDeleteTemplate: Operation = defineOperation({
  group: "indices.delete_template",
  permission: "indices:admin/template/delete",
  routes: ["DELETE /_template/{name}"],
  query: managerTimeout,
  deviations: [refusedParameter("timeout")],

  async handle({ path, query }, cluster) {
    const task = { kind: "delete-templates", of: "legacy", pattern: path["name"] ?? "" } as const;
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(task, templateSubmit(query));
    return { body: { acknowledged } };
  },
});
