/** The time stamp of the newest document that a search of a data stream sees; 0 without any. */
import { indicesOptions, type DataStream } from "@orrery/cluster-state";
import type { Cluster } from "@orrery/node";
import { jsonText, type Printable } from "@orrery/query";
import { OperationError } from "@orrery/stdx";

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
    // No shard can be searched: statistics tell of what is there, and count these as failed.
    if (error instanceof OperationError) return 0;
    throw error;
  }
}

/** 0 where no document has a value. */
function valueOf(newest: Printable): number {
  const { value } = JSON.parse(jsonText(newest ?? {})) as { readonly value?: number | null };
  return value ?? 0;
}
