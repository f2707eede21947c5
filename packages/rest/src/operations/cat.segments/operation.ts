/** `cat.segments`: segments of every shard copy. */
import { checkBlock, indicesOptions } from "@orrery/cluster-state";
import { fail, isJsonObject } from "@orrery/stdx";
import { defineCat } from "../../cat/operation.ts";
import { segmentColumns, type SegmentRow } from "../../cat/segment-columns.ts";
import { nodeById } from "../../nodes/identity.ts";
import type { Operation } from "../../operation.ts";
import { managerTimeout } from "../../parameters.ts";
import { expressionsOf } from "../../state-reading.ts";

export const catSegments: Operation = defineCat<typeof managerTimeout, SegmentRow>({
  group: "cat.segments",
  permission: "indices:monitor/segments",
  routes: ["GET /_cat/segments", "GET /_cat/segments/{index}"],
  query: managerTimeout,
  deviations: [],
  columns: segmentColumns,

  async rows({ path }, cluster) {
    const state = cluster.state();
    const blocked = checkBlock(state, "metadata_read");
    if (blocked !== undefined) fail(blocked);
    const { answers } = await cluster.shardSegments({
      indices: expressionsOf(path["index"]),
      indicesOptions: indicesOptions.strictExpandOpenAndForbidClosed,
    });
    return answers.flatMap((copy) => {
      const segments = copy.body["segments"];
      const ip = nodeById(state, copy.nodeId)?.hostAddress ?? "";
      return Object.entries(isJsonObject(segments) ? segments : {}).map(([name, segment]) => ({
        index: copy.index,
        shard: copy.shard,
        primary: copy.primary,
        ip,
        nodeId: copy.nodeId,
        name,
        segment: isJsonObject(segment) ? segment : {},
      }));
    });
  },
});
