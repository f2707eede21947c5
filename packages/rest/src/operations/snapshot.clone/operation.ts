/** `snapshot.clone`: another snapshot of some of a snapshot's indices, made inside the repository. */
import { newUuid } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { indicesIn, requiredObject } from "../../snapshots/body.ts";

export const snapshotClone: Operation = defineOperation({
  group: "snapshot.clone",
  routes: ["PUT /_snapshot/{repository}/{snapshot}/_clone/{target_snapshot}"],
  query: managerTimeout,
  body: requiredObject,
  deviations: [],

  async handle({ path, query, body }, cluster) {
    const repository = path["repository"] ?? "";
    const target = path["target_snapshot"] ?? "";
    const uuid = newUuid(cluster.random);
    const source = path["snapshot"] ?? "";
    const request = { repository, source, target, uuid, indices: indicesIn(body) };
    await ask(cluster, "cloneSnapshot", request, query);
    await ask(cluster, "awaitSnapshot", { repository, snapshot: target, uuid }, query);
    return { body: { acknowledged: true } };
  },
});
