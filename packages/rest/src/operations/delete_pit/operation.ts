/** `delete_pit`: deletes points in time by id. */
import type { Content } from "../../content.ts";
import { defineOperation, type Operation } from "../../operation.ts";
import { readIds } from "../../search/id-body.ts";
import { deletedJson } from "../../search/pits.ts";
import { validate } from "../../validation.ts";

export const deletePit: Operation = defineOperation({
  group: "delete_pit",
  permission: "indices:data/read/point_in_time/delete",
  routes: ["DELETE /_search/point_in_time"],
  query: {},
  body: (content: Content | undefined) => readIds(content, "pit_id"),
  deviations: [],

  async handle({ body: ids = [] }, cluster) {
    validate([ids.length === 0 && "no pit ids specified"]);
    const isAll = ids.length === 1 && ids[0] === "_all";
    return { body: deletedJson(await cluster.deletePointsInTime(isAll ? "_all" : ids)) };
  },
});
