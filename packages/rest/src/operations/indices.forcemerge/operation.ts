/** `indices.forcemerge`: merges segments down to a maximum number. */
import { broadcastAnswer, broadcastRequest } from "../../broadcast.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { flag, indexTargets, int } from "../../parameters.ts";

export const indicesForcemerge: Operation = defineOperation({
  group: "indices.forcemerge",
  permission: "indices:admin/forcemerge",
  routes: ["POST /_forcemerge", "POST /{index}/_forcemerge"],
  query: {
    ...indexTargets,
    max_num_segments: int(-1),
    only_expunge_deletes: flag(false),
    flush: flag(true),
    primary_only: flag(false),
    wait_for_completion: flag(true),
  },
  deviations: [
    {
      kind: "behaviour",
      name: "wait_for_completion=false",
      reason: "the task API is not implemented, so the response is sent when the merge is complete",
    },
  ],

  async handle({ path, query, request }, cluster) {
    if (query.only_expunge_deletes && query.max_num_segments !== -1) {
      request.warn(
        "setting only_expunge_deletes and max_num_segments at the same time is deprecated and will be rejected in a future version",
      );
    }
    const { shards } = await cluster.forceMerge({
      ...broadcastRequest(path["index"], query),
      maxNumSegments: query.max_num_segments,
      onlyExpungeDeletes: query.only_expunge_deletes,
      flush: query.flush,
      primaryOnly: query.primary_only,
    });
    return broadcastAnswer(shards);
  },
});
