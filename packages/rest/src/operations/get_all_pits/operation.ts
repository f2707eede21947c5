/** `get_all_pits`: open points in time with their keep-alive. */
import { defineOperation, type Operation } from "../../operation.ts";

export const getAllPits: Operation = defineOperation({
  group: "get_all_pits",
  permission: "indices:data/read/point_in_time/readall",
  routes: ["GET /_search/point_in_time/_all"],
  query: {},
  deviations: [],

  async handle(_call, cluster) {
    const pits = await cluster.pointsInTime();
    return {
      body: {
        pits: pits.map(({ pitId, createdMs, keepAliveMs }) => ({
          pit_id: pitId,
          creation_time: createdMs,
          keep_alive: keepAliveMs,
        })),
      },
    };
  },
});
