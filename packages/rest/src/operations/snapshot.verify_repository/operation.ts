/** `snapshot.verify_repository`: checks that every node can read and write the repository. */
import { acknowledgedParameters } from "../../indices/acknowledged.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { ask } from "../../snapshots/ask.ts";

export const snapshotVerifyRepository: Operation = defineOperation({
  group: "snapshot.verify_repository",
  permission: "cluster:admin/repository/verify",
  routes: ["POST /_snapshot/{repository}/_verify"],
  query: acknowledgedParameters,
  deviations: [],

  async handle({ path, query }, cluster) {
    const request = { name: path["repository"] ?? "" };
    const { body } = await ask(cluster, "verifyRepository", request, query);
    return { body: { nodes: body["nodes"] as PrintableObject } };
  },
});
