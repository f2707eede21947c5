/** The time stamp of the newest document that a search of a data stream sees; 0 without any. */
import { indicesOptions, type DataStream } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { isJsonObject, OperationError, utf8Decode, type Json } from "@orrery/stdx";

export async function newestTimestamp(cluster: Cluster, stream: DataStream): Promise<number> {
  const field = stream.timestamp_field.name;
  try {
    const { body } = await cluster.search({
      indices: [stream.name],
      indicesOptions: indicesOptions.strictExpandOpenHidden,
      body: { size: 0, track_total_hits: false, aggs: { newest: { max: { field } } } },
      routing: undefined,
      preference: undefined,
      searchType: "query_then_fetch",
      allowPartialSearchResults: true,
      batchedReduceSize: 512,
      preFilterShardSize: undefined,
      maxConcurrentShardRequests: 5,
      cancelAfterMs: undefined,
    });
    return valueIn(JSON.parse(utf8Decode(body)) as Json);
  } catch (error) {
    // No shard can be searched: statistics tell of what is there, and count these as failed.
    if (error instanceof OperationError) return 0;
    throw error;
  }
}

function valueIn(answer: Json): number {
  const aggregations = isJsonObject(answer) ? answer["aggregations"] : undefined;
  const newest = isJsonObject(aggregations) ? aggregations["newest"] : undefined;
  const value = isJsonObject(newest) ? newest["value"] : undefined;
  return typeof value === "number" ? value : 0;
}
