/** `indices.get_data_stream`: data streams with their backing indices, health and template. */
import {
  clusterHealth,
  findIndexTemplate,
  type ClusterState,
  type DataStream,
} from "@orrery/cluster-state";
import { streamsNamed } from "../../data-streams/named.ts";
import type { PrintableObject } from "../../json/printable.ts";
import { defineOperation, type Operation } from "../../operation.ts";

const timeoutMs = 30_000;

export const indicesGetDataStream: Operation = defineOperation({
  group: "indices.get_data_stream",
  permission: "indices:admin/data_stream/get",
  routes: ["GET /_data_stream", "GET /_data_stream/{name}"],
  query: {},
  deviations: [],

  async handle({ path }, cluster) {
    const state = await cluster.managerState(timeoutMs);
    const streams = streamsNamed(state, path["name"], { mustExist: true });
    return { body: { data_streams: streams.map((stream) => streamJson(state, stream)) } };
  },
});

function streamJson(state: ClusterState, stream: DataStream): PrintableObject {
  const names = stream.indices.map(({ index_name: name }) => name);
  return {
    name: stream.name,
    timestamp_field: stream.timestamp_field,
    indices: stream.indices,
    generation: stream.generation,
    status: clusterHealth(state, names).status.toUpperCase(),
    template: findIndexTemplate(state, stream.name, false),
  };
}
