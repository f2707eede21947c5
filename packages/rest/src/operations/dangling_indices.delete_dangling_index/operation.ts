/** `dangling_indices.delete_dangling_index`: adds a tombstone for a dangling index; nodes then delete their files of it. */
import { submitOptions } from "../../indices/acknowledged.ts";
import { danglingParameters, findDangling } from "../../indices/dangling.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const danglingIndicesDelete: Operation = defineOperation({
  group: "dangling_indices.delete_dangling_index",
  permission: "cluster:admin/indices/dangling/delete",
  routes: ["DELETE /_dangling/{index_uuid}"],
  query: danglingParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    const uuid = path["index_uuid"] ?? "";
    const index = await findDangling(cluster, uuid, query.accept_data_loss);
    const nowMs = cluster.clock.nowMs();
    const { acknowledged } = await cluster.submit(
      { kind: "delete-dangling-index", index: index.name, uuid: index.uuid, nowMs },
      submitOptions(query, "NORMAL"),
    );
    return { status: 202, body: { acknowledged } };
  },
});
