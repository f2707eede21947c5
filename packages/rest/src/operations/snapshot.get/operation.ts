/** `snapshot.get`: snapshots of a repository, finished and running. */
import type { ShownSnapshot } from "@orrery/node";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { briefSnapshotJson, snapshotJson } from "../../snapshots/print.ts";
import { expressionsOf } from "../../state-reading.ts";

export const snapshotGet: Operation = defineOperation({
  group: "snapshot.get",
  permission: "cluster:admin/snapshot/get",
  routes: ["GET /_snapshot/{repository}/{snapshot}"],
  query: { ...managerTimeout, ignore_unavailable: flag(false), verbose: flag(true) },
  deviations: [],

  async handle({ path, query, request: { isHuman } }, cluster) {
    const request = {
      repository: path["repository"] ?? "",
      snapshots: expressionsOf(path["snapshot"]),
      ignoreUnavailable: query.ignore_unavailable,
      verbose: query.verbose,
    };
    const { body } = await ask(cluster, "getSnapshots", request, query);
    const print = (one: ShownSnapshot): PrintableObject =>
      query.verbose ? snapshotJson(one, isHuman) : briefSnapshotJson(one);
    return { body: { snapshots: body.snapshots.map(print) } };
  },
});
