/** `snapshot.cleanup_repository`: deletes blobs that no snapshot references. */
import { acknowledgedParameters } from "../../indices/acknowledged.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { ask } from "../../snapshots/ask.ts";
import { numberOf } from "../../stats/recovery.ts";

export const snapshotCleanupRepository: Operation = defineOperation({
  group: "snapshot.cleanup_repository",
  permission: "cluster:admin/repository/_cleanup",
  routes: ["POST /_snapshot/{repository}/_cleanup"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    const request = { name: path["repository"] ?? "" };
    const { body } = await ask(cluster, "cleanUpRepository", request, query);
    const results = {
      deleted_bytes: numberOf(body["bytes"]),
      deleted_blobs: numberOf(body["blobs"]),
    };
    return { body: { results } };
  },
});
