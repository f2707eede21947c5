/** `snapshot.create`: starts a snapshot; with `wait_for_completion` responds at its end. */
import { illegalArgument, isJsonObject, newUuid } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import {
  booleanIn,
  indicesIn,
  indicesOptionsIn,
  metadataIn,
  optionalObject,
} from "../../snapshots/body.ts";
import { snapshotJson } from "../../snapshots/print.ts";

export const snapshotCreate: Operation = defineOperation({
  group: "snapshot.create",
  permission: "cluster:admin/snapshot/create",
  routes: ["PUT /_snapshot/{repository}/{snapshot}", "POST /_snapshot/{repository}/{snapshot}"],
  query: { ...managerTimeout, wait_for_completion: flag(false) },
  body: optionalObject,
  deviations: [],

  async handle({ path, query, body, request: { isHuman } }, cluster) {
    const metadata = metadataIn(body);
    const named = {
      repository: path["repository"] ?? "",
      snapshot: path["snapshot"] ?? "",
      uuid: newUuid(cluster.random),
    };
    if (body["settings"] !== undefined && !isJsonObject(body["settings"])) {
      throw illegalArgument("malformed settings section, should indices an inner object");
    }
    const request = {
      ...named,
      indices: indicesIn(body),
      indicesOptions: indicesOptionsIn(body),
      includeGlobalState: booleanIn(body, "include_global_state", true),
      partial: booleanIn(body, "partial", false),
      ...(metadata === undefined ? {} : { metadata }),
    };
    await ask(cluster, "createSnapshot", request, query);
    if (!query.wait_for_completion) return { body: { accepted: true } };
    const done = await ask(cluster, "awaitSnapshot", named, query);
    return { body: { snapshot: snapshotJson(done.body.snapshot, isHuman) } };
  },
});
