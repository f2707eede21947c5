/** `delete_all_pits`: deletes all points in time. */
import { defineOperation, type Operation } from "../../operation.ts";
import { deletedJson } from "../../search/pits.ts";

export const deleteAllPits: Operation = defineOperation({
  group: "delete_all_pits",
  permission: "indices:data/read/point_in_time/delete",
  routes: ["DELETE /_search/point_in_time/_all"],
  query: {},
  body: "ignored",
  deviations: [],

  async handle(_call, cluster) {
    return { body: deletedJson(await cluster.deletePointsInTime("_all")) };
  },
});
