/** `indices.create_data_stream`: creates a data stream from its template. */
import { planDataStream } from "@orrery/node";
import { waitForActiveShards } from "../../indices/active-shards.ts";
import { passBlocks } from "../../indices/blocks.ts";
import { defineOperation, type Operation } from "../../operation.ts";

const timeoutMs = 30_000;

export const indicesCreateDataStream: Operation = defineOperation({
  group: "indices.create_data_stream",
  permission: "indices:admin/data_stream/create",
  routes: ["PUT /_data_stream/{name}"],
  query: {},
  // The product accepts a body and ignores it.
  body: (content) => content,
  deviations: [],

  async handle({ path }, cluster) {
    const state = await cluster.managerState(timeoutMs);
    passBlocks(state, "metadata_write", []);
    passBlocks(state, "create_index", []);
    const { random, clock, product } = cluster;
    const input = { language: product.language, random, nowMs: clock.nowMs() };
    const task = planDataStream(state, path["name"] ?? "", input);
    const { acknowledged } = await cluster.submit(task, {
      managerTimeoutMs: timeoutMs,
      ackTimeoutMs: timeoutMs,
      priority: "HIGH",
    });
    await waitForActiveShards(cluster, [task.index.name], { wanted: undefined, timeoutMs });
    return { body: { acknowledged } };
  },
});
