/** `indices.delete_data_stream`: deletes data streams with their backing indices; a missing name is no error. */
import { streamsNamed } from "../../data-streams/named.ts";
import { passPermanentBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

const timeoutMs = 30_000;

export const indicesDeleteDataStream: Operation = defineOperation({
  group: "indices.delete_data_stream",
  permission: "indices:admin/data_stream/delete",
  routes: ["DELETE /_data_stream/{name}"],
  query: {},
  deviations: [],

  async handle({ path }, cluster) {
    const state = await cluster.managerState(timeoutMs);
    const names = streamsNamed(state, path["name"], { mustExist: false }).map(({ name }) => name);
    const nowMs = cluster.clock.nowMs();
    passPermanentBlocks(cluster.state(), "metadata_write", []);
    const { acknowledged } = await cluster.submit(
      { kind: "delete-data-streams", names, nowMs },
      { managerTimeoutMs: timeoutMs, ackTimeoutMs: timeoutMs, priority: "HIGH" },
    );
    return { body: { acknowledged } };
  },
});
