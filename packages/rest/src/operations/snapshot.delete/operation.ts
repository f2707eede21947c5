/** `snapshot.delete`: aborts and deletes snapshots; responds when they are deleted. */
import { snapshotMissing } from "@orrery/cluster-state";
import { fail, matchesGlob } from "@orrery/stdx";
import { defineOperation, type Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { ask } from "../../snapshots/ask.ts";
import { expressionsOf } from "../../state-reading.ts";

export const snapshotDelete: Operation = defineOperation({
  group: "snapshot.delete",
  permission: "cluster:admin/snapshot/delete",
  routes: ["DELETE /_snapshot/{repository}/{snapshot}"],
  query: managerTimeout,
  deviations: [],

  async handle({ path, query }, cluster) {
    const repository = path["repository"] ?? "";
    const all = { repository, snapshots: ["_all"], ignoreUnavailable: true, verbose: false };
    const { body } = await ask(cluster, "getSnapshots", all, query);
    const uuids = expressionsOf(path["snapshot"]).flatMap((wanted) => {
      const isPattern = wanted.includes("*");
      const found = body.snapshots.filter(({ name }) =>
        isPattern ? matchesGlob(wanted, name) : name === wanted,
      );
      if (found.length === 0 && !isPattern) fail(snapshotMissing(repository, wanted));
      return found.map(({ uuid }) => uuid);
    });
    const request = { repository, uuids };
    const { acknowledged } = await ask(cluster, "deleteSnapshots", request, query);
    return { body: { acknowledged } };
  },
});
