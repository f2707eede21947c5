/** Timestamp of the newest document of a data stream that a search sees. */
import { indicesOptions, type DataStream } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { jsonText, type Printable } from "@orrery/query";
import { OperationError } from "@orrery/stdx";

/**
 * The newest timestamp of a data stream in milliseconds since 1970, UTC; 0 when it has no document, or no shard can be
 * searched.
 */
export async function newestTimestamp(cluster: Cluster, stream: DataStream): Promise<number> {
  const field = stream.timestamp_field.name;
  try {
    const { aggregations } = await cluster.search({
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
    return valueOf(aggregations?.render({ typedKeys: false })["newest"]);
  } catch (error) {
    // No shard can be searched. The statistics report such shards as failed, so the timestamp is just 0.
    if (error instanceof OperationError) return 0;
    throw error;
  }
}

/** Value of the `max` aggregation; 0 when no document has a timestamp. */
function valueOf(newest: Printable): number {
  const { value } = JSON.parse(jsonText(newest ?? {})) as { readonly value?: number | null };
  return value ?? 0;
}
