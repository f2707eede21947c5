/**
 * `dangling_indices.import_dangling_index`: imports a dangling index into the cluster. When its name exists, nothing
 * is imported and the response is the same.
 */
import { importOf } from "@orrery/node";
import { submitOptions } from "../../indices/acknowledged.ts";
import { danglingParameters, findDangling } from "../../indices/dangling.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const danglingIndicesImport: Operation = defineOperation({
  group: "dangling_indices.import_dangling_index",
  permission: "cluster:admin/indices/dangling/import",
  routes: ["POST /_dangling/{index_uuid}"],
  query: danglingParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    const index = await findDangling(cluster, path["index_uuid"] ?? "", query.accept_data_loss);
    const task = importOf(index, { random: cluster.random, nowMs: cluster.clock.nowMs() });
    const { acknowledged } = await cluster.submit(task, submitOptions(query, "NORMAL"));
    return { status: 202, body: { acknowledged } };
  },
});
