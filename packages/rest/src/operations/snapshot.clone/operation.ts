/** `snapshot.clone`: copies some indices of a snapshot into a new snapshot within the repository. */
import { newUuid } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { indicesIn, indicesOptionsIn, requiredObject } from "../../snapshots/body.ts";
import { validate } from "../../validation.ts";

export const snapshotClone: Operation = defineOperation({
  group: "snapshot.clone",
  permission: "cluster:admin/snapshot/clone",
  routes: ["PUT /_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}"],
  query: managerTimeout,
  body: requiredObject,
  deviations: [],

  async handle({ path, query, body }, cluster) {
    const repository = path["repository"] ?? "";
    const target = path["target_snapshot"] ?? "";
    const uuid = newUuid(cluster.random);
    const source = path["snapshot"] ?? "";
    const indices = indicesIn(body);
    validate([indices.length === 0 && "indices patterns are empty"]);
    const { ignore_unavailable: ignoreUnavailable, allow_no_indices: allowNoIndices } =
      indicesOptionsIn(body);
    const request = {
      ...{ repository, source, target, uuid, indices },
      ignoreUnavailable: ignoreUnavailable === true,
      allowNoIndices: allowNoIndices !== false,
    };
    await ask(cluster, "cloneSnapshot", request, query);
    await ask(cluster, "awaitSnapshot", { repository, snapshot: target, uuid }, query);
    return { body: { acknowledged: true } };
  },
});
