/** `snapshot.delete_repository`: removes the registration of repositories; their contents stay. */
import { acknowledgedParameters } from "../../indices/acknowledged.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { ask } from "../../snapshots/ask.ts";

export const snapshotDeleteRepository: Operation = defineOperation({
  group: "snapshot.delete_repository",
  permission: "cluster:admin/repository/delete",
  routes: ["DELETE /_snapshot/{repository}"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const request = { name: path["repository"] ?? "" };
    const { acknowledged } = await ask(cluster, "deleteRepository", request, query);
    return { body: { acknowledged } };
  },
});
