/** `indices.data_streams_stats`: sizes of data streams, and the timestamp of their newest document. */
import { indicesOptions, type DataStream } from "@orrery/cluster-state";
import type { Cluster, ShardAnswers } from "@orrery/node";
import { formatByteSize, isJsonObject, type Json } from "@orrery/stdx";
import { newestTimestamp } from "../../data-streams/newest-timestamp.ts";
import { streamsNamed } from "../../data-streams/named.ts";
import { shardCounts } from "../../documents/write-answer.ts";
import { defineOperation, type Operation } from "../../operation.ts";

export const indicesDataStreamsStats: Operation = defineOperation({
  group: "indices.data_streams_stats",
  permission: "indices:monitor/data_stream/stats",
  routes: ["GET /_data_stream/_stats", "GET /_data_stream/{name}/_stats"],
  query: {},
  deviations: [],

  async handle({ path, request }, cluster) {
    const streams = streamsNamed(cluster.state(), path["name"], { mustExist: true });
    const answers = await statsOf(cluster, streams);
    const shown = await Promise.all(streams.map((stream) => streamStats(cluster, stream, answers)));
    const total = shown.reduce((sum, { store_size_bytes: bytes }) => sum + bytes, 0);
    const body = {
      data_stream_count: streams.length,
      backing_indices: streams.reduce((sum, { indices }) => sum + indices.length, 0),
      total_store_size: request.isHuman ? formatByteSize(total) : undefined,
      total_store_size_bytes: total,
      data_streams: shown.map((stream) => ({
        data_stream: stream.data_stream,
        backing_indices: stream.backing_indices,
        store_size: request.isHuman ? formatByteSize(stream.store_size_bytes) : undefined,
        store_size_bytes: stream.store_size_bytes,
        maximum_timestamp: stream.maximum_timestamp,
      })),
    };
    return { body: { _shards: shardCounts(answers.shards), ...body } };
  },
});

async function statsOf(cluster: Cluster, streams: readonly DataStream[]): Promise<ShardAnswers> {
  const none = { total: 0, successful: 0, failed: 0, failures: [] };
  if (streams.length === 0) return { answers: [], concreteIndices: [], shards: none };
  return cluster.shardStats({
    indices: streams.map(({ name }) => name),
    indicesOptions: indicesOptions.strictExpandOpenHidden,
    parameters: {},
  });
}

interface StreamStats {
  readonly data_stream: string;
  readonly backing_indices: number;
  readonly store_size_bytes: number;
  readonly maximum_timestamp: number;
}

async function streamStats(
  cluster: Cluster,
  stream: DataStream,
  { answers }: ShardAnswers,
): Promise<StreamStats> {
  const names = new Set(stream.indices.map(({ index_name: name }) => name));
  const bytes = answers
    .filter(({ index }) => names.has(index))
    .map(({ body }) => storeBytes(body["store"]));
  return {
    data_stream: stream.name,
    backing_indices: names.size,
    store_size_bytes: bytes.reduce((sum, size) => sum + size, 0),
    maximum_timestamp: await newestTimestamp(cluster, stream),
  };
}

function storeBytes(store: Json | undefined): number {
  const size = isJsonObject(store) ? store["size_in_bytes"] : undefined;
  return typeof size === "number" ? size : 0;
}
