/** `snapshot.status`: progress of snapshots, shard by shard. */
import type { JsonObject } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { statusJson } from "../../snapshots/print.ts";
import { expressionsOf } from "../../state-reading.ts";
import { validate } from "../../validation.ts";

export const snapshotStatus: Operation = defineOperation({
  group: "snapshot.status",
  permission: "cluster:admin/snapshot/status",
  routes: [
    "GET /_snapshot/_status",
    "GET /_snapshot/{repository}/_status",
    "GET /_snapshot/{repository}/{snapshot}/_status",
    "GET /_snapshot/{repository}/{snapshot}/{index}/_status",
  ],
  query: { ...managerTimeout, ignore_unavailable: flag(false) },
  body: "ignored",
  deviations: [
    {
      kind: "route",
      name: "GET /_snapshot/{repository}/{snapshot}/{index}/_status",
      reason: "routed by the product, not in the description",
    },
  ],

  async handle({ path, query, request: { isHuman } }, cluster) {
    const { repository } = path;
    const snapshots = namesIn(path["snapshot"]);
    const indices = namesIn(path["index"]);
    if (indices.length > 0) {
      validate([severalProblem(repository, expressionsOf(path["snapshot"]))]);
    }
    const isEvery = repository === undefined || (repository === "_all" && snapshots.length === 0);
    const request: JsonObject = {
      ...(isEvery ? {} : { repository }),
      snapshots,
      indices,
      ignoreUnavailable: query.ignore_unavailable,
    };
    const { body } = await ask(cluster, "snapshotStatus", request, query);
    return { body: { snapshots: body.snapshots.map((status) => statusJson(status, isHuman)) } };
  },
});

/** The error when indices are named for anything but one snapshot in one repository. */
function severalProblem(
  repository: string | undefined,
  snapshots: readonly string[],
): string | false {
  const refuse = (what: string, found: string): string =>
    `index list filter is supported only when a single '${what}' is passed, but found '${what}' param = [${found}]`;
  if (repository === "_all") return refuse("repository", repository);
  if (snapshots.length > 1) return refuse("snapshot", `[${snapshots.join(", ")}]`);
  return snapshots[0] === "_all" && refuse("snapshot", "_all");
}

/** Names of the request; `_all` means the same as no name. */
function namesIn(given: string | undefined): readonly string[] {
  const names = [...new Set(expressionsOf(given))];
  return names.length === 1 && names[0] === "_all" ? [] : names;
}
